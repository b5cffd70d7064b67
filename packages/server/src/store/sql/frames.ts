import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FrameRow, toFramePart } from '../rows.ts';
import type { FrameRecord, FrameStore } from '../session-store.ts';
import type { SqlExecutor, SqlValue } from './executor.ts';
import { eraseRowsOf, ownedBy } from './session-owner.ts';

export const insertFrame = `INSERT INTO liveness_frames
  (client_id, session, gallery_id, user_id, sent_at, digest, hash, detail)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`;

/** Parameters of `insertFrame`. */
export function frameValues(
  { id, clientId, galleryId, userId }: Parameters<FrameStore['record']>[0],
  { digest, hash, detail }: FrameRecord,
  at: Date,
): SqlValue[] {
  return [clientId, id, galleryId, userId, at.getTime(), digest, hash, detail];
}

/** Frames that one statement erases: a row has three kilobytes. */
const erasedAtOnce = 50;

/** Erases the frames that fulfil a condition, in several transactions. */
export async function eraseFrames(db: SqlExecutor, where: string, ...values: SqlValue[]): Promise<void> {
  const some = `DELETE FROM liveness_frames
    WHERE id IN (SELECT id FROM liveness_frames WHERE ${where} LIMIT ${erasedAtOnce})`;
  while ((await db.erase(some, ...values)) === erasedAtOnce) await nextTurn();
}

/** All of `FrameStore` but what takes several statements in one transaction. */
export function sqlFrames(db: SqlExecutor): Omit<FrameStore, 'record'> {
  return {
    forget: (clientId, sessionId) => eraseFrames(db, 'client_id = $1 AND session = $2', clientId, sessionId),
    forgetUser: (owner) => eraseRowsOf(db, 'liveness_frames', owner),
    countOf: async (owner) => {
      const { where, values } = ownedBy(owner, 'liveness_frames');
      const sql = `SELECT count(*) AS count FROM liveness_frames WHERE ${where}`;
      return (await db.get<{ count: number }>(sql, ...values))?.count ?? 0;
    },
    async any(since) {
      const sql = 'SELECT id FROM liveness_frames WHERE sent_at >= $1 LIMIT 1';
      return (await db.get(sql, since.getTime())) !== undefined;
    },
    async hasDigest(digest, since, before) {
      const sql = 'SELECT id FROM liveness_frames WHERE digest = $1 AND sent_at >= $2 AND id < $3 LIMIT 1';
      return (await db.get(sql, digest, since.getTime(), before)) !== undefined;
    },
    async hashes(after, since, limit) {
      const rows = await db.all<FrameRow>(
        `SELECT id, session, hash AS sealed, sent_at FROM liveness_frames
         WHERE id > $1 AND sent_at >= $2 AND hash IS NOT NULL ORDER BY id LIMIT $3`,
        after,
        since.getTime(),
        limit,
      );
      return rows.map(toFramePart);
    },
    async details(ids) {
      const sql =
        'SELECT id, session, detail AS sealed, sent_at FROM liveness_frames WHERE id = $1 AND detail IS NOT NULL';
      const rows = await Promise.all(ids.map((id) => db.get<FrameRow>(sql, id)));
      return rows.flatMap((row) => (row ? toFramePart(row) : []));
    },
    async erased() {
      return (await db.all<{ id: number }>('SELECT id FROM erased_frames')).map(({ id }) => id);
    },
  };
}
