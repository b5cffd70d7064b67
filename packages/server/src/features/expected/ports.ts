import type { PersonName } from '../../services/faces/ports.ts';
import type { Consent } from '../../store/ports/people.ts';

/** Somebody who is to have a face in a gallery. */
export interface ExpectedPerson {
  readonly userId: string;
  readonly userName: string;
}

/** An enrolment link of an expected person. */
export interface EnrolmentLink {
  readonly userId: string;
  /** Who passes it is enrolled. */
  readonly sessionId: string;
  /** Until when a session must begin. */
  readonly expiresAt: Date;
  /** That the enrolment is given. */
  readonly consent: Consent | null;
}

/** A person of a list, with what is there of them. */
export interface ListedPerson extends ExpectedPerson {
  readonly enrolled: boolean;
  readonly link: {
    readonly expiresAt: Date;
    readonly failed: string | null;
    /** Tries that were judged, and not passed. */
    readonly failedTries: number;
  } | null;
}

/** A link whose session was judged. */
export interface JudgedLink extends EnrolmentLink {
  readonly gallery: number;
  readonly clientId: string;
  readonly galleryId: string;
  readonly userName: string;
}

export interface Counts {
  readonly expected: number;
  /** Without a face. */
  readonly missing: number;
}

/** Lists of expected people of galleries. */
export interface ExpectedStore {
  /**
   * @param add to the list, whose people keep their links, or instead of it: then the links of whoever is not on it end
   * @returns how many people the list would have, where these are more than `most` and nothing is written; null: it is set
   */
  set(gallery: number, people: readonly ExpectedPerson[], add: boolean, most: number): Promise<number | null>;
  counts(gallery: number): Promise<Counts>;
  /** In the order of user_ids. @param after exclusive */
  page(
    gallery: number,
    page: { readonly after: string; readonly limit: number; readonly missing: boolean },
  ): Promise<ListedPerson[]>;
  /** Of these people those who are on the list. */
  find(gallery: number, userIds: readonly string[]): Promise<ListedPerson[]>;
  /**
   * The link of a person who is on the list and has no face, instead of the former one. Where a newer link has ended its
   * session, that one stays.
   * @returns false when there is no such person: the session is ended
   */
  putLink(gallery: number, link: EnrolmentLink): Promise<boolean>;
  /** The link of a session; null: it has none, or none any more. */
  linkOf(sessionId: string): Promise<JudgedLink | null>;
  /** Sessions of links that have passed, and whose face is not enrolled yet and was not refused. */
  passed(): Promise<string[]>;
  /** Ends a link, unless a newer one has replaced it. @param failed why nobody was enrolled; null: somebody was */
  settle(link: JudgedLink, failed: string | null): Promise<void>;
  /** Erases the list of a gallery with its links. @returns how many people it had */
  forget(gallery: number): Promise<number>;
  /** Lists of a client that have a person. */
  listsOf(
    person: PersonName,
  ): Promise<readonly { galleryId: string; userName: string; linkExpiresAt: Date | null }[]>;
  /** @returns from how many lists of the client the person was erased */
  erase(person: PersonName): Promise<number>;
  /** Erases the lists of which nobody is missing. */
  prune(): Promise<void>;
}
