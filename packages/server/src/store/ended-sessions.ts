import type { Session, SqlValue } from './database/session.ts';
import { tables } from './database/tables.ts';

/** What an ended session waits for. */
export const ended = '{"ended":true}';

/** Ends those of some sessions that have not passed: nothing begins in them, and nothing is judged. @param which condition */
export async function endSessions(
  session: Session,
  at: Date,
  which: string,
  ...values: SqlValue[]
): Promise<void> {
  const now = `$${values.length + 1}`;
  const sql = `UPDATE liveness_sessions SET waits = '${ended}', expires_at = ${now}
    WHERE ${which} AND coalesce(passed, 0) = 0 AND expires_at > ${now}`;
  await session.run(sql, ...values, at.getTime());
}

/** Whether a newer session of its subject, or whoever has made it, has ended a session. */
export async function isEnded(session: Session, id: string): Promise<boolean> {
  const sql = `SELECT 1 FROM liveness_sessions WHERE id = $1 AND waits = '${ended}'`;
  return (await session.get(sql, id)) !== undefined;
}

const tablesOfLinks = tables.filter(({ link }) => link);

/** Ends the sessions of links, in the transaction after which nothing can come of them. @param which condition on the links */
export async function endLinked(session: Session, which: string, ...values: SqlValue[]): Promise<void> {
  for (const { name, link } of tablesOfLinks) {
    const linked = `id IN (SELECT ${link} FROM ${name} WHERE ${which})`;
    await endSessions(session, new Date(), linked, ...values);
  }
}
