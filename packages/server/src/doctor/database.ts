import type { Config } from '../config/config.ts';
import { type DatabaseTarget, parseDatabaseUrl } from '../config/database-url.ts';
import { keyDigest } from '../security/keys/master-key.ts';
import { inspectPostgres, type PostgresFacts } from '../store/postgres/inspect.ts';
import { lookAtCrops } from './crops.ts';
import { bad, type DoctorFinding, doubtful, good, looking } from './findings.ts';

/** A database that is further away slows every call down. */
const farMs = 20;
const clockToleranceMs = 2000;
const oldest = 140_000;

/** What is to be said about PostgreSQL, and about the standby where there is one. */
export async function lookAtDatabase(
  database: NonNullable<Config['database']>,
  { secretKey, keepFaceCrops }: Pick<Config, 'secretKey' | 'keepFaceCrops'>,
): Promise<DoctorFinding[]> {
  const target = parseDatabaseUrl('WAJAH_DATABASE_URL', database.url);
  const facts = await inspectPostgres(target, database.timeoutMs);
  return [
    ...versions(facts),
    ...rights(facts),
    ...durability(facts),
    connection(facts, target),
    connections(facts, database.connections),
    clock(facts),
    key(facts, secretKey),
    lookAtCrops(keepFaceCrops, facts.crops),
    ...(await looking('standby', () => lookAtStandby(database, facts))),
  ];
}

function versions({
  version,
  versionNumber,
  encoding,
  schema,
  newestSchema,
}: PostgresFacts): DoctorFinding[] {
  const what = 'database schema';
  return [
    versionNumber < oldest
      ? bad('PostgreSQL', `${version}; 14 or newer is needed`)
      : good('PostgreSQL', version),
    ...(encoding === 'UTF8' ? [] : [bad('encoding', `${encoding}; make the database with ENCODING 'UTF8'`)]),
    schema > newestSchema
      ? bad(what, `${schema}, made by a newer version; this one knows up to ${newestSchema}`)
      : good(what, schema < newestSchema ? `${schema}; a start brings it to ${newestSchema}` : `${schema}`),
  ];
}

function rights({ schema, newestSchema, mayCreate, closedTables, standby }: PostgresFacts): DoctorFinding[] {
  const what = 'rights';
  if (standby) return [bad(what, 'the server is a standby and takes no writes; name the primary')];
  if (closedTables.length > 0) {
    return [
      bad(
        what,
        `the user may not read and write ${closedTables.join(', ')}; grant SELECT, INSERT, UPDATE, DELETE`,
      ),
    ];
  }
  if (mayCreate) return [good(what, 'may make and write tables')];
  if (schema < newestSchema)
    return [bad(what, 'the user may not make tables; let its owner start this version once')];
  return [good(what, 'may write tables; an upgrade needs a user that may make them')];
}

function durability({ settings }: PostgresFacts): DoctorFinding[] {
  const risks: Record<string, string> = {
    fsync: 'a crash of the machine loses the whole database',
    full_page_writes: 'a crash of the machine can damage the database',
    synchronous_commit: 'a crash loses what was acknowledged last',
    autovacuum: 'tables grow without end, and what was erased stays on disk',
  };
  const off = Object.entries(risks).filter(([name]) => settings[name] === 'off');
  if (off.length === 0)
    return [good('durability', 'fsync, full_page_writes, synchronous_commit, autovacuum on')];
  return off.map(([name, risk]) => bad(name, `off: ${risk}`));
}

function connection({ encrypted, roundTripMs }: PostgresFacts, { hosts }: DatabaseTarget): DoctorFinding {
  const what = 'connection';
  const trip = `${roundTripMs.toFixed(1)} ms there and back`;
  const local = hosts.every(({ host }) => host.startsWith('/') || /^(localhost|127\.|::1$)/.test(host));
  if (!encrypted && !local) {
    return doubtful(what, `${trip}, not encrypted up to the database; add sslmode=verify-full to the URL`);
  }
  if (roundTripMs > farMs) return doubtful(what, `${trip}: far; every call waits for several`);
  return good(what, `${trip}, ${encrypted ? 'encrypted' : 'on this machine'}`);
}

function connections({ maxConnections }: PostgresFacts, pool: number): DoctorFinding {
  const servers = Math.floor((maxConnections - 5) / pool);
  const found = `${pool} of ${maxConnections} at most: enough for ${servers} servers without a pooler`;
  return servers < 2
    ? doubtful('connections', `${found}; lower WAJAH_DATABASE_POOL`)
    : good('connections', found);
}

function clock({ clockMs }: PostgresFacts): DoctorFinding {
  const found = `${Math.abs(clockMs)} ms ${clockMs < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (Math.abs(clockMs) <= clockToleranceMs) return good('clock of the database', found);
  return doubtful('clock of the database', `${found}; tokens end at the wrong time: synchronise the clocks`);
}

function key({ keyCheck }: PostgresFacts, secretKey: Uint8Array | null): DoctorFinding {
  if (secretKey === null)
    return bad('WAJAH_SECRET_KEY', 'not set; every server of a database needs the same key');
  if (keyCheck === null) return good('WAJAH_SECRET_KEY', 'set; nothing is sealed under it yet');
  if (keyCheck === keyDigest(secretKey))
    return good('WAJAH_SECRET_KEY', 'the key that the data are sealed under');
  return bad('WAJAH_SECRET_KEY', 'not the key that the data are sealed under');
}

async function lookAtStandby(
  { readUrl, timeoutMs }: NonNullable<Config['database']>,
  primary: PostgresFacts,
): Promise<DoctorFinding[]> {
  if (readUrl === null) return [];
  const facts = await inspectPostgres(parseDatabaseUrl('WAJAH_DATABASE_READ_URL', readUrl), timeoutMs);
  if (facts.keyCheck !== primary.keyCheck || facts.schema !== primary.schema) {
    return [bad('standby', 'WAJAH_DATABASE_READ_URL is no copy of the database, or far behind it')];
  }
  if (!facts.standby)
    return [doubtful('standby', 'WAJAH_DATABASE_READ_URL names a server that takes writes itself')];
  return [good('standby', 'follows the database')];
}
