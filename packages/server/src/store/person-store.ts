import { dayMs } from '../lib/time.ts';
import type { Database, Session, SqlValue } from './database/session.ts';
import { plain } from './rows.ts';

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
   * Suspends a person, or ends the suspension (null). Increments the gallery's version: caches of all servers follow.
   * @returns the gallery's new version; `unchanged` when the person was suspended, or not suspended, before; null when
   *   nobody of this user_id is enrolled
   */
  suspend(gallery: number, userId: string, at: Date | null): Promise<number | 'unchanged' | null>;
  /** Names of the client's galleries in which a user_id is enrolled, in order. */
  galleriesOf(clientId: string, userId: string): Promise<string[]>;
  /** In order of the time at which they are erased. */
  expiring(query: ExpiringQuery): Promise<ExpiringPerson[]>;
  /** Number of people of a gallery without a time of their own, first enrolled at or before a time. @param gallery internal number */
  enrolledBy(gallery: number, at: Date): Promise<number>;
  /** Consents by purpose. @param clientId null: of all clients */
  purposes(clientId: string | null): Promise<PurposeCount[]>;
}

export const noTerms: PersonTerms = { consent: null, expiresAt: null, suspendedAt: null };

/**
 * When a person is erased: at the end of the person's own retention, else of the gallery's, which is counted from the
 * first enrolment; or at the end of the consent, if that is earlier. Null: never. The query of `expiring` says the same.
 * @param retentionDays of the gallery; null: without end
 */
export function expiryOf(
  createdAt: Date,
  retentionDays: number | null,
  { consent, expiresAt }: PersonTerms,
): Date | null {
  const kept =
    expiresAt ?? (retentionDays === null ? null : new Date(createdAt.getTime() + retentionDays * dayMs));
  const until = consent?.until ?? null;
  if (kept === null || until === null) return kept ?? until;
  return until < kept ? until : kept;
}

/** A row of `person_terms`. Times are milliseconds since 1970. */
interface TermsRow {
  readonly user_id: string;
  readonly consent_reference: string | null;
  readonly consent_purpose: string | null;
  readonly consent_given_at: number | null;
  readonly consent_until: number | null;
  readonly expires_at: number | null;
  readonly suspended_at: number | null;
}

const selectTerms = 'SELECT * FROM person_terms WHERE gallery = $1 AND user_id = $2';
const deleteTerms = 'DELETE FROM person_terms WHERE gallery = $1 AND user_id = $2';
/** Internal number of the gallery, user_id, the new user_id. */
export const moveTerms = 'UPDATE person_terms SET user_id = $3 WHERE gallery = $1 AND user_id = $2';
const insertTerms = `INSERT INTO person_terms (gallery, user_id, consent_reference, consent_purpose,
  consent_given_at, consent_until, expires_at, suspended_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Users of a gallery who are not matched. Parameter: its internal number. */
export const suspendedUsers =
  'SELECT user_id FROM person_terms WHERE gallery = $1 AND suspended_at IS NOT NULL';

function toTerms(row: TermsRow | undefined): PersonTerms {
  if (!row) return noTerms;
  return {
    consent: consentOf(row),
    expiresAt: dateOrNull(row.expires_at),
    suspendedAt: dateOrNull(row.suspended_at),
  };
}

function consentOf(row: TermsRow): Consent | null {
  const { consent_reference: reference, consent_purpose: purpose, consent_given_at: givenAt } = row;
  if (reference === null || givenAt === null) return null;
  return { reference, purpose, givenAt: new Date(givenAt), until: dateOrNull(row.consent_until) };
}

/** Values of `insertTerms` after gallery and user_id; null: nothing is left to be recorded. */
function changedTerms(
  row: TermsRow | undefined,
  update: TermsUpdate & { readonly suspendedAt?: Date | null },
) {
  const before = toTerms(row);
  const given = Object.entries(update).filter(([, value]) => value !== undefined);
  const { consent, expiresAt, suspendedAt }: PersonTerms = { ...before, ...Object.fromEntries(given) };
  if (!consent && !expiresAt && !suspendedAt) return null;
  return [
    consent?.reference ?? null,
    consent?.purpose ?? null,
    consent?.givenAt.getTime() ?? null,
    consent?.until?.getTime() ?? null,
    expiresAt?.getTime() ?? null,
    suspendedAt?.getTime() ?? null,
  ] as const;
}

function dateOrNull(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}

export function createPersonStore(db: Database): PersonStore {
  return {
    update: async (gallery, userId, update) => {
      const done = await db.transaction(
        async (session) => {
          if (!(await isEnrolled(session, gallery, userId))) return false;
          await writeTerms(session, gallery, userId, update);
          return true;
        },
        { gallery },
      );
      if (done) db.purge();
      return done;
    },
    suspend: (gallery, userId, at) =>
      db.transaction((session) => suspend(session, gallery, userId, at), { gallery }),
    get: async (gallery, userId) => toTerms(await db.get<TermsRow>(selectTerms, gallery, userId)),
    list: async (gallery, first, last) => {
      const sql = 'SELECT * FROM person_terms WHERE gallery = $1 AND user_id >= $2 AND user_id <= $3';
      const rows = await db.all<TermsRow>(sql, gallery, first, last);
      return new Map(rows.map((row) => [row.user_id, toTerms(row)]));
    },
    galleriesOf: async (clientId, userId) => {
      const sql = `SELECT g.gallery_id FROM galleries g JOIN faces f ON f.gallery = g.id AND f.user_id = $2
        WHERE g.client_id = $1 ORDER BY g.gallery_id`;
      const rows = await db.all<{ gallery_id: string }>(sql, clientId, userId);
      return rows.map((row) => row.gallery_id);
    },
    enrolledBy: async (gallery, at) => {
      const sql = `SELECT count(*) AS people FROM faces f
        LEFT JOIN person_terms t ON t.gallery = f.gallery AND t.user_id = f.user_id
        WHERE f.gallery = $1 AND f.created_at <= $2 AND t.expires_at IS NULL`;
      return (await db.get<{ people: number }>(sql, gallery, at.getTime()))?.people ?? 0;
    },
    expiring: (query) => expiring(db, query),
    purposes: async (clientId) => {
      const sql = `SELECT g.client_id AS "clientId", g.gallery_id AS "galleryId", t.consent_purpose AS purpose,
          count(*) AS people
        FROM person_terms t JOIN galleries g ON g.id = t.gallery
        WHERE g.client_id ${clientId === null ? 'IS NOT NULL' : '= $1'} AND t.consent_reference IS NOT NULL
        GROUP BY g.client_id, g.gallery_id, t.consent_purpose
        ORDER BY g.client_id, g.gallery_id, t.consent_purpose`;
      return db.all<PurposeCount>(sql, ...(clientId === null ? [] : [clientId]));
    },
  };
}

/** End of the person's own retention, else of the gallery's; null: without end. */
const kept = `coalesce(t.expires_at, f.created_at + g.retention_days * ${dayMs})`;
/** As `expiryOf`. */
const expiry = `CASE WHEN t.consent_until IS NOT NULL AND (${kept} IS NULL OR t.consent_until < ${kept})
  THEN t.consent_until ELSE ${kept} END`;

/** People who may expire, by the indexes of the three times; then each is looked at. */
const selectExpiring = `
  WITH candidates AS (
    SELECT gallery, user_id FROM person_terms WHERE expires_at <= $1
    UNION SELECT gallery, user_id FROM person_terms WHERE consent_until <= $1
    UNION SELECT f.gallery, f.user_id FROM galleries g
      JOIN faces f ON f.gallery = g.id AND f.created_at <= CAST($1 AS bigint) - g.retention_days * ${dayMs}
      WHERE g.retention_days IS NOT NULL AND g.client_id IS NOT NULL
  ), people AS (
    SELECT g.client_id, g.gallery_id, f.gallery, f.user_id, f.user_name, ${expiry} AS expires_at
      FROM candidates c JOIN faces f ON f.gallery = c.gallery AND f.user_id = c.user_id
      JOIN galleries g ON g.id = f.gallery AND g.client_id IS NOT NULL
      LEFT JOIN person_terms t ON t.gallery = f.gallery AND t.user_id = f.user_id
  )
  SELECT * FROM people`;

async function expiring(db: Database, { until, clientId, galleryId, limit, after }: ExpiringQuery) {
  const values: SqlValue[] = [until.getTime(), limit];
  const conditions = ['expires_at <= $1'];
  if (clientId !== undefined) conditions.push(`client_id = $${values.push(clientId)}`);
  if (galleryId !== undefined) conditions.push(`gallery_id = $${values.push(galleryId)}`);
  if (after) {
    const places = [after.expiresAt.getTime(), after.gallery, after.userId].map(
      (value) => `$${values.push(value)}`,
    );
    conditions.push(`(expires_at, gallery, user_id) > (${places})`);
  }
  const sql = `${selectExpiring} WHERE ${conditions.join(' AND ')} ORDER BY expires_at, gallery, user_id LIMIT $2`;
  return (await db.all<ExpiringRow>(sql, ...values)).map((row) => ({
    clientId: row.client_id,
    galleryId: row.gallery_id,
    gallery: row.gallery,
    userId: row.user_id,
    userName: row.user_name,
    expiresAt: new Date(row.expires_at),
  }));
}

interface ExpiringRow {
  readonly client_id: string;
  readonly gallery_id: string;
  readonly gallery: number;
  readonly user_id: string;
  readonly user_name: string;
  readonly expires_at: number;
}

async function suspend(session: Session, gallery: number, userId: string, at: Date | null) {
  if (!(await isEnrolled(session, gallery, userId))) return null;
  if ((await isSuspended(session, gallery, userId)) === (at !== null)) return 'unchanged';
  await writeTerms(session, gallery, userId, { suspendedAt: at });
  const sql = 'UPDATE galleries SET version = version + 1 WHERE id = $1 RETURNING version';
  const { version } = (await session.get<{ version: number }>(sql, gallery))!;
  if (at === null) await renewSeq(session, gallery, userId, version);
  return version;
}

/** In the transaction that writes the face. */
export async function writeTerms(
  session: Session,
  gallery: number,
  userId: string,
  update: TermsUpdate & { readonly suspendedAt?: Date | null },
): Promise<void> {
  const before = await session.get<TermsRow>(selectTerms, gallery, userId);
  const after = changedTerms(before, update);
  if (before) await session.run(deleteTerms, gallery, userId);
  if (after) await session.run(insertTerms, gallery, userId, ...after);
}

export async function isSuspended(session: Session, gallery: number, userId: string): Promise<boolean> {
  return toTerms(await session.get<TermsRow>(selectTerms, gallery, userId)).suspendedAt !== null;
}

/** Whether the person was to be erased at a time, in the transaction that erases. */
export async function hasExpired(
  session: Session,
  gallery: number,
  userId: string,
  by: Date,
): Promise<boolean> {
  const sql = `SELECT f.created_at, g.retention_days FROM faces f JOIN galleries g ON g.id = f.gallery
    WHERE f.gallery = $1 AND f.user_id = $2`;
  const face = await session.get<{ created_at: number; retention_days: number | null }>(sql, gallery, userId);
  if (!face) return false;
  const terms = toTerms(await session.get<TermsRow>(selectTerms, gallery, userId));
  const expiry = expiryOf(new Date(face.created_at), face.retention_days, terms);
  return expiry !== null && expiry <= by;
}

async function isEnrolled(session: Session, gallery: number, userId: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM faces WHERE gallery = $1 AND user_id = $2';
  return (await session.get(sql, gallery, userId)) !== undefined;
}

/** A new seq, so that caches of the gallery read the face; also of what a template migration prepared for it. */
async function renewSeq(session: Session, gallery: number, userId: string, seq: number): Promise<void> {
  for (const [table, columns] of [
    ['faces', 'user_name, template, created_at, updated_at'],
    ['next_templates', 'template'],
  ] as const) {
    const all = `gallery, user_id, ${columns}`;
    const of = `FROM ${table} WHERE gallery = $1 AND user_id = $2`;
    const [row] = await session.all<Record<string, SqlValue | ArrayBuffer>>(
      `SELECT ${all} ${of}`,
      gallery,
      userId,
    );
    if (!row) continue;
    // A new row instead of an update; see the schema.
    await session.run(`DELETE ${of}`, gallery, userId);
    const names = all.split(', ');
    const places = names.map((_, i) => `$${i + 2}`);
    const insert = `INSERT INTO ${table} (seq, ${all}) VALUES ($1, ${places})`;
    await session.run(insert, seq, ...names.map((name) => plain(row[name] ?? null)));
  }
}
