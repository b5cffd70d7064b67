import type { PostgresDatabase, Session } from '../postgres/connection/database.ts';
import { expiryOf, type PersonStore, type TermsUpdate } from './person-store.ts';
import { changedTerms, deleteTerms, insertTerms, selectTerms, type TermsRow, toTerms } from './rows.ts';
import { sqlPeople } from './sql.ts';

export function postgresPeople(db: PostgresDatabase): PersonStore {
  return {
    ...sqlPeople(db),
    update: (gallery, userId, update) =>
      db.transaction(async (session) => {
        await lock(session, gallery);
        if (!(await isEnrolled(session, gallery, userId))) return false;
        await writeTerms(session, gallery, userId, update);
        return true;
      }),
    suspend: (gallery, userId, at) => db.transaction((session) => suspend(session, gallery, userId, at)),
  };
}

async function suspend(session: Session, gallery: number, userId: string, at: Date | null) {
  await lock(session, gallery);
  if (!(await isEnrolled(session, gallery, userId))) return null;
  if ((await isSuspended(session, gallery, userId)) === (at !== null)) return 'unchanged';
  await writeTerms(session, gallery, userId, { suspendedAt: at });
  const sql = 'UPDATE galleries SET version = version + 1 WHERE id = $1 RETURNING version';
  const { version } = (await session.get<{ version: number }>(sql, gallery))!;
  // A new seq, so that caches of the gallery read the face; also of what a template migration prepared for it.
  for (const table of at === null ? ['next_templates', 'faces'] : []) {
    const renew = `UPDATE ${table} SET seq = $3 WHERE gallery = $1 AND user_id = $2`;
    await session.run(renew, gallery, userId, version);
  }
  return version;
}

/** As every write, the gallery first: it orders the writes of all servers. */
async function lock(session: Session, gallery: number): Promise<void> {
  await session.run('SELECT 1 FROM galleries WHERE id = $1 FOR NO KEY UPDATE', gallery);
}

/** In the transaction that writes the face, after the lock of the gallery. */
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
