/** Pairs of users of a gallery (internal number) that are marked as different people. Erased with either of them. */
export interface DifferentPeopleStore {
  /** Does nothing unless both are enrolled; idempotent. */
  mark(gallery: number, users: readonly [string, string]): Promise<void>;
  unmark(gallery: number, users: readonly [string, string]): Promise<void>;
  isMarked(gallery: number, users: readonly [string, string]): Promise<boolean>;
  /** Users who are marked as other people than this one, in order. */
  listOf(gallery: number, userId: string): Promise<string[]>;
}

/** Names of people without a picture, of a gallery (internal number). Erased with the person and the gallery. */
export interface SubjectStore {
  /** @returns false when the name is there already, or the gallery is gone */
  add(gallery: number, userId: string): Promise<boolean>;
  /** In order of code points. */
  list(gallery: number): Promise<string[]>;
  /** @returns false when there is no such name */
  remove(gallery: number, userId: string): Promise<boolean>;
}

/** What a person, or who decides for them, agreed to; the document itself is kept by the client. */
export interface Consent {
  /** Where the client finds the document. */
  readonly reference: string;
  readonly purpose: string | null;
  readonly givenAt: Date;
  /** When it ends; null: it is not limited. */
  readonly until: Date | null;
}

/** Consent, retention and suspension of a person of a gallery. */
export interface PersonTerms {
  readonly consent: Consent | null;
  /** End of the person's own retention; null: that of the gallery. */
  readonly expiresAt: Date | null;
  /** Since when the person is stored and not matched; null: matched. */
  readonly suspendedAt: Date | null;
}

/** What to change: undefined keeps the value, null erases it. A consent is replaced as a whole. */
export interface TermsUpdate {
  readonly consent?: Consent | null | undefined;
  readonly expiresAt?: Date | null | undefined;
}

/** A person whose retention or consent ends. */
export interface ExpiringPerson {
  readonly clientId: string;
  readonly galleryId: string;
  /** Internal number. */
  readonly gallery: number;
  readonly userId: string;
  readonly userName: string;
  readonly expiresAt: Date;
}

/** Which people to list: those that meet every condition. */
export interface ExpiringQuery {
  /** Whose time ends at or before this. */
  readonly until: Date;
  readonly clientId?: string | undefined;
  readonly galleryId?: string | undefined;
  readonly limit: number;
  /** Exclusive; the last one of the page before. */
  readonly after?: Pick<ExpiringPerson, 'expiresAt' | 'gallery' | 'userId'> | undefined;
}

/** Number of people with one purpose in a gallery. */
export interface PurposeCount {
  readonly clientId: string;
  readonly galleryId: string;
  /** Null: a consent without a purpose. */
  readonly purpose: string | null;
  readonly people: number;
}

/** What is recorded of people beside their faces. Erased with the person, the gallery and the client. */
export interface PersonStore {
  /** Of a person without a record all values are null. @param gallery internal number */
  get(gallery: number, userId: string): Promise<PersonTerms>;
  /** Of the users from `first` to `last`, both inclusive, in the order of user_ids; those without a record are missing. */
  list(gallery: number, first: string, last: string): Promise<ReadonlyMap<string, PersonTerms>>;
  /** @returns false when nobody of this user_id is enrolled */
  update(gallery: number, userId: string, update: TermsUpdate): Promise<boolean>;
  /**
   * Suspends a person, and erases their hosted sessions that can still pass, or ends the suspension (null). Increments the
   * gallery's version: caches of all servers follow.
   * @returns the gallery's new version; `unchanged` when the person was suspended, or not suspended, before; null when
   *   nobody of this user_id is enrolled
   */
  suspend(gallery: number, userId: string, at: Date | null): Promise<number | 'unchanged' | null>;
  /** Names of the client's galleries in which a user_id is enrolled, in order. */
  galleriesOf(clientId: string, userId: string): Promise<string[]>;
  /** In order of the time at which they are erased. */
  expiring(query: ExpiringQuery): Promise<ExpiringPerson[]>;
  ended(gallery: number, userIds: readonly string[], at: Date): Promise<ReadonlySet<string>>;
  /** Number of people of a gallery without a time of their own, first enrolled at or before a time. @param gallery internal number */
  enrolledBy(gallery: number, at: Date): Promise<number>;
  /** Consents by purpose. @param clientId null: of all clients */
  purposes(clientId: string | null): Promise<PurposeCount[]>;
}
