/** What a recorded session was, as the operator says. */
export type RecordingLabel = 'bona_fide' | 'attack';

/** A judged session to record. */
export interface NewRecording {
  /** Of the liveness session. */
  readonly id: string;
  readonly clientId: string;
  readonly at: Date;
  /** Keyed digests of the people and galleries that the session belongs to. */
  readonly digests: readonly Uint8Array[];
  /** Sealed. */
  readonly judgement: Uint8Array;
  /** Of the judgement and all parts, sealed. */
  readonly bytes: number;
}

/** A recorded session without its pictures. */
export interface RecordingRecord
  extends Pick<NewRecording, 'id' | 'clientId' | 'at' | 'judgement' | 'bytes'> {
  readonly label: RecordingLabel | null;
  /** Of an attack. */
  readonly species: string | null;
}

/** A piece of the pictures of a session. */
export interface RecordedPart {
  /** 0, 1, 2, … */
  readonly part: number;
  /** Sealed. */
  readonly sealed: Uint8Array;
}

/** Which recordings to erase: those that meet every condition given; none given: all. */
export interface RecordingFilter {
  readonly id?: string | undefined;
  readonly clientId?: string | undefined;
  readonly digest?: Uint8Array | undefined;
}

/**
 * Recorded liveness sessions: pictures in sealed parts, each written and erased in a transaction of its own, because a
 * session has megabytes of them. A recording is listed once it is complete. What is erased is marked first, and is
 * from then on neither listed nor read.
 */
export interface RecordingStore {
  /**
   * Reserves room and writes the judgement.
   * @param maxBytes bytes of all recordings together
   * @returns `gone`: the client does not exist, was unregistered since, or the session is recorded already
   */
  begin(recording: NewRecording, maxBytes: number): Promise<'begun' | 'full' | 'gone'>;
  /** @returns false when the recording was erased meanwhile */
  addPart(id: string, part: number, sealed: Uint8Array): Promise<boolean>;
  complete(id: string): Promise<void>;
  /** In order of id, which is the order of time; `after` is exclusive. */
  list(page: { after: string; limit: number }): Promise<RecordingRecord[]>;
  /** Those of one of the digests, in order of id. */
  listOf(digests: readonly Uint8Array[]): Promise<RecordingRecord[]>;
  /** In order; `after` is exclusive. */
  parts(id: string, page: { after: number; limit: number }): Promise<RecordedPart[]>;
  /** @returns false when there is no such recording */
  label(id: string, label: RecordingLabel, species: string | null): Promise<boolean>;
  /** @returns number of recordings */
  erase(filter: RecordingFilter): Promise<number>;
  /** Erases recordings older than `before`, those that were begun before `unfinished` and not completed, and leftovers. */
  prune(before: Date, unfinished: Date): Promise<void>;
}
