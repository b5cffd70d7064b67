import { dayMs } from '../lib/time.ts';
import type { Database, Session, SqlValue } from './database/session.ts';
import { nextVersion } from './gallery-store.ts';
import type {
  Consent,
  ExpiringPerson,
  PersonStore,
  PersonTerms,
  PurposeCount,
  TermsUpdate,
} from './ports/people.ts';
import { countOf, orNull, plain, rowMapper, where } from './rows.ts';

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

const consents = rowMapper<Consent>(
  'person_terms',
  { reference: 'text', purpose: 'text', givenAt: 'time', until: 'time' },
  {
    reference: 'consent_reference',
    purpose: 'consent_purpose',
    givenAt: 'consent_given_at',
    until: 'consent_until',
  },
  { givenAt: (at) => at !== null },
);

const terms = rowMapper<PersonTerms>('person_terms', {
  consent: orNull(consents, 'consent_reference'),
  expiresAt: 'time',
  suspendedAt: 'time',
});

function toTerms(row: object | undefined): PersonTerms {
  return row ? terms.read(row) : noTerms;
}

const selectTerms = 'SELECT * FROM person_terms WHERE gallery = $1 AND user_id = $2';
const deleteTerms = 'DELETE FROM person_terms WHERE gallery = $1 AND user_id = $2';
/** Internal number of the gallery, user_id, the new user_id. */
export const moveTerms = 'UPDATE person_terms SET user_id = $3 WHERE gallery = $1 AND user_id = $2';
/** Users of a gallery who are not matched. Parameter: its internal number. */
export const suspendedUsers =
  'SELECT user_id FROM person_terms WHERE gallery = $1 AND suspended_at IS NOT NULL';

const termColumns = ['gallery', 'user_id', ...Object.keys({ ...consents.columns, ...terms.columns })];
const insertTerms = `INSERT INTO person_terms (${termColumns}) VALUES (${termColumns.map((_, i) => `$${i + 1}`)})`;

/** @returns null: nothing is left to be recorded */
function changedTerms(
  before: PersonTerms,
  update: TermsUpdate & { readonly suspendedAt?: Date | null },
): PersonTerms | null {
  const given = Object.entries(update).filter(([, value]) => value !== undefined);
  const after: PersonTerms = { ...before, ...Object.fromEntries(given) };
  return after.consent || after.expiresAt || after.suspendedAt ? after : null;
}

const selectPurposes = (clients: string) =>
  `SELECT g.client_id AS "clientId", g.gallery_id AS "galleryId", t.consent_purpose AS purpose, count(*) AS people
    FROM person_terms t JOIN galleries g ON g.id = t.gallery
    WHERE g.client_id ${clients} AND t.consent_reference IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

export function createPersonStore(db: Database): PersonStore {
  return {
    get: async (gallery, userId) => toTerms(await db.get<object>(selectTerms, gallery, userId)),
    async list(gallery, first, last) {
      const sql = 'SELECT * FROM person_terms WHERE gallery = $1 AND user_id >= $2 AND user_id <= $3';
      const found = await db.all<{ user_id: string }>(sql, gallery, first, last);
      return new Map(found.map((row) => [row.user_id, toTerms(row)]));
    },
    async update(gallery, userId, update) {
      const work = (session: Session) => updateTerms(session, gallery, userId, update);
      const done = await db.transaction(work, { gallery });
      if (done) db.purge();
      return done;
    },
    suspend: (gallery, userId, at) =>
      db.transaction((session) => suspend(session, gallery, userId, at), { gallery }),
    async galleriesOf(clientId, userId) {
      const sql = `SELECT g.gallery_id AS name FROM galleries g JOIN faces f ON f.gallery = g.id AND f.user_id = $2
        WHERE g.client_id = $1 ORDER BY g.gallery_id`;
      return (await db.all<{ name: string }>(sql, clientId, userId)).map(({ name }) => name);
    },
    async expiring({ until, clientId, galleryId, limit, after }) {
      const values: SqlValue[] = [until.getTime(), limit];
      const named = where(values, { 'client_id = ?': clientId, 'gallery_id = ?': galleryId });
      const place = after ? [after.expiresAt.getTime(), after.gallery, after.userId] : [];
      const places = place.map((value) => `$${values.push(value)}`);
      const sql = `${selectExpiring} WHERE expires_at <= $1 AND ${named}
        ${after ? `AND (expires_at, gallery, user_id) > (${places})` : ''}
        ORDER BY expires_at, gallery, user_id LIMIT $2`;
      return expiringPeople.all(db, sql, ...values);
    },
    ended: (gallery, userIds, at) => ended(db, gallery, userIds, at),
    enrolledBy(gallery, at) {
      const sql = `SELECT count(*) AS count FROM faces f
        LEFT JOIN person_terms t ON t.gallery = f.gallery AND t.user_id = f.user_id
        WHERE f.gallery = $1 AND f.created_at <= $2 AND t.expires_at IS NULL`;
      return countOf(db, sql, gallery, at.getTime());
    },
    purposes: (clientId) =>
      clientId === null
        ? db.all<PurposeCount>(selectPurposes('IS NOT NULL'))
        : db.all<PurposeCount>(selectPurposes('= $1'), clientId),
  };
}

/** Those of some users of a gallery whose time has ended at a time. @param gallery internal number */
export async function ended(
  db: Pick<Session, 'all'>,
  gallery: number,
  userIds: readonly string[],
  at: Date,
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const sql = `SELECT f.user_id FROM ${facesWithTerms}
    WHERE f.gallery = $1 AND f.user_id IN (${userIds.map((_, i) => `$${i + 3}`)}) AND ${expiry} <= $2`;
  const found = await db.all<{ user_id: string }>(sql, gallery, at.getTime(), ...userIds);
  return new Set(found.map((row) => row.user_id));
}

/** Numbers that somebody has changed erase nobody, and do not overflow. */
const enrolledAt = 'CASE WHEN f.created_at BETWEEN 0 AND 8640000000000000 THEN f.created_at END';
const retentionOf = (gallery: string) =>
  `(CASE WHEN ${gallery}.retention_days BETWEEN 1 AND 1000000 THEN ${gallery}.retention_days END * ${dayMs})`;
/** End of the person's own retention, else of the gallery's; null: without end. */
const kept = `coalesce(t.expires_at, ${enrolledAt} + ${retentionOf('g')})`;
/** As `expiryOf`, of faces `f`, galleries `g` and terms `t`. */
export const expiry = `CASE WHEN t.consent_until IS NOT NULL AND (${kept} IS NULL OR t.consent_until < ${kept})
  THEN t.consent_until ELSE ${kept} END`;

const facesWithTerms = `faces f JOIN galleries g ON g.id = f.gallery
  LEFT JOIN person_terms t ON t.gallery = f.gallery AND t.user_id = f.user_id`;

/** Users of the gallery $1 whose time has ended, as `selectExpiring` finds them. @param at parameter of the time */
export const endedUsers = (at: `$${number}`) => `SELECT f.user_id FROM ${facesWithTerms}
  WHERE f.gallery = $1 AND ${expiry} <= ${at} AND f.user_id IN (
    SELECT user_id FROM person_terms WHERE gallery = $1 AND (expires_at <= ${at} OR consent_until <= ${at})
    UNION SELECT o.user_id FROM galleries h
      JOIN faces o ON o.gallery = h.id AND o.created_at <= CAST(${at} AS bigint) - ${retentionOf('h')}
      WHERE h.id = $1 AND h.retention_days IS NOT NULL)`;

/** People who may expire, by the indexes of the three times; then each is looked at. */
const selectExpiring = `
  WITH candidates AS (
    SELECT gallery, user_id FROM person_terms WHERE expires_at <= $1
    UNION SELECT gallery, user_id FROM person_terms WHERE consent_until <= $1
    UNION SELECT f.gallery, f.user_id FROM galleries g
      JOIN faces f ON f.gallery = g.id AND f.created_at <= CAST($1 AS bigint) - ${retentionOf('g')}
      WHERE g.retention_days IS NOT NULL AND g.client_id IS NOT NULL
  ), people AS (
    SELECT g.client_id, g.gallery_id, f.gallery, f.user_id, f.user_name, ${expiry} AS expires_at
      FROM candidates c JOIN faces f ON f.gallery = c.gallery AND f.user_id = c.user_id
      JOIN galleries g ON g.id = f.gallery AND g.client_id IS NOT NULL
      LEFT JOIN person_terms t ON t.gallery = f.gallery AND t.user_id = f.user_id
  )
  SELECT * FROM people`;

const expiringPeople = rowMapper<ExpiringPerson>('faces', {
  clientId: 'text',
  galleryId: 'text',
  gallery: 'int',
  userId: 'text',
  userName: 'text',
  expiresAt: 'time',
});

async function updateTerms(session: Session, gallery: number, userId: string, update: TermsUpdate) {
  if (!(await isEnrolled(session, gallery, userId))) return false;
  await writeTerms(session, gallery, userId, update);
  return true;
}

/** Hosted sessions that are not judged, or have tries left: their pages learn no more than after an erasure. */
const eraseLinks = `DELETE FROM liveness_sessions
  WHERE (client_id, gallery_id) = (SELECT client_id, gallery_id FROM galleries WHERE id = $1)
  AND user_id = $2 AND secret IS NOT NULL AND (passed IS NULL OR (passed = 0 AND waits IS NOT NULL))`;

async function suspend(session: Session, gallery: number, userId: string, at: Date | null) {
  if (!(await isEnrolled(session, gallery, userId))) return null;
  if ((await isSuspended(session, gallery, userId)) === (at !== null)) return 'unchanged';
  await writeTerms(session, gallery, userId, { suspendedAt: at });
  const sql = `UPDATE galleries SET version = ${nextVersion} WHERE id = $1 RETURNING version`;
  const { version } = (await session.get<{ version: number }>(sql, gallery))!;
  if (at === null) await renewSeq(session, gallery, userId, version);
  else await session.run(eraseLinks, gallery, userId);
  return version;
}

/** In the transaction that writes the face. */
export async function writeTerms(
  session: Session,
  gallery: number,
  userId: string,
  update: TermsUpdate & { readonly suspendedAt?: Date | null },
): Promise<void> {
  const before = await session.get<object>(selectTerms, gallery, userId);
  const after = changedTerms(toTerms(before), update);
  if (before) await session.run(deleteTerms, gallery, userId);
  if (!after) return;
  const consent = after.consent ? consents.values(after.consent) : [null, null, null, null];
  await session.run(insertTerms, gallery, userId, ...consent, ...terms.values(after));
}

async function isSuspended(session: Session, gallery: number, userId: string): Promise<boolean> {
  return toTerms(await session.get<object>(selectTerms, gallery, userId)).suspendedAt !== null;
}

async function isEnrolled(session: Session, gallery: number, userId: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM faces WHERE gallery = $1 AND user_id = $2';
  return (await session.get(sql, gallery, userId)) !== undefined;
}

/**
 * A new seq, so that caches of the gallery read the face. One whose template `wajah reembed` is yet to replace keeps its
 * own, which says so.
 */
async function renewSeq(session: Session, gallery: number, userId: string, seq: number): Promise<void> {
  const all = 'gallery, user_id, user_name, template, created_at, updated_at';
  const of = `FROM faces WHERE gallery = $1 AND user_id = $2
    AND NOT EXISTS (SELECT 1 FROM galleries WHERE id = gallery AND seq <= former_until)`;
  const [row] = await session.all<Record<string, SqlValue | ArrayBuffer>>(
    `SELECT ${all} ${of}`,
    gallery,
    userId,
  );
  if (!row) return;
  // A new row instead of an update; see the schema.
  await session.run(`DELETE ${of}`, gallery, userId);
  const names = all.split(', ');
  const places = names.map((_, i) => `$${i + 2}`);
  const insert = `INSERT INTO faces (seq, ${all}) VALUES ($1, ${places})`;
  await session.run(insert, seq, ...names.map((name) => plain(row[name] ?? null)));
}
