import type { Scope, webhookTypes } from '@wajah/contract';

/** Limits of a client; −1 is unlimited. */
export interface Quota {
  readonly hits: number;
  readonly faces: number;
  readonly galleries: number;
}

/** An account and its usage. */
export interface ClientRecord {
  readonly clientId: string;
  /** Encoded scrypt hash; null for clients of an external issuer. */
  readonly passwordHash: string | null;
  /** Null until registered. */
  readonly registeredAt: Date | null;
  readonly createdAt: Date;
  /** Access tokens that were issued before are refused. */
  readonly tokensSince: Date;
  /** May read the server's status. */
  readonly operator: boolean;
  readonly quota: Quota;
  readonly used: Quota;
}

/** A quota of which a client has used much. */
export interface QuotaUse {
  readonly clientId: string;
  readonly quota: keyof Quota;
  readonly used: number;
  readonly limit: number;
}

/** Which tokens a new password revokes, and when. */
export interface PasswordChange {
  readonly at: Date;
  /** `access`: those issued for a password · `all`: API tokens too. */
  readonly revoke: 'all' | 'access' | 'none';
  /** Hash of the password that is replaced; absent: any. */
  readonly former?: string;
}

/** Accounts of clients. */
export interface ClientStore {
  /** @returns false when the client exists already */
  create(client: Pick<ClientRecord, 'clientId' | 'passwordHash' | 'quota'>): Promise<boolean>;
  get(clientId: string): Promise<ClientRecord | null>;
  /** In the order of their names, after one (exclusive). @param page default: all */
  list(page?: { readonly after?: string | undefined; readonly limit?: number }): Promise<ClientRecord[]>;
  /** @returns false when there is no such client */
  setQuota(clientId: string, quota: Partial<Quota>): Promise<boolean>;
  setPassword(clientId: string, passwordHash: string, change: PasswordChange): Promise<boolean>;
  /** @returns false when there is no such client */
  setOperator(clientId: string, operator: boolean): Promise<boolean>;
  /** Marks the client registered; idempotent. @returns whether this call did it */
  register(clientId: string, at: Date): Promise<boolean>;
  /** Erases galleries, faces, templates and activity. The account stays, unregistered, with its used hits. */
  unregister(clientId: string): Promise<void>;
  /** Erases the account and everything that belongs to it. @returns false when there is no such client */
  remove(clientId: string): Promise<boolean>;
  /**
   * Counts hits, 1 by default, atomically. The embedded store may lose them in a power failure, and not before.
   * @returns how many remain, and the quota, both infinity without one; null when fewer than `hits` remained, or the
   *   client is not registered: then none is counted
   */
  takeHits(clientId: string, hits?: number): Promise<{ left: number; quota: number } | null>;
  nearQuota(): Promise<QuotaUse[]>;
  /** Takes back one hit, of a call refused as busy. */
  returnHit(clientId: string): Promise<void>;
}

/** What a token of a compatible interface is bound to: it works for this service only. */
export interface TokenBinding {
  readonly service: 'recognition' | 'detection' | 'verification';
  /** Of a recognition service. */
  readonly galleryId: string | null;
}

/** A long-lived API token, stored as a digest. */
export interface ApiTokenRecord {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly digest: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** Null: a token of the service's own interface. */
  readonly binding: TokenBinding | null;
}

/** A token to create. */
export type NewApiToken = Omit<ApiTokenRecord, 'revokedAt' | 'lastUsedAt' | 'binding'> &
  Partial<Pick<ApiTokenRecord, 'binding'>>;

export interface JwtState {
  readonly revoked: boolean;
  /** Creation of the client, and `ClientRecord.tokensSince`, ms since 1970; null: there is no such client. */
  readonly account: { readonly created: number; readonly since: number } | null;
}

/** API tokens, and revoked access tokens. */
export interface TokenStore {
  add(token: NewApiToken): Promise<void>;
  find(digest: string): Promise<ApiTokenRecord | null>;
  list(clientId: string): Promise<ApiTokenRecord[]>;
  /**
   * Revokes an API token by id or digest.
   * @param clientId only if it belongs to this client
   * @returns false when there is none
   */
  revoke(idOrDigest: string, at: Date, clientId?: string): Promise<boolean>;
  /** Stores the time of the last use. */
  recordUse(id: string, at: Date): Promise<void>;
  /** Stores the revocation of a JWT until it expires; deletes expired revocations. */
  revokeJwt(jti: string, expiresAt: Date): Promise<void>;
  /** What a JWT of a client is checked against, in one statement. */
  jwtState(jti: string, clientId: string): Promise<JwtState>;
}

/** A gallery of one client. */
export interface GalleryRecord {
  /** Internal number, never reused. */
  readonly id: number;
  readonly clientId: string;
  readonly galleryId: string;
  /** The gallery's data key, wrapped under the master key; no template opens without it. */
  readonly wrappedKey: Uint8Array;
  /** Embedding spec (JSON) of its templates; null while none is stored. */
  readonly embeddingSpec: string | null;
  /** Grows by one with each change of its faces. */
  readonly version: number;
  readonly faces: number;
  readonly createdAt: Date;
  /** Minimum similarity of a match, 0…1; null: the server's. */
  readonly threshold: number | null;
  /** Calibration curve (JSON) of its similarities; null: the server's. */
  readonly curve: string | null;
  /** Enrolment and verification need a liveness token. */
  readonly requireLiveness: boolean;
  /** Enrolment needs a consent, of the call or stored. */
  readonly requireConsent: boolean;
  /** Days after the first enrolment after which people are erased; null: no end. */
  readonly retentionDays: number | null;
  /** Whether crops of its faces are kept; null: as the server has it by default. */
  readonly keepCrops: boolean | null;
  /** Former embedding spec and time of the last template migration; null: none. */
  readonly migrated: { readonly from: string; readonly at: Date } | null;
  /** Statistics that its scores are normalised by; null: none. */
  readonly cohort: SealedCohort | null;
  readonly cohortMode: CohortMode;
}

/** Settings to change; undefined keeps the value. */
export type GallerySettingsUpdate = Partial<
  Pick<
    GalleryRecord,
    | 'threshold'
    | 'curve'
    | 'requireLiveness'
    | 'cohortMode'
    | 'requireConsent'
    | 'retentionDays'
    | 'keepCrops'
  >
>;

/** Rules that a gallery is created with. */
export type GalleryRules = Partial<
  Pick<GalleryRecord, 'requireLiveness' | 'requireConsent' | 'retentionDays' | 'keepCrops'>
>;

/** Galleries and faces with one embedding spec. */
export interface EmbeddingSpecUse {
  readonly embeddingSpec: string;
  readonly galleries: number;
  readonly faces: number;
}

/** Galleries of clients. */
export interface GalleryStore {
  /** Checks name and quota in one transaction. @param wrapKey gets the new internal number */
  create(
    clientId: string,
    galleryId: string,
    wrapKey: (id: number) => Uint8Array,
    rules?: GalleryRules,
  ): Promise<GalleryRecord | 'exists' | 'quota'>;
  get(clientId: string, galleryId: string): Promise<GalleryRecord | null>;
  list(clientId: string): Promise<GalleryRecord[]>;
  /** @returns false when there is none */
  updateSettings(clientId: string, galleryId: string, update: GallerySettingsUpdate): Promise<boolean>;
  /** Erases the gallery, its faces and its key. @returns false when there is none */
  remove(clientId: string, galleryId: string): Promise<boolean>;
  /** The embedding specs of all galleries. */
  embeddingSpecs(): Promise<EmbeddingSpecUse[]>;
  /** Those of the galleries (internal numbers) that no longer exist. */
  findErased(ids: readonly number[]): Promise<number[]>;
  /**
   * Replaces the statistics of a gallery by newer ones, so that one version has the same on all servers.
   * @param gallery internal number
   * @param cohort null erases them
   * @returns false when the gallery is gone, is not in the mode `auto`, or has statistics of this version
   */
  storeCohort(gallery: number, cohort: SealedCohort | null): Promise<boolean>;
  /** Replaces the wrapped key of a gallery (internal number), with what is sealed under it. */
  replaceKey(gallery: number, wrappedKey: Uint8Array): Promise<void>;
}

/** A person of a gallery, without the template. */
export interface FaceRecord {
  readonly userId: string;
  readonly userName: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A sealed template. */
export interface SealedFace {
  readonly userId: string;
  readonly userName: string;
  readonly template: Uint8Array;
  /** The gallery's version with which the face was written: larger is newer. */
  readonly seq: number;
}

/** Part of a gallery, of one moment. */
export interface GallerySnapshot {
  /** The gallery's version at that moment. */
  readonly version: number;
  readonly faces: SealedFace[];
  /** Number of such faces in the gallery. A cache with more faces than this has missed a removal. */
  readonly total: number;
}

/** Faces by whether their people are suspended. */
export type Whose = 'matched' | 'suspended' | 'everybody';

/** A face to write. */
export interface NewFace {
  readonly userId: string;
  readonly userName: string;
  /** Sealed. */
  readonly template: Uint8Array;
  /** Embedding spec (JSON) of the template. */
  readonly embeddingSpec: string;
  /** Sealed; where face crops are stored. */
  readonly crop?: Uint8Array | undefined;
  /** Further ones, of the other templates that are written with this one. */
  readonly moreCrops?: readonly Uint8Array[];
  /** Keeps the crops and picture ids of the face that is replaced. */
  readonly appended?: boolean;
  /** For the endpoints of the client, in the same transaction. */
  readonly event?: OutboxEvent | undefined;
  /** Only the name is another: written also while the person is suspended. */
  readonly renamed?: boolean;
  /** Consent and retention, written with the face. */
  readonly terms?: TermsUpdate | undefined;
  /** Id of the newest picture, and its position among the templates. */
  readonly picture?: { readonly id: string; readonly place: number } | undefined;
  /** Of a new user; default: now. */
  readonly createdAt?: Date | undefined;
}

/** A change of whole faces: erases a user, writes one with all crops and picture ids, or both. */
export interface Rewrite {
  readonly remove?: string | undefined;
  /** Tells that the user is erased; written with it. */
  readonly event?: OutboxEvent | undefined;
  readonly face?:
    | (NewFace & { readonly crops: readonly Uint8Array[]; readonly pictures: readonly string[] })
    | undefined;
}

/** How a face is erased. */
export interface Erasure {
  /** Only if the person's time has ended by then. */
  readonly expiredBy?: Date | undefined;
  /** Written with it. */
  readonly event?: OutboxEvent | undefined;
}

/** A stored face. */
export type StoredFace = FaceRecord &
  SealedFace &
  Pick<NewFace, 'embeddingSpec'> &
  Pick<PersonTerms, 'suspendedAt'> & {
    /** When consent or retention ends, see `expiryOf`; null: never. */
    readonly endsAt: Date | null;
  };

/** Why a face was not written. */
export type EnrolRefusal = 'exists' | 'suspended' | 'quota' | 'gone' | 'embedding-spec' | 'changed';

/** Sealed templates of the people of galleries. Galleries are given by their internal numbers. */
export interface FaceStore {
  /**
   * Writes a face and increments the gallery's version in one transaction. Requires that the gallery exists and has
   * the same embedding spec (the first face sets it), that the user is new, or `replace` is set and the user is not
   * suspended, and that quota is left.
   * @param version fails with `changed` when the gallery has another version
   * @returns the new seq or the refusal
   */
  put(gallery: number, face: NewFace, replace: boolean, version?: number): Promise<number | EnrolRefusal>;
  /**
   * In one transaction, if the gallery still has this version. A new user gets the terms of the erased one.
   * @returns the gallery's new version, or the refusal
   */
  rewrite(gallery: number, change: Rewrite, version: number): Promise<number | EnrolRefusal>;
  get(gallery: number, userId: string): Promise<StoredFace | null>;
  /**
   * In order of user_id (code points); `after` is exclusive; default limit: none.
   * @param page.matched only those who are not suspended
   * @param page.at only those whose time has not ended then
   */
  list(
    gallery: number,
    page?: {
      after?: string;
      limit?: number;
      matched?: boolean;
      at?: Date;
    },
  ): Promise<FaceRecord[]>;
  /**
   * At most `limit` faces written after version `after`, in order of seq. With fewer than `limit` faces, the snapshot
   * is complete for its version.
   * @param whose default: `matched`
   * @returns null when there is no such gallery
   */
  slice(gallery: number, after: number, limit: number, whose?: Whose): Promise<GallerySnapshot | null>;
  /** @returns the gallery's new version, or false when there is no such user */
  remove(gallery: number, userId: string, how?: Erasure): Promise<number | false>;
}

/** A picture of a person: one of the templates of the face, with an id of its own. */
export interface PictureRecord {
  /** UUID */
  readonly pictureId: string;
  readonly userId: string;
  /** Position among the templates of the person, from 0. */
  readonly place: number;
}

/** Templates of a face that need ids: as many as `ids`. */
export interface UnnamedPictures {
  readonly userId: string;
  /** The gallery's version with which the face was written. */
  readonly seq: number;
  /** For the pictures without an id, by place. */
  readonly ids: readonly string[];
}

/** Crops of faces, sealed. Erased with the face. */
export interface CropStore {
  /** In the order in which they were added. */
  get(gallery: number, userId: string): Promise<Uint8Array[]>;
  /** The one that was added last; null: there is none. */
  newest(gallery: number, userId: string): Promise<Uint8Array | null>;
  /** Users from `first` to `last`, both inclusive, who have crops. */
  owners(gallery: number, first: string, last: string): Promise<ReadonlySet<string>>;
  /** Erases the crops of galleries (internal numbers). @returns how many */
  erase(galleries: readonly number[]): Promise<number>;
  /** Number of crops in all galleries. */
  count(): Promise<number>;
}

/** Ids of the pictures of a gallery (internal number). Erased with the face, and when it is replaced. */
export interface PictureStore {
  /** Gives ids to the pictures that have none, and erases those of pictures that are gone; ignores changed faces. */
  assign(gallery: number, faces: readonly UnnamedPictures[]): Promise<void>;
  get(gallery: number, pictureId: string): Promise<PictureRecord | null>;
  /** @param userId default: of all people */
  count(gallery: number, userId?: string): Promise<number>;
  /** In order of user_id and place. */
  page(
    gallery: number,
    page: { userId?: string | undefined; offset: number; limit: number },
  ): Promise<PictureRecord[]>;
}

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
   * Suspends a person, and erases their hosted sessions that are not judged, or ends the suspension (null). Increments the
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

/** A face without a template for the next embedding spec. */
export interface PendingFace {
  readonly userId: string;
  /** The gallery's version with which the face was written. */
  readonly seq: number;
  /** Of the present embedding spec, sealed. */
  readonly template: Uint8Array;
  /** Sealed, in the order in which they were added; empty where they were not asked for. */
  readonly crops: readonly Uint8Array[];
}

/** A template for the next embedding spec. */
export interface MigratedTemplate {
  readonly userId: string;
  /** Seq of the face it was extracted from. */
  readonly seq: number;
  /** Sealed; null: the face is deleted by the switch. */
  readonly template: Uint8Array | null;
}

/** `done`, the number of faces without a template, or null when no migration to that spec is under way. */
export type MigrationOutcome = 'done' | { readonly pending: number } | null;

/**
 * Template migration: templates for the next embedding spec of a gallery are stored beside the current ones, by
 * `wajah reembed`. When every face has one, the gallery is switched in one transaction, by a server that starts. A
 * gallery has at most one next embedding spec, given as JSON.
 */
export interface TemplateMigrationStore {
  /** Sets the next spec and erases templates for another one. Naming the current spec ends the migration. */
  begin(gallery: number, embeddingSpec: string): Promise<void>;
  /** Number of faces without a template; null when this is not the next spec. */
  countPending(gallery: number, embeddingSpec: string): Promise<number | null>;
  /**
   * At most `limit` pending faces with a seq after `after`, in order of seq; empty when this is not the next spec.
   * @param withCrops default: true
   */
  nextPending(
    gallery: number,
    embeddingSpec: string,
    after: number,
    limit: number,
    withCrops?: boolean,
  ): Promise<PendingFace[]>;
  /**
   * Stores templates. Ignores those whose face was replaced or erased since.
   * @param wrappedKey of the gallery, that they were sealed with: a command may outlive the replacement of the key
   * @returns false when this is not the next spec, or the gallery has another key
   */
  storeTemplates(
    gallery: number,
    embeddingSpec: string,
    templates: readonly MigratedTemplate[],
    wrappedKey: Uint8Array,
  ): Promise<boolean>;
  /** Switches the gallery if no face is pending, all faces at once. */
  switchGallery(gallery: number, embeddingSpec: string, at: Date): Promise<MigrationOutcome>;
}

/** What is sealed under the key of a gallery. */
export type GalleryKind = 'nextTemplate' | 'template' | 'crop' | 'cohort';

/** What is sealed under keys that are derived from the master key. */
export type MasterKind = 'frameShapes' | 'webhookSecret';

export type SealedKind = GalleryKind | MasterKind;

/** A place in the order of the rows of a kind. */
export interface SealedPlace {
  /** user_id of a gallery's faces, number of a gallery with statistics, otherwise the id of the session. */
  readonly name: string;
  /** Number of the crop, of the remembered session; otherwise 0. */
  readonly part: number;
}

/** A sealed value. */
export interface SealedRow extends SealedPlace {
  readonly sealed: Uint8Array;
  /** Client of a webhook; otherwise empty. */
  readonly clientId: string;
}

/** `auto`: the statistics follow the gallery; `frozen`: they stay as they are; `off`: scores are not normalised. */
export type CohortMode = 'auto' | 'frozen' | 'off';

/** Sealed statistics of a gallery's people. */
export interface SealedCohort {
  /** The gallery's version that they are of, or an older one. */
  readonly version: number;
  /** People measured. */
  readonly people: number;
  readonly sealed: Uint8Array;
}

/** Sealed values of all kinds, to seal them under another key. */
export interface SealedStore {
  /**
   * In order; `after` is exclusive.
   * @param gallery internal number; ignored for kinds of no gallery
   */
  next(kind: SealedKind, gallery: number, after: SealedPlace, limit: number): Promise<SealedRow[]>;
  replace(kind: SealedKind, gallery: number, row: SealedPlace, sealed: Uint8Array): Promise<void>;
  /** Erases a face crop of a gallery. */
  eraseCrop(gallery: number, place: SealedPlace): Promise<void>;
  /** Erases the templates and frames of passed sessions: a liveness token is bound to their sealed bytes. */
  eraseSessionTemplates(): Promise<number>;
}

export interface WaitingSession {
  readonly steps?: number | undefined;
  readonly ended?: undefined;
}

export interface EndedSession {
  readonly ended: true;
}

/** A liveness session. */
export interface LivenessSessionRecord {
  readonly id: string;
  readonly clientId: string;
  /** Steps of the challenge, in order. */
  readonly steps: readonly string[];
  readonly nonce: string;
  /** Expected identity; both or neither. */
  readonly galleryId: string | null;
  readonly userId: string | null;
  /** Keyed digest of the end user whom the session is for, 32 bytes; null: of nobody in particular. */
  readonly subject: Uint8Array | null;
  readonly createdAt: Date;
  /** Of the beginning, while it waits; else of the frames. */
  readonly expiresAt: Date;
  /** What it begins with, or that a newer link of its subject has ended it; null: it has begun. */
  readonly waits?: WaitingSession | EndedSession | null;
  /** SHA-256 of the secret of its hosted page; null: it has none. */
  readonly secret?: Uint8Array | null;
  readonly redirectUrl?: string | null;
  /** Whether a frontal frame is kept while the template is. */
  readonly keepFrame?: boolean | null;
  /** Least size of the face, pixels; null: the default. */
  readonly minFace?: number | null;
}

/** A user whom sessions name, or all users of a gallery. */
export interface SessionOwner {
  readonly clientId: string;
  readonly galleryId: string;
  readonly userId?: string;
}

/** A user_id in all galleries of a client. */
export interface SessionPerson {
  readonly clientId: string;
  readonly galleryId?: undefined;
  readonly userId: string;
  /** Digest of the user_id as the subject of sessions: those name the person, too. */
  readonly subject?: Uint8Array;
}

/** A session and what became of it. */
export interface EarlierSession extends LivenessSessionRecord {
  /** When its frames were claimed for evaluation; null: none were submitted. */
  readonly claimedAt: Date | null;
  /** Null until it is judged. */
  readonly passed: boolean | null;
  /** Of a failed session. */
  readonly reasons?: readonly string[] | null;
}

/** The sessions of a client and subject that a decision needs. */
export interface SessionHistory {
  readonly clientId: string;
  /** Null: those without a subject. */
  readonly subject: Uint8Array | null;
  readonly since: Date;
  /** Most sessions. */
  readonly limit: number;
  /** The session that begins; null: another one is opened. */
  readonly begins?: string | undefined;
}

/** What is remembered of the frames of a session that passed. */
export interface FramesRecord {
  /** How many. */
  readonly frames: number;
  /** The sealed shapes of their faces. */
  readonly shapes: Uint8Array;
}

/** Remembered frames of a session. */
export interface RememberedFrames extends FramesRecord {
  /** Grows in the order in which rows become visible, over all clients and servers. */
  readonly id: number;
  readonly sessionId: string;
  readonly sentAt: Date;
}

/** Why the frames of a session are not awaited. */
export type SessionState = 'unknown' | 'expired' | 'judged' | 'waiting' | 'ended';

/** Liveness sessions and their sealed templates. Erased when their client is unregistered. */
export interface SessionStore {
  /** A session whose frames are still awaited, or why they are not. */
  find(clientId: string, id: string, at: Date): Promise<LivenessSessionRecord | SessionState>;
  /** A session in any state; null: the client has none of this id. */
  get(clientId: string, id: string): Promise<EarlierSession | null>;
  /** The session whose page has this secret. @param secret its SHA-256 */
  ofSecret(secret: Uint8Array): Promise<LivenessSessionRecord | null>;
  create(session: LivenessSessionRecord): Promise<void>;
  /**
   * Opens a session that depends on the earlier ones of its subject, one decision after the other for all servers. One
   * that waits, or begins after it has waited, ends the others of its subject.
   * @param decide synchronous; `earlier` are the latest sessions that have begun, the newest first, and `own` is the one
   *   that begins; `create` is stored if given, and `begin` replaces what waits
   * @returns its decision
   */
  open<Decision extends object>(
    history: SessionHistory,
    decide: (
      earlier: readonly EarlierSession[],
      own: EarlierSession | undefined,
    ) => Decision & { readonly create?: LivenessSessionRecord; readonly begin?: LivenessSessionRecord },
  ): Promise<Decision>;
  /** Claims a session for evaluation, atomically for all servers. */
  claim(clientId: string, id: string, at: Date): Promise<LivenessSessionRecord | SessionState>;
  /** Erases the sessions that name a user. @returns how many */
  eraseOf(owner: SessionOwner | SessionPerson): Promise<number>;
  /** The sessions that name a user, the oldest first. */
  listOf(owner: SessionPerson): Promise<EarlierSession[]>;
  /** Releases a claimed session, of a call refused as busy. */
  release(clientId: string, id: string): Promise<void>;
  /** Records that a session was judged and not passed. @param event tells it; written with it */
  markFailed(clientId: string, id: string, event?: OutboxEvent, reasons?: readonly string[]): Promise<void>;
  /**
   * Stores the sealed template of a session, and its sealed frame where one is kept, and records that it was passed.
   * @param event tells it; written with it
   */
  storeTemplate(
    clientId: string,
    id: string,
    passed: { template: Uint8Array; frame?: Uint8Array | null; until: Date },
    event?: OutboxEvent,
  ): Promise<void>;
  /** Erases templates expired at `now`, sessions expired before `before.sessions` and frames before `before.frames`. */
  prune(now: Date, before: { readonly sessions: Date; readonly frames: Date }): Promise<void>;
  /** The template of a passed session and its frame, while they are neither consumed nor expired. */
  passedParts(
    clientId: string,
    id: string,
    at: Date,
  ): Promise<{ template: Uint8Array; until: Date; frame: Uint8Array | null } | null>;
  /**
   * Returns the template, and erases it and the frame, atomically.
   * @returns null when the session has none: not passed, consumed, expired, or of another client
   */
  consumeTemplate(clientId: string, id: string, at: Date): Promise<Uint8Array | null>;
}

/** Frames of sessions that passed, of all clients: a row for each session. */
export interface FrameStore {
  /**
   * Records the frames of a session, one session after the other for all servers.
   * @returns its id: sessions that were recorded before have smaller ones
   */
  record(
    session: Pick<LivenessSessionRecord, 'id' | 'clientId' | 'galleryId' | 'userId'>,
    record: FramesRecord,
    sentAt: Date,
  ): Promise<number>;
  /** Those with ids above `after`, in the order of ids. @param limit at most so many */
  list(after: number, limit: number): Promise<RememberedFrames[]>;
  /** Number and sum of the ids up to `last`: what was erased since changes them. */
  extent(last: number): Promise<{ count: number; sum: number }>;
  /** The ids up to `last`. */
  ids(last: number): Promise<number[]>;
  /** Erases the frames of a session. */
  forget(clientId: string, sessionId: string): Promise<void>;
  /** Erases the frames of the sessions that name a user, or any user of a gallery. @returns how many */
  forgetUser(owner: SessionOwner | SessionPerson): Promise<number>;
  /** Number of frames of the sessions that name a user. */
  countOf(owner: SessionPerson): Promise<number>;
}

/** Number of calls with equal properties. No personal data. */
export interface ActivityCount {
  readonly clientId: string;
  /** Beginning of the time step, milliseconds since 1970. */
  readonly start: number;
  /** Length of the time step. */
  readonly seconds: number;
  readonly route: string;
  readonly status: string;
  /** Bin of the latency, see `latencyBin`. */
  readonly latency: number;
  readonly count: number;
}

/** A call that was refused, or whose face was rejected. */
export interface RefusedCall {
  readonly at: Date;
  readonly clientId: string;
  readonly route: string;
  readonly status: string;
  /** Code of the refusal; null: the face was not accepted. */
  readonly error: string | null;
  /** Of its sentence; null: none, or too many to be recorded. */
  readonly params: Readonly<Record<string, unknown>> | null;
  /** In English. */
  readonly detail: string | null;
  readonly trxId: string;
  readonly galleryId: string | null;
  readonly userId: string | null;
  readonly similarity: number | null;
  readonly spoofScore: number | null;
  readonly ms: number;
}

/** Which refused calls to list: those that meet every condition. */
export interface RefusedQuery {
  readonly limit: number;
  /** Id, exclusive. */
  readonly before?: number | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  readonly status?: string | undefined;
  readonly route?: string | undefined;
  readonly userId?: string | undefined;
  readonly galleryId?: string | undefined;
  /** Only calls whose status is, or is not, one of these. */
  readonly among?: { readonly statuses: readonly string[]; readonly isOne: boolean } | undefined;
}

/** A stored refused call. */
export interface StoredRefusedCall {
  /** Grows with each record, with gaps. */
  readonly id: number;
  readonly call: RefusedCall;
}

/** Count of one bucket of a series; 0 is the first bucket. */
export interface BucketCount extends Pick<ActivityCount, 'route' | 'status' | 'latency' | 'count'> {
  readonly bucket: number;
}

/** Buckets of a series. */
export interface SeriesRange {
  /** Length of the time steps that are counted. */
  readonly seconds: number;
  /** Milliseconds since 1970; a multiple of the step. */
  readonly from: number;
  /** Length of a bucket, milliseconds; a multiple of the step. */
  readonly bucketMs: number;
  readonly buckets: number;
}

/** Best similarities of probes of a gallery, by kind of comparison. */
export type Comparison = 'verify' | 'identify';

/** Number of probes of a gallery whose best similarity is in a bin. No personal data. */
export interface GalleryScoreCount {
  /** Internal number. */
  readonly gallery: number;
  /** Beginning of the day, UTC, milliseconds since 1970. */
  readonly day: number;
  readonly comparison: Comparison;
  /** 0…`galleryScoreBins` − 1 */
  readonly bin: number;
  readonly count: number;
}

/**
 * Counts of calls by time step, and the latest refused calls. Erased when their client is deleted or unregistered;
 * refused calls also with their gallery or user.
 */
export interface ActivityStore {
  /**
   * Adds to the counts and stores refused calls, of each client the latest `maxRefusedCalls`. Skips clients that do
   * not exist, and calls from before the registration of their client.
   */
  add(counts: readonly ActivityCount[], refused: readonly RefusedCall[]): Promise<void>;
  /** In parts; counts with equal properties may be in several of them. */
  series(clientId: string, range: SeriesRange): AsyncIterable<readonly BucketCount[]>;
  /** Adds to the counts of galleries; skips galleries that do not exist. They are erased with their gallery. */
  addScores(counts: readonly GalleryScoreCount[]): Promise<void>;
  /** Sums over the days from `since` on. @param gallery internal number */
  scoresOf(gallery: number, since: Date): Promise<Pick<GalleryScoreCount, 'bin' | 'comparison' | 'count'>[]>;
  /** Deletes counts before a time, by length of step, and refused calls and counts of galleries before `refused`. */
  prune(
    steps: readonly {
      readonly seconds: number;
      readonly before: Date;
    }[],
    refused: Date,
  ): Promise<void>;
  /** Newest first. */
  refusedCalls(clientId: string, query: RefusedQuery): Promise<StoredRefusedCall[]>;
  /** Erases the refused calls that name a user, in any gallery or none. @returns how many */
  eraseRefusedOf(clientId: string, userId: string): Promise<number>;
}

/** An event, without personal data: no user_id, name, picture or template. */
export interface AuditEntry {
  readonly at: Date;
  readonly event: string;
  readonly clientId: string | null;
  readonly trxId: string | null;
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

/** A place in the chain of records. */
export interface ChainLink {
  /** 1, 2, 3, … without gaps; 0: before the first record. */
  readonly number: number;
  /** SHA-256, 32 bytes; zeros before the first record. */
  readonly hash: Uint8Array;
}

/** A place in the chain with an HMAC-SHA-256, which only a holder of the master key can make. */
export interface SealedLink extends ChainLink {
  readonly seal: Uint8Array;
}

/** What links an entry to the record before it. */
export interface RecordLink extends SealedLink {
  /** 16 random bytes; null: what the digest is of was erased. */
  readonly salt: Uint8Array | null;
  /** SHA-256 of salt, client, trx_id and facts. */
  readonly digest: Uint8Array;
}

/** A stored record. */
export interface AuditRecord extends AuditEntry {
  /** Grows with each record, with gaps. */
  readonly id: number;
  /** Null: it is not of the chain. */
  readonly link: RecordLink | null;
}

/** Makes the links of a chain under a key that the store does not have. */
export interface AuditChain {
  link(entry: AuditEntry, previous: ChainLink): RecordLink;
  /** Seals an end of the chain. */
  sealEnd(end: ChainEnd, link: ChainLink): SealedLink;
  isSealedEnd(end: ChainEnd, link: SealedLink): boolean;
}

/** The head is the last record; the anchor is the last one that was pruned. */
export type ChainEnd = 'head' | 'anchor';

/** Records in no place of the chain: somebody inserted them. */
export interface Strays {
  /** The first number behind the head; null: there is none. It may be larger than any safe integer. */
  readonly behind: string | null;
  /** Records without a link. */
  readonly unlinked: number;
}

/** Which records to list: those that meet every condition. */
export interface AuditQuery {
  readonly limit: number;
  /** Id, exclusive. */
  readonly before?: number | undefined;
  readonly since?: Date | undefined;
  readonly clientId?: string | undefined;
  readonly event?: string | undefined;
}

/** Number of records of one client, month and event. */
export interface EventCount {
  /** Null: of no gallery. */
  readonly galleryId: string | null;
  /** UTC, such as 2026-01. */
  readonly month: string;
  readonly event: string;
  readonly count: number;
}

/** A hash chain of records: each contains the hash of the one before. Servers of one store write one chain. */
export interface AuditStore {
  /**
   * Appends entries in order, in one transaction. Names no client that is not registered, or was not at the time of
   * the entry: an entry that was under way during an erasure must not bring its name back.
   * @param relaxed the embedded store may lose them in a power failure within 50 ms
   */
  append(entries: readonly AuditEntry[], chain: AuditChain, relaxed?: boolean): Promise<ChainLink[]>;
  /** Newest first, also those without a link. */
  list(query: AuditQuery): Promise<AuditRecord[]>;
  /** Records with a link, in order of their number. @param after number, exclusive */
  read(after: number, limit: number): Promise<AuditRecord[]>;
  /** In order of month, gallery and event. */
  counts(query: { readonly clientId: string; readonly from: Date; readonly to: Date }): Promise<EventCount[]>;
  ends(): Promise<Readonly<Record<ChainEnd, SealedLink>> & Strays>;
  /**
   * Deletes records before a time (null: none), and completes interrupted erasures. The chain then begins behind the
   * anchor. @returns number of deleted records
   */
  prune(before: Date | null, chain: AuditChain): Promise<number>;
}

/** What may be delivered. */
export type WebhookType = (typeof webhookTypes)[number];

/** An address that receives the events of a client. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly clientId: string;
  readonly url: string;
  /** Null: all. */
  readonly types: readonly WebhookType[] | null;
  /** Sealed. */
  readonly secret: Uint8Array;
  readonly enabled: boolean;
  /** Why it was disabled; null: it is not. */
  readonly disabledReason: string | null;
  readonly createdAt: Date;
  /** Events that were not kept, because the outbox of the endpoint was full. */
  readonly dropped: number;
}

/** An endpoint that is told events. */
export interface EnabledEndpoint extends WebhookEndpoint {
  /** Whether it has deliveries whose time has come. */
  readonly due: boolean;
}

/** An event for the endpoints of a client. */
export interface OutboxEvent {
  /** The same in each delivery of it. */
  readonly id: string;
  readonly type: WebhookType;
  readonly clientId: string;
  /** Whom it is about: it is erased with that user or gallery. */
  readonly galleryId: string | null;
  readonly userId: string | null;
  readonly at: Date;
  /** JSON. */
  readonly payload: string;
  /** Events that may wait for one endpoint; further ones are dropped and counted. */
  readonly limit: number;
}

/** `dead`: given up after the last attempt. */
export type DeliveryState = 'pending' | 'delivered' | 'dead';

/** An event on its way to one endpoint. */
export interface WebhookDelivery {
  readonly id: number;
  readonly endpoint: string;
  readonly eventId: string;
  readonly type: string;
  readonly payload: string;
  readonly createdAt: Date;
  readonly state: DeliveryState;
  /** Attempts that have failed. */
  readonly attempts: number;
  /** When it is sent next, or its lease ends. */
  readonly nextAt: Date;
  readonly error: string | null;
}

/** What is changed of an endpoint; undefined: it stays. */
export interface EndpointChange {
  readonly url?: string | undefined;
  readonly types?: readonly WebhookType[] | undefined;
}

/** Deliveries by state, and when the oldest event that waits was written; null: none waits. */
export interface OutboxUse {
  readonly pending: number;
  readonly dead: number;
  readonly oldest: Date | null;
  /** Events that were not kept, by all endpoints that exist. */
  readonly dropped: number;
}

/** Endpoints of webhooks, and the outbox: one row for each event and endpoint, erased with user, gallery and client. */
export interface WebhookStore {
  /** Writes a row for each endpoint of the client that wants the event; all events, or none. */
  append(events: readonly OutboxEvent[]): Promise<void>;
  /** @param most endpoints of a client @returns `gone`: there is no such client */
  add(
    endpoint: Pick<WebhookEndpoint, 'id' | 'clientId' | 'url' | 'types' | 'secret' | 'createdAt'>,
    most: number,
  ): Promise<'added' | 'full' | 'gone'>;
  find(id: string): Promise<WebhookEndpoint | null>;
  /** In order of creation. */
  list(clientId: string): Promise<WebhookEndpoint[]>;
  /** @returns false when there is no such endpoint */
  setSecret(id: string, secret: Uint8Array): Promise<boolean>;
  /** No events are sent until it is updated. */
  disable(id: string, reason: string): Promise<void>;
  update(id: string, change: EndpointChange): Promise<void>;
  /** With its deliveries. */
  remove(id: string): Promise<boolean>;
  /** Enabled endpoints of all clients. */
  enabled(now: Date): Promise<EnabledEndpoint[]>;
  /**
   * Takes the oldest delivery whose time has come. No other server takes it before the lease ends.
   * @returns null when there is none
   */
  lease(endpoint: string, now: Date, until: Date): Promise<WebhookDelivery | null>;
  /**
   * Writes the outcome of an attempt, unless the lease was lost. An erasure that was told is forgotten.
   * @param next null: it is done, delivered without an error and dead with one
   */
  settle(delivery: WebhookDelivery, now: Date, next: Date | null, error: string | null): Promise<void>;
  /** Erases the deliveries about a user_id, of any gallery or none, but those that tell the erasure. @returns how many */
  forget(clientId: string, userId: string): Promise<number>;
  /** Erases deliveries that were done before. */
  prune(before: Date): Promise<void>;
  /** The newest first. */
  deliveries(endpoint: string, state: DeliveryState | null, limit: number): Promise<WebhookDelivery[]>;
  /** The deliveries about a user_id, of any gallery or none, the oldest first. */
  listOf(clientId: string, userId: string): Promise<WebhookDelivery[]>;
  use(): Promise<OutboxUse>;
}

/** Named values of the installation. */
export interface MetaStore {
  get(key: string): Promise<string | null>;
  /** Sets the value if the key has none. @returns the stored value */
  setIfAbsent(key: string, value: string): Promise<string>;
  /** Replaces a value. @returns false when it is not `from` any longer */
  replace(key: string, from: string, to: string): Promise<boolean>;
  /** Sets the value; null deletes it. */
  set(key: string, value: string | null): Promise<void>;
}

/** Counters of rate limits, shared by all servers of a store. A crash of the store may reset them. */
export interface LimitStore {
  /**
   * Increments atomically. A window begins with its first increment.
   * @param limit the count stops at `limit` + 1
   * @returns the new count and the milliseconds until the window ends
   */
  increment(key: string, limit: number, windowMs: number): Promise<{ count: number; waitMs: number }>;
  /** @param by default: resets the counter */
  decrement(key: string, by?: number): Promise<void>;
}

/**
 * Persists accounts, galleries, sealed templates, tokens and the audit trail. Templates are opaque bytes and are not
 * searched here. Writes are durable when their promise resolves. Implementations: SQLite (embedded) and PostgreSQL
 * (several servers).
 */
export interface Store extends TableStores {
  readonly limits: LimitStore;
  info(): Promise<StoreInfo>;
  /** Reads, and after a failed write also writes, a small row; rejects when that fails. */
  ping(): Promise<void>;
  /**
   * Runs `work` on all tables in one transaction, however long it takes, beside which nobody else uses the store.
   * @throws OperatorError when another process uses the database
   */
  alone<T>(work: (tables: TableStores) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface StoreInfo {
  readonly kind: 'sqlite' | 'postgres';
  /** On disk; null: unknown. */
  readonly bytes: number | null;
  readonly migration: number;
  /** Of the pool; null: the store has none. */
  readonly connections: PoolUse | null;
}

/** Connections of a pool. */
export interface PoolUse {
  readonly most: number;
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** What a store keeps in tables, for both databases. */
export interface TableStores {
  readonly clients: ClientStore;
  readonly galleries: GalleryStore;
  readonly faces: FaceStore;
  readonly people: PersonStore;
  readonly crops: CropStore;
  readonly differentPeople: DifferentPeopleStore;
  readonly pictures: PictureStore;
  readonly subjects: SubjectStore;
  readonly templateMigration: TemplateMigrationStore;
  readonly sealed: SealedStore;
  readonly tokens: TokenStore;
  readonly meta: MetaStore;
  readonly audit: AuditStore;
  readonly sessions: SessionStore;
  readonly frames: FrameStore;
  readonly activity: ActivityStore;
  readonly webhooks: WebhookStore;
}
