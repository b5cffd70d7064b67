import { allRows, type Database, type Session } from './database/session.ts';
import { bytesOf } from './rows.ts';

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
  /** Null: written by a version without a chain. */
  readonly link: RecordLink | null;
}

/** Makes the links of a chain under a key that the store does not have. */
export interface AuditChain {
  link(entry: AuditEntry, previous: ChainLink): RecordLink;
  /** Seals an end of the chain. */
  sealEnd(end: ChainEnd, link: ChainLink): SealedLink;
}

/** The head is the last record; the anchor is the last one that was pruned. */
export type ChainEnd = 'head' | 'anchor';

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
   * Appends entries in order, in one transaction. Names no client that is not registered, or was not at the time of the
   * entry: an entry that was under way during an erasure must not bring its name back.
   */
  append(entries: readonly AuditEntry[], chain: AuditChain): Promise<ChainLink[]>;
  /** Newest first, also those without a link. */
  list(query: AuditQuery): Promise<AuditRecord[]>;
  /** Records with a link, in order of their number. @param after number, exclusive */
  read(after: number, limit: number): Promise<AuditRecord[]>;
  /** In order of month, gallery and event. */
  counts(query: { readonly clientId: string; readonly from: Date; readonly to: Date }): Promise<EventCount[]>;
  /** The ends of the chain, and how many records without a link are newer than its first record. */
  ends(): Promise<Readonly<Record<ChainEnd, SealedLink>> & { readonly unlinked: number }>;
  /**
   * Deletes records before a time (null: none), and completes interrupted erasures. The chain then begins behind the
   * anchor. @returns number of deleted records
   */
  prune(before: Date | null, chain: AuditChain): Promise<number>;
}

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

type Blob = ArrayBuffer | Uint8Array;

interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly event: string;
  readonly client_id: string | null;
  readonly trx_id: string | null;
  readonly facts: string;
  readonly number: number | null;
  readonly salt: Blob | null;
  readonly digest: Blob | null;
  readonly hash: Blob | null;
  readonly seal: Blob | null;
}

interface EndRow {
  readonly name: string;
  readonly number: number;
  readonly hash: Blob;
  readonly seal: Blob;
}

/** An entry and its link, to be written. */
interface LinkedEntry {
  readonly entry: AuditEntry;
  readonly link: RecordLink;
}

function toRecord(row: AuditRow): AuditRecord {
  return {
    id: row.id,
    at: new Date(row.at),
    event: row.event,
    clientId: row.client_id,
    trxId: row.trx_id,
    facts: JSON.parse(row.facts) as AuditEntry['facts'],
    link: linkOf(row),
  };
}

function linkOf({ number, salt, digest, hash, seal }: AuditRow): RecordLink | null {
  if (number === null || digest === null || hash === null || seal === null) return null;
  return {
    number,
    salt: salt && bytesOf(salt),
    digest: bytesOf(digest),
    hash: bytesOf(hash),
    seal: bytesOf(seal),
  };
}

function toEnd({ number, hash, seal }: EndRow) {
  return { number, hash: bytesOf(hash), seal: bytesOf(seal) };
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

/** The values of a row, in the order of `recordColumns`. */
function rowValues({ entry, link }: LinkedEntry) {
  const { at, event, clientId, trxId, facts } = entry;
  const { number, salt, digest, hash, seal } = link;
  return [
    at.getTime(),
    event,
    clientId,
    trxId,
    JSON.stringify(facts),
    number,
    salt,
    digest,
    hash,
    seal,
  ] as const;
}

const recordColumns = {
  at: 'bigint',
  event: 'text',
  client_id: 'text',
  trx_id: 'text',
  facts: 'text',
  number: 'bigint',
  salt: 'bytea',
  digest: 'bytea',
  hash: 'bytea',
  seal: 'bytea',
} as const;

/** Of the clients of entries, each once. */
function clientsOf(entries: readonly AuditEntry[]): string[] {
  return [...new Set(entries.flatMap(({ clientId }) => (clientId === null ? [] : [clientId])))];
}

/** Rows changed by one statement: about 5 ms in SQLite. */
const slice = 2000;

export function createAuditStore(db: Database): AuditStore {
  const { jsonText, monthOf } = db.dialect;
  return {
    append: (entries, chain) => db.transaction((session) => append(session, entries, chain)),
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
        FROM (SELECT ${jsonText('facts', 'facegallery_id')} AS gallery_id, ${monthOf('at')} AS month, event FROM audit
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
      if (await eraseFormerClients(db)) db.purge();
      if (before === null) return 0;
      return (await pruneUnlinked(db, before)) + (await pruneLinked(db, before, chain));
    },
  };
}

async function countUnlinked(db: Database): Promise<number> {
  const sql = `SELECT count(*) AS count FROM audit WHERE number IS NULL
    AND id > (SELECT id FROM audit WHERE number IS NOT NULL ORDER BY number LIMIT 1)`;
  return (await db.get<{ count: number }>(sql))?.count ?? 0;
}

/** Records of versions without a chain. */
async function pruneUnlinked(db: Database, before: Date): Promise<number> {
  const sql = `DELETE FROM audit WHERE id IN
    (SELECT id FROM audit WHERE number IS NULL AND at < $1 ORDER BY id LIMIT $2)`;
  return inSlices(() => db.erase(sql, before.getTime(), slice));
}

/**
 * The anchor first: an interruption leaves records behind it, which the next call deletes. It never moves back, so that
 * several servers may prune at once.
 */
async function pruneLinked(db: Database, before: Date, chain: AuditChain): Promise<number> {
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
  return inSlices(() => db.erase(sql, clientId, before, slice));
}

/** Records of clients that were erased, left by a process that ended during the erasure. @returns whether there were any */
async function eraseFormerClients(db: Database): Promise<boolean> {
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

const insertRecords = `INSERT INTO audit (${Object.keys(recordColumns)}) ${allRows(recordColumns)}`;

const headOf = ({ dialect }: Session) => `SELECT * FROM audit_ends WHERE name = 'head' ${dialect.forUpdate}`;

/** One server appends at a time: the others wait for the lock of the head. */
async function append(
  session: Session,
  entries: readonly AuditEntry[],
  chain: AuditChain,
): Promise<ChainLink[]> {
  const head = toEnd((await session.get<EndRow>(headOf(session)))!);
  const registered = await registrations(session, clientsOf(entries));
  const linked = linkAll(entries, head, chain, registered);
  await session.runAll(insertRecords, recordColumns, linked.map(rowValues));
  const { number, hash, seal } = chain.sealEnd('head', linked.at(-1)?.link ?? head);
  const move = "UPDATE audit_ends SET number = $1, hash = $2, seal = $3 WHERE name = 'head'";
  await session.run(move, number, hash, seal);
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
  const rows =
    clients.length === 1
      ? [await session.get<Row>(`${of} = $1`, only)]
      : await session.all<Row>(`${of} IN (${clients.map((_, i) => `$${i + 1}`)})`, ...clients);
  return new Map(rows.flatMap((row) => (row ? [[row.client_id, row.since] as const] : [])));
}
