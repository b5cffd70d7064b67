import type { Database, SqlValue } from './database/session.ts';
import { eraseInSlices } from './erase.ts';
import { bytesOf } from './rows.ts';

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

/** `state` of a recording. */
const state = { unfinished: 0, complete: 1, erased: 2 } as const;

/** Marks the recordings of a client as erased, in the transaction that erases the client. Parameter: client_id. */
export const markRecordingsOfClient = `UPDATE recorded_sessions SET state = ${state.erased} WHERE client_id = $1`;

export function createRecordingStore(db: Database): RecordingStore {
  return {
    begin: (recording, maxBytes) => begin(db, recording, maxBytes),
    addPart: async (id, part, sealed) => {
      const sql = `INSERT INTO recorded_parts (session, part, sealed)
        SELECT id, $2, $3 FROM recorded_sessions WHERE id = $1 AND state = ${state.unfinished}
        ${db.dialect.forShare}`;
      return (await db.run(sql, id, part, sealed)) === 1;
    },
    complete: async (id) => {
      const sql = `UPDATE recorded_sessions SET state = ${state.complete} WHERE id = $1 AND state = ${state.unfinished}`;
      await db.run(sql, id);
    },
    list: async ({ after, limit }) => {
      const sql = `SELECT * FROM recorded_sessions WHERE state = ${state.complete} AND id > $1 ORDER BY id LIMIT $2`;
      return (await db.all<RecordingRow>(sql, after, limit)).map(toRecording);
    },
    listOf: async (digests) => {
      const places = digests.map((_, i) => `$${i + 1}`);
      const sql = `SELECT * FROM recorded_sessions WHERE state = ${state.complete} AND id IN
        (SELECT session FROM recorded_subjects WHERE digest IN (${places})) ORDER BY id`;
      return (await db.all<RecordingRow>(sql, ...digests)).map(toRecording);
    },
    parts: async (id, { after, limit }) => {
      const sql = `SELECT p.part, p.sealed FROM recorded_parts p JOIN recorded_sessions s ON s.id = p.session
        WHERE p.session = $1 AND p.part > $2 AND s.state = ${state.complete} ORDER BY p.part LIMIT $3`;
      const rows = await db.all<RecordedPart>(sql, id, after, limit);
      return rows.map(({ part, sealed }) => ({ part, sealed: bytesOf(sealed) }));
    },
    label: async (id, label, species) => {
      const sql = `UPDATE recorded_sessions SET label = $2, species = $3 WHERE id = $1 AND state = ${state.complete}`;
      return (await db.run(sql, id, label, species)) === 1;
    },
    erase: async (filter) => {
      const marked = await mark(db, filter);
      if (marked > 0) await eraseMarkedRecordings(db);
      return marked;
    },
    prune: async (before, unfinished) => {
      const sql = `UPDATE recorded_sessions SET state = ${state.erased}
        WHERE recorded_at < $1 OR (state = ${state.unfinished} AND recorded_at < $2)`;
      await db.erase(sql, before.getTime(), unfinished.getTime());
      await eraseMarkedRecordings(db);
    },
  };
}

async function begin(
  db: Database,
  { id, clientId, at, digests, judgement, bytes }: NewRecording,
  maxBytes: number,
) {
  const used = '(SELECT CAST(coalesce(sum(bytes), 0) AS bigint) FROM recorded_sessions)';
  // Conflicts with the lock of an unregistration, and not with the count of a hit.
  const lock = db.dialect.forKeyShare;
  const written = await db.run(
    `INSERT INTO recorded_sessions (id, client_id, recorded_at, state, bytes, judgement)
     SELECT $1, client_id, $3, ${state.unfinished}, $4, $5 FROM clients
     WHERE client_id = $2 AND registered_at <= $3 AND ${used} + $4 <= $6 ${lock} ON CONFLICT DO NOTHING`,
    id,
    clientId,
    at.getTime(),
    bytes,
    judgement,
    maxBytes,
  );
  if (written === 0) {
    const row = await db.get<{ used: number }>(`SELECT ${used} AS used`);
    return (row?.used ?? 0) + bytes > maxBytes ? ('full' as const) : ('gone' as const);
  }
  for (const digest of digests) {
    await db.run('INSERT INTO recorded_subjects VALUES ($1, $2) ON CONFLICT DO NOTHING', digest, id);
  }
  return 'begun' as const;
}

function mark(db: Database, { id, clientId, digest }: RecordingFilter): Promise<number> {
  const values: SqlValue[] = [];
  const conditions = [`state <> ${state.erased}`];
  const add = (condition: (place: string) => string, value: SqlValue | undefined) => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  add((place) => `id = ${place}`, id);
  add((place) => `client_id = ${place}`, clientId);
  add((place) => `id IN (SELECT session FROM recorded_subjects WHERE digest = ${place})`, digest);
  const sql = `UPDATE recorded_sessions SET state = ${state.erased} WHERE ${conditions.join(' AND ')}`;
  return db.erase(sql, ...values);
}

/** Erases what is marked, in slices, also what a process that ended has left. */
export async function eraseMarkedRecordings(db: Database): Promise<void> {
  const next = `SELECT id FROM recorded_sessions WHERE state = ${state.erased} LIMIT 1`;
  for (let any = false; ; any = true) {
    const id = (await db.get<{ id: string }>(next))?.id;
    if (id === undefined) {
      if (any) db.purge();
      return;
    }
    await eraseInSlices(db, 'recorded_parts', 'session = $1', id);
    await db.erase('DELETE FROM recorded_subjects WHERE session = $1', id);
    await db.erase('DELETE FROM recorded_sessions WHERE id = $1', id);
  }
}

interface RecordingRow {
  readonly id: string;
  readonly client_id: string;
  readonly recorded_at: number;
  readonly bytes: number;
  readonly judgement: ArrayBuffer | Uint8Array;
  readonly label: RecordingLabel | null;
  readonly species: string | null;
}

function toRecording(row: RecordingRow): RecordingRecord {
  return {
    id: row.id,
    clientId: row.client_id,
    at: new Date(row.recorded_at),
    bytes: row.bytes,
    judgement: bytesOf(row.judgement),
    label: row.label,
    species: row.species,
  };
}
