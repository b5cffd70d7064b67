import { allRows, type Database, type Session, type SqlValue } from './database/session.ts';
import { clientsInAudit } from './erase.ts';
import type {
  AuditChain,
  AuditEntry,
  AuditRecord,
  AuditStore,
  ChainEnd,
  ChainLink,
  EventCount,
  RecordLink,
  SealedLink,
  Strays,
} from './ports/audit.ts';
import { orNull, rowMapper, where } from './rows.ts';

/** An entry that names no client, call or gallery. */
function withoutNames({ at, event, facts }: AuditEntry): AuditEntry {
  const { facegallery_id: _, ...rest } = facts;
  return { at, event, clientId: null, trxId: null, facts: rest };
}

/** Whether an entry may name its client. @param registered time of registration; absent or null: not registered */
function mayName({ at, clientId }: AuditEntry, registered: ReadonlyMap<string, number | null>): boolean {
  const since = clientId === null ? null : registered.get(clientId);
  return since !== undefined && since !== null && since <= at.getTime();
}

const entryKinds = { at: 'time', event: 'text', clientId: 'text', trxId: 'text', facts: 'json' } as const;
const linkKinds = { number: 'int', salt: 'bytes', digest: 'bytes', hash: 'bytes', seal: 'bytes' } as const;
const entryRows = rowMapper<AuditEntry>('audit', entryKinds);
const linkRows = rowMapper<RecordLink>('audit', linkKinds);
const columns = { ...entryRows.columns, ...linkRows.columns };
const records = rowMapper<AuditRecord>('audit', {
  ...entryKinds,
  id: 'int',
  link: orNull(linkRows, 'number'),
});
const ends = rowMapper<SealedLink>('audit_ends', { number: 'int', hash: 'bytes', seal: 'bytes' });

/** −1: of a number that cannot be, which no seal is of. */
const endNumber = `CASE WHEN number BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER} THEN number ELSE -1 END`;
const numberOf = (end: ChainEnd) =>
  `coalesce((SELECT ${endNumber} FROM audit_ends WHERE name = '${end}'), 0)`;
/** Records between the ends of the chain. Others were inserted by somebody, whatever they contain. */
const placed = `number > ${numberOf('anchor')} AND number <= ${numberOf('head')}`;
const select = `SELECT id, ${Object.keys(entryRows.columns)}, salt, digest, hash, seal,
  CASE WHEN ${placed} THEN number END AS number FROM audit`;

/** Records that are named of those in no place of the chain. */
const mostStrays = 100;
const selectStrays = `SELECT CAST(id AS text) AS id, CAST(number AS text) AS number FROM audit
  WHERE number IS NULL OR number <= ${numberOf('anchor')} OR number > ${numberOf('head')}
  ORDER BY audit.id LIMIT ${mostStrays}`;

/** An entry and its link, to be written. */
interface LinkedEntry {
  readonly entry: AuditEntry;
  readonly link: RecordLink;
}

/** Links entries behind the head, in order. @param registered times of registration by client */
function linkAll(
  entries: readonly AuditEntry[],
  head: ChainLink,
  chain: AuditChain,
  registered: ReadonlyMap<string, number | null>,
): LinkedEntry[] {
  let previous = head;
  return entries.map((given) => {
    const entry = given.clientId === null || mayName(given, registered) ? given : withoutNames(given);
    const link = chain.link(entry, previous);
    previous = link;
    return { entry, link };
  });
}

/** Of the clients of entries, each once. */
function clientsOf(entries: readonly AuditEntry[]): string[] {
  return [...new Set(entries.flatMap(({ clientId }) => (clientId === null ? [] : [clientId])))];
}

/** Rows changed by one statement: about 5 ms in SQLite. */
const slice = 2000;

export function createAuditStore(db: Database): AuditStore {
  const { jsonText, monthOf } = db.dialect;
  const read = (sql: string, ...values: SqlValue[]) => records.all(db, sql, ...values);
  return {
    append: (entries, chain, relaxed = false) =>
      db.transaction((session) => append(session, entries, chain), { relaxed }),
    list({ limit, before, since, clientId, event }) {
      const values: SqlValue[] = [limit];
      const conditions = {
        'id < ?': before,
        'at >= ?': since,
        'client_id = ?': clientId,
        'event = ?': event,
      };
      return read(`${select} WHERE ${where(values, conditions)} ORDER BY id DESC LIMIT $1`, ...values);
    },
    read: (after, limit) =>
      read(`${select} WHERE number > $1 AND ${placed} ORDER BY audit.number LIMIT $2`, after, limit),
    counts(query) {
      const sql = `SELECT gallery_id AS "galleryId", month, event, count(*) AS count
        FROM (SELECT CASE WHEN facts LIKE '{%}' THEN ${jsonText('facts', 'facegallery_id')} END AS gallery_id, ${monthOf('at')} AS month, event FROM audit
          WHERE client_id = $1 AND at >= $2 AND at < $3) r
        GROUP BY gallery_id, month, event ORDER BY month, gallery_id, event`;
      return db.all<EventCount>(sql, query.clientId, query.from.getTime(), query.to.getTime());
    },
    ends: () => endsOf(db),
    async prune(before, chain) {
      let erased = 0;
      for await (const { clientId, since } of clientsInAudit(db))
        erased += await eraseNames(db, clientId, since ?? Number.MAX_SAFE_INTEGER);
      if (erased > 0) db.purge();
      if (before === null) return 0;
      return pruneLinked(db, before, chain);
    },
  };
}

/** The ends of the chain, and what is in no place of it. An end that is missing is before the first record. */
async function endsOf(db: Database): Promise<Readonly<Record<ChainEnd, SealedLink>> & Strays> {
  const rows = await db.all<{ name: string }>(
    `SELECT name, ${endNumber} AS number, hash, seal FROM audit_ends`,
  );
  const end = (name: ChainEnd) => {
    const row = rows.find((one) => one.name === name);
    return row ? ends.read(row) : start;
  };
  const strays = await db.all<Strays['strays'][number]>(selectStrays);
  return { head: end('head'), anchor: end('anchor'), strays };
}

/** The anchor never moves back, so that several servers may prune at once. */
async function pruneLinked(db: Database, before: Date, chain: AuditChain): Promise<number> {
  for (let total = 0; ; ) {
    const sql = `${select} WHERE ${placed} ORDER BY audit.number LIMIT $1`;
    const oldest = await records.all(db, sql, slice);
    const kept = oldest.findIndex(({ at }) => at >= before);
    const last = oldest[(kept === -1 ? oldest.length : kept) - 1]?.link;
    if (last) total += await pruneUpTo(db, chain.sealEnd('anchor', last), before);
    if (!last || kept !== -1) return total;
  }
}

/** In one transaction: what is left at or below the anchor was inserted, and is kept as long as any record. */
function pruneUpTo(db: Database, { number, hash, seal }: SealedLink, before: Date): Promise<number> {
  const move = `UPDATE audit_ends SET number = $1, hash = $2, seal = $3 WHERE name = 'anchor' AND number < $1`;
  const work = async (session: Session) => {
    await session.run(move, number, hash, seal);
    return session.run('DELETE FROM audit WHERE number <= $1 AND at < $2', number, before.getTime());
  };
  return db.transaction(work, { erases: true });
}

/**
 * Erases from a client's records who it was and what was done: time and event remain, and the digest that was hashed.
 * Call after the transaction that erased or unregistered the client.
 */
export async function eraseAuditOf(db: Database, clientId: string): Promise<number> {
  // Waits for records that are being appended and were named before that transaction.
  await db.get(headOf(db));
  return eraseNames(db, clientId, Number.MAX_SAFE_INTEGER);
}

async function eraseNames(db: Database, clientId: string, before: number): Promise<number> {
  const sql = `UPDATE audit SET client_id = NULL, trx_id = NULL, facts = '{}', salt = NULL WHERE id IN
    (SELECT id FROM audit WHERE client_id = $1 AND at < $2 LIMIT $3)`;
  for (let total = 0; ; ) {
    const erased = await db.erase(sql, clientId, before, slice);
    total += erased;
    if (erased < slice) return total;
  }
}

const insertRecords = `INSERT INTO audit (${Object.keys(columns)}) ${allRows(columns)}`;

const headOf = ({ dialect }: Session) =>
  `SELECT ${endNumber} AS number, hash, seal FROM audit_ends WHERE name = 'head' ${dialect.forUpdate}`;

/** Before the first record. */
const start: SealedLink = { number: 0, hash: new Uint8Array(32), seal: new Uint8Array(0) };

/** In place of the hash of a head that was changed or removed: no record has it, so that a check finds the place. */
const broken = new Uint8Array(32).fill(0xff);

/** A record behind the head was inserted by somebody else: the chain goes on behind it, except for one far away. */
const reach = 1_000_000_000;
const highestBehindHead = `SELECT max(number) AS number FROM audit
  WHERE number > ${numberOf('head')} AND number <= ${numberOf('head')} + ${reach}`;
const highest = `SELECT max(number) AS number FROM audit WHERE number < ${2 ** 52}`;

const moveHead = `INSERT INTO audit_ends (name, number, hash, seal) VALUES ('head', $1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET number = excluded.number, hash = excluded.hash, seal = excluded.seal`;

/**
 * One server appends at a time: the others wait for the lock of the head. Records that somebody inserted, and a head that
 * somebody changed, do not end the trail: it goes on behind them, and a check names them.
 */
async function append(
  session: Session,
  entries: readonly AuditEntry[],
  chain: AuditChain,
): Promise<ChainLink[]> {
  // In this order, the others after the wait for the lock.
  const [end, behind, registered] = await Promise.all([
    session.get<object>(headOf(session)),
    session.get<{ number: number | null }>(highestBehindHead),
    registrations(session, clientsOf(entries)),
  ]);
  const head = end ? ends.read(end) : start;
  const isHead = end !== undefined && (head.number === 0 || chain.isSealedEnd('head', head));
  const previous = isHead
    ? { number: behind?.number ?? head.number, hash: head.hash }
    : { number: (await session.get<{ number: number | null }>(highest))?.number ?? 0, hash: broken };
  const linked = linkAll(entries, previous, chain, registered);
  const values = linked.map(({ entry, link }) => [...entryRows.values(entry), ...linkRows.values(link)]);
  const { number, hash, seal } = chain.sealEnd('head', linked.at(-1)?.link ?? previous);
  await Promise.all([
    session.runAll(insertRecords, columns, values),
    session.run(moveHead, number, hash, seal),
  ]);
  return linked.map(({ link }) => link);
}

async function registrations(
  session: Session,
  clients: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const of = 'SELECT client_id, registered_at AS since FROM clients WHERE client_id';
  const [only] = clients;
  if (only === undefined) return new Map();
  type Row = { client_id: string; since: number | null } | undefined;
  const found =
    clients.length === 1
      ? [await session.get<Row>(`${of} = $1`, only)]
      : await session.all<Row>(`${of} IN (${clients.map((_, i) => `$${i + 1}`)})`, ...clients);
  return new Map(found.flatMap((row) => (row ? [[row.client_id, row.since] as const] : [])));
}
