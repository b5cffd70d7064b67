import type { PostgresDatabase, Session } from '../postgres/connection/database.ts';
import type { AuditChain, AuditEntry, AuditStore, ChainLink } from './audit-store.ts';
import { clientsOf, type EndRow, linkAll, recordColumns, rowValues, toEnd } from './rows.ts';
import { eraseAuditOf, sqlAudit } from './sql.ts';

const lockedHead = "SELECT * FROM audit_ends WHERE name = 'head' FOR UPDATE";

export function postgresAudit(db: PostgresDatabase): AuditStore {
  return {
    ...sqlAudit(db, {
      galleryId: "facts::json ->> 'facegallery_id'",
      month: "to_char(to_timestamp(at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM')",
      purge: () => {},
    }),
    append: (entries, chain) => db.transaction((session) => append(session, entries, chain)),
  };
}

/** One server appends at a time: the others wait for the lock of the head. */
async function append(
  session: Session,
  entries: readonly AuditEntry[],
  chain: AuditChain,
): Promise<ChainLink[]> {
  const head = toEnd((await session.get<EndRow>(lockedHead))!);
  const registered = await registrations(session, clientsOf(entries));
  const linked = linkAll(entries, head, chain, registered);
  const types = ['bigint', 'text', 'text', 'text', 'text', 'bigint', 'bytea', 'bytea', 'bytea', 'bytea'];
  const columns = types.map((type, i) => `$${i + 1}::${type}[]`).join(', ');
  const rows = linked.map((one) => rowValues(one).map(asBuffer));
  await session.run(
    `INSERT INTO audit (${recordColumns}) SELECT * FROM unnest(${columns})`,
    ...types.map((_, i) => rows.map((row) => row[i] ?? null)),
  );
  const { number, hash, seal } = chain.sealEnd('head', linked.at(-1)?.link ?? head);
  const move = "UPDATE audit_ends SET number = $1, hash = $2, seal = $3 WHERE name = 'head'";
  await session.run(move, number, hash, seal);
  return linked.map(({ link }) => link);
}

async function registrations(
  session: Session,
  clients: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  if (clients.length === 0) return new Map();
  const sql = 'SELECT client_id, registered_at AS since FROM clients WHERE client_id = ANY($1)';
  const rows = await session.all<{ client_id: string; since: number | null }>(sql, clients);
  return new Map(rows.map(({ client_id, since }) => [client_id, since]));
}

/** In arrays, the driver takes bytes as Buffer only. */
function asBuffer<T extends string | number | Uint8Array | null>(value: T) {
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}

/** Call after the transaction that erased or unregistered the client. */
export async function erasePostgresAuditOf(db: PostgresDatabase, clientId: string): Promise<void> {
  // Waits for records that are being appended and were named before that transaction.
  await db.get(lockedHead);
  await eraseAuditOf(db, clientId);
}
