import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Session, SqlValue } from './database/session.ts';
import { tables } from './database/tables.ts';
import type { Table } from './database/types.ts';
import { endLinked } from './ended-sessions.ts';

const tablesOfPeople = tables.filter(({ person }) => person);

/**
 * Erases people of a gallery from all tables, in the transaction in which they go.
 * @param people SQL: user_ids, or a query of them; its parameters begin with $2, $1 is the gallery's internal number
 * @returns number of faces
 */
export async function erasePeople(
  session: Session,
  gallery: number,
  people: string,
  ...values: SqlValue[]
): Promise<number> {
  const names = '(client_id, gallery_id) = (SELECT client_id, gallery_id FROM galleries WHERE id = $1)';
  let faces = 0;
  for (const { name, owner, person } of tablesOfPeople) {
    const of = owner === 'gallery' ? 'gallery = $1' : names;
    for (const column of person ?? []) {
      const sql = `DELETE FROM ${name} WHERE ${of} AND ${column} IN (${people})`;
      const erased = await session.run(sql, gallery, ...values);
      if (name === 'faces') faces = erased;
    }
  }
  return faces;
}

/** Erases what belongs to a face, inside the transaction that replaces it. */
export async function eraseDependents(
  session: Session,
  gallery: number,
  userId: string,
  { keepCrops }: { readonly keepCrops: boolean },
): Promise<void> {
  if (keepCrops) return;
  for (const table of ['face_crops', 'face_pictures'])
    await session.run(`DELETE FROM ${table} WHERE gallery = $1 AND user_id = $2`, gallery, userId);
}

/**
 * Clients who have rows in the audit trail, with the time of their registration; null: they are gone or not registered,
 * and a process ended while it erased them.
 */
export async function* clientsInAudit(
  db: Pick<Session, 'get'>,
): AsyncGenerator<{ readonly clientId: string; readonly since: number | null }> {
  const next = 'SELECT client_id FROM audit WHERE client_id > $1 ORDER BY client_id LIMIT 1';
  const registered = 'SELECT registered_at AS since FROM clients WHERE client_id = $1';
  for (let last = ''; ; ) {
    const clientId = (await db.get<{ client_id: string }>(next, last))?.client_id;
    if (clientId === undefined) return;
    const since = (await db.get<{ since: number | null }>(registered, clientId))?.since ?? null;
    yield { clientId, since };
    last = clientId;
  }
}

function sliceOf({ slice = 500 }: Table, { dialect }: Session): number {
  return (slice * dialect.rowsAtOnce) / 500;
}

/**
 * Erases the rows of a table that fulfil a condition, in several transactions.
 * @returns how many
 */
export async function eraseInSlices(
  db: Database,
  table: string,
  where: string,
  ...values: SqlValue[]
): Promise<number> {
  const found = tables.find(({ name }) => name === table)!;
  const limit = sliceOf(found, db);
  const sql = db.dialect.eraseSome(found, where, `$${values.length + 1}`);
  for (let total = 0; ; await nextTurn()) {
    const erased = await db.erase(sql, ...values, limit);
    total += erased;
    if (erased < limit) return total;
  }
}

/**
 * First step of erasing galleries, in the caller's transaction: detaches them from their client, so that no query finds
 * or counts them, ends the links into them, and erases their keys, so that no template opens, and what names them: it would
 * be of the next gallery of that name.
 *
 * @NOTE PostgreSQL keeps the old version of a row until it is vacuumed, and its log and its backups keep it longer.
 * @param which SQL condition on the galleries
 * @returns how many
 */
export async function detachGalleries(
  session: Session,
  which: string,
  ...values: SqlValue[]
): Promise<number> {
  const { dialect } = session;
  const locked = `SELECT id FROM galleries WHERE ${which} ${dialect.forUpdate}`;
  if ((await session.all(locked, ...values)).length === 0) return 0;
  const of = (columns: string) => `SELECT ${columns} FROM galleries WHERE ${which}`;
  await endLinked(session, `gallery IN (${of('id')})`, ...values);
  for (const { name, owner, person, atOnce } of tables) {
    const rows =
      owner === 'gallery'
        ? `gallery IN (${of('id')})`
        : `(client_id, gallery_id) IN (${of('client_id, gallery_id')})`;
    if (atOnce === 'key') await session.run(dialect.eraseKeys(name, rows), ...values);
    else if (atOnce === 'token') await session.run(revoke(name, rows, values.length), ...values, Date.now());
    else if (atOnce === 'row' || (owner === 'client' && person))
      await session.run(`DELETE FROM ${name} WHERE ${rows}`, ...values);
  }
  return session.run(`UPDATE galleries SET client_id = NULL, gallery_id = '' WHERE ${which}`, ...values);
}

const revoke = (table: string, rows: string, values: number) =>
  `UPDATE ${table} SET revoked_at = $${values + 1} WHERE revoked_at IS NULL AND ${rows}`;

const slicedTables = tables.filter(({ owner, atOnce }) => owner === 'gallery' && !atOnce);

/**
 * Second step: erases the rows of detached galleries in slices, also those that another process left. Skips galleries
 * that another server is erasing.
 */
export async function eraseDetached(db: Database): Promise<void> {
  let any = false;
  while (await db.transaction(eraseSlice, { erases: true })) {
    any = true;
    await nextTurn();
  }
  if (any) db.purge();
}

/** @returns false when there was nothing left to erase */
async function eraseSlice(session: Session): Promise<boolean> {
  const next = `SELECT id FROM galleries WHERE client_id IS NULL LIMIT 1 ${session.dialect.skipLocked}`;
  const gallery = await session.get<{ id: number }>(next);
  if (!gallery) return false;
  for (const table of slicedTables) {
    const limit = sliceOf(table, session);
    const erased = await session.run(
      session.dialect.eraseSome(table, 'gallery = $1', '$2'),
      gallery.id,
      limit,
    );
    if (erased === limit) return true;
  }
  // What the embedded store has overwritten.
  await session.run('DELETE FROM gallery_keys WHERE gallery = $1', gallery.id);
  await session.run('DELETE FROM galleries WHERE id = $1', gallery.id);
  return true;
}

const tablesOfClient = tables.filter(({ name, owner }) => owner === 'client' && name !== 'galleries');

/**
 * Erases what a client has, in the transaction that unregisters or removes it. Galleries first and then their client, in
 * the order in which an enrolment locks them.
 */
export async function eraseClient(session: Session, clientId: string): Promise<void> {
  await detachGalleries(session, 'client_id = $1', clientId);
  const lock = `SELECT 1 FROM clients WHERE client_id = $1 ${session.dialect.forUpdate}`;
  await session.get(lock, clientId);
  // A gallery may have been created before the lock; none can be after it.
  await detachGalleries(session, 'client_id = $1', clientId);
  for (const { name } of tablesOfClient.toReversed())
    await session.run(`DELETE FROM ${name} WHERE client_id = $1`, clientId);
}
