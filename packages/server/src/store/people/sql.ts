import type { SqlExecutor, SqlValue } from '../sql/executor.ts';
import { dayMs, type ExpiringQuery, type PersonStore, type PurposeCount } from './person-store.ts';
import { selectTerms, type TermsRow, toTerms } from './rows.ts';

/** What reads, which is the same in both databases. */
export function sqlPeople(db: SqlExecutor): Omit<PersonStore, 'update' | 'suspend'> {
  return {
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

async function expiring(db: SqlExecutor, { until, clientId, galleryId, limit, after }: ExpiringQuery) {
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
