import type { SqlExecutor } from '../sql/executor.ts';
import type { AuditChain, AuditStore, EventCount } from './audit-store.ts';
import { type AuditRow, type EndRow, toEnd, toRecord } from './rows.ts';

/** Rows changed by one statement: about 5 ms in SQLite. */
const slice = 2000;

/** What differs between the databases. */
export interface AuditDatabase {
  /** SQL expressions of a record's gallery and month. */
  readonly galleryId: string;
  readonly month: string;
  /** Completes an erasure on disk. */
  purge(): void;
}

/** All of `AuditStore` but the appending, which differs between the databases. */
export function sqlAudit(
  db: SqlExecutor,
  { galleryId, month, purge }: AuditDatabase,
): Omit<AuditStore, 'append'> {
  return {
    list: async ({ limit, before, since, clientId, event }) => {
      const given: [condition: string, value: string | number | undefined][] = [
        ['id <', before],
        ['at >=', since?.getTime()],
        ['client_id =', clientId],
        ['event =', event],
      ];
      const used = given.filter((one): one is [string, string | number] => one[1] !== undefined);
      const where = ['true', ...used.map(([condition], i) => `${condition} $${i + 2}`)].join(' AND ');
      const sql = `SELECT * FROM audit WHERE ${where} ORDER BY id DESC LIMIT $1`;
      return (await db.all<AuditRow>(sql, limit, ...used.map(([, value]) => value))).map(toRecord);
    },
    read: async (after, limit) => {
      const sql = 'SELECT * FROM audit WHERE number > $1 ORDER BY number LIMIT $2';
      return (await db.all<AuditRow>(sql, after, limit)).map(toRecord);
    },
    counts: async ({ clientId, from, to }) => {
      const sql = `SELECT gallery_id AS "galleryId", month, event, count(*) AS count
        FROM (SELECT ${galleryId} AS gallery_id, ${month} AS month, event FROM audit
          WHERE client_id = $1 AND at >= $2 AND at < $3) r
        GROUP BY gallery_id, month, event ORDER BY month, gallery_id, event`;
      return db.all<EventCount>(sql, clientId, from.getTime(), to.getTime());
    },
    ends: async () => {
      const [anchor, head] = await db.all<EndRow>('SELECT * FROM audit_ends ORDER BY name');
      if (!anchor || !head) throw new Error('the ends of the audit trail are missing');
      return { head: toEnd(head), anchor: toEnd(anchor), unlinked: await countUnlinked(db) };
    },
    prune: async (before, chain) => {
      if (await eraseFormerClients(db)) purge();
      if (before === null) return 0;
      return (await pruneUnlinked(db, before)) + (await pruneLinked(db, before, chain));
    },
  };
}

async function countUnlinked(db: SqlExecutor): Promise<number> {
  const sql = `SELECT count(*) AS count FROM audit WHERE number IS NULL
    AND id > (SELECT id FROM audit WHERE number IS NOT NULL ORDER BY number LIMIT 1)`;
  return (await db.get<{ count: number }>(sql))?.count ?? 0;
}

/** Records of versions without a chain. */
async function pruneUnlinked(db: SqlExecutor, before: Date): Promise<number> {
  const sql = `DELETE FROM audit WHERE id IN
    (SELECT id FROM audit WHERE number IS NULL AND at < $1 ORDER BY id LIMIT $2)`;
  return inSlices(() => db.erase(sql, before.getTime(), slice));
}

/**
 * The anchor first: an interruption leaves records behind it, which the next call deletes. It never moves back, so that
 * several servers may prune at once.
 */
async function pruneLinked(db: SqlExecutor, before: Date, chain: AuditChain): Promise<number> {
  for (let total = 0; ; ) {
    const sql = 'SELECT * FROM audit WHERE number IS NOT NULL ORDER BY number LIMIT $1';
    const oldest = (await db.all<AuditRow>(sql, slice)).map(toRecord);
    const kept = oldest.findIndex(({ at }) => at >= before);
    const last = oldest[(kept === -1 ? oldest.length : kept) - 1]?.link;
    if (!last) return total;
    const { number, hash, seal } = chain.sealEnd('anchor', last);
    const move = `UPDATE audit_ends SET number = $1, hash = $2, seal = $3 WHERE name = 'anchor' AND number < $1`;
    await db.erase(move, number, hash, seal);
    total += await db.erase('DELETE FROM audit WHERE number <= $1', number);
    if (kept !== -1) return total;
  }
}

/** Erases from a client's records who it was and what was done: time and event remain, and the digest that was hashed. */
export async function eraseAuditOf(db: SqlExecutor, clientId: string): Promise<number> {
  return eraseNames(db, clientId, Number.MAX_SAFE_INTEGER);
}

async function eraseNames(db: SqlExecutor, clientId: string, before: number): Promise<number> {
  const sql = `UPDATE audit SET client_id = NULL, trx_id = NULL, facts = '{}', salt = NULL WHERE id IN
    (SELECT id FROM audit WHERE client_id = $1 AND at < $2 LIMIT $3)`;
  return inSlices(() => db.erase(sql, clientId, before, slice));
}

/** Records of clients that were erased, left by a process that ended during the erasure. @returns whether there were any */
async function eraseFormerClients(db: SqlExecutor): Promise<boolean> {
  const next = 'SELECT client_id FROM audit WHERE client_id > $1 ORDER BY client_id LIMIT 1';
  const registered = 'SELECT registered_at AS since FROM clients WHERE client_id = $1';
  for (let last = '', erased = 0; ; ) {
    const found = (await db.get<{ client_id: string }>(next, last))?.client_id;
    if (found === undefined) return erased > 0;
    const since = (await db.get<{ since: number | null }>(registered, found))?.since;
    erased += await eraseNames(db, found, since ?? Number.MAX_SAFE_INTEGER);
    last = found;
  }
}

/** @returns the sum */
async function inSlices(step: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const changed = await step();
    total += changed;
    if (changed < slice) return total;
  }
}
