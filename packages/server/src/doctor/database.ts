import type { Config } from '../config/config.ts';
import { type DatabaseTarget, parseDatabaseUrl } from '../config/database-url.ts';
import { keyDigest } from '../security/keys/master-key.ts';
import { inspectPostgres, type PostgresFacts } from '../store/postgres-store.ts';
import { checkContents, checkSchema } from './contents.ts';
import { attempt, bad, type DoctorFinding, doubtful, good } from './findings.ts';

/** A longer round trip slows every call down. */
const maxRoundTripMs = 20;
const clockToleranceMs = 2000;
/** PostgreSQL 14, as `server_version_num`. */
const minVersionNumber = 140_000;

/** PostgreSQL: version, rights, durability, connection, clock and key; and the standby, if there is one. */
export async function checkDatabase(
  database: NonNullable<Config['database']>,
  config: Config,
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
    key(facts, config.secretKey),
    ...(facts.contents ? await checkContents(facts.contents, config) : []),
    ...(await attempt('standby', () => checkStandby(database, facts))),
  ];
}

function versions(facts: PostgresFacts): DoctorFinding[] {
  const { version, versionNumber, encoding } = facts;
  return [
    versionNumber < minVersionNumber
      ? bad('PostgreSQL', `${version}; 14 or newer is needed`)
      : good('PostgreSQL', version),
    ...(encoding === 'UTF8'
      ? []
      : [bad('encoding', `${encoding}; create the database with ENCODING 'UTF8'`)]),
    checkSchema(facts),
  ];
}

function rights({
  schema,
  newestSchema,
  mayCreate,
  inaccessibleTables,
  standby,
}: PostgresFacts): DoctorFinding[] {
  const what = 'rights';
  if (standby) return [bad(what, 'the server is a standby and accepts no writes; name the primary')];
  if (inaccessibleTables.length > 0) {
    return [
      bad(
        what,
        `the user may not read and write ${inaccessibleTables.join(', ')}; grant SELECT, INSERT, UPDATE, DELETE`,
      ),
    ];
  }
  if (mayCreate) return [good(what, 'may create and write tables')];
  if (schema < newestSchema)
    return [
      bad(what, 'the user may not create tables; start this version once as the owner of the database'),
    ];
  return [good(what, 'may write tables; an upgrade needs a user that may create them')];
}

function durability({ settings }: PostgresFacts): DoctorFinding[] {
  const risks: Record<string, string> = {
    fsync: 'a crash of the machine loses the whole database',
    full_page_writes: 'a crash of the machine can damage the database',
    synchronous_commit: 'a crash loses the latest acknowledged writes',
    autovacuum: 'tables grow without limit, and erased rows stay on disk',
  };
  const off = Object.entries(risks).filter(([name]) => settings[name] === 'off');
  if (off.length === 0)
    return [good('durability', 'fsync, full_page_writes, synchronous_commit, autovacuum on')];
  return off.map(([name, risk]) => bad(name, `off: ${risk}`));
}

function connection({ encrypted, roundTripMs }: PostgresFacts, { hosts }: DatabaseTarget): DoctorFinding {
  const what = 'connection';
  const trip = `${roundTripMs.toFixed(1)} ms round trip`;
  const local = hosts.every(({ host }) => host.startsWith('/') || /^(localhost|127\.|::1$)/.test(host));
  if (!encrypted && !local) {
    return doubtful(what, `${trip}, not encrypted up to the database; add sslmode=verify-full to the URL`);
  }
  if (roundTripMs > maxRoundTripMs) return doubtful(what, `${trip}: slow; every call waits for several`);
  return good(what, `${trip}, ${encrypted ? 'encrypted' : 'on this machine'}`);
}

/** Connections that PostgreSQL keeps for its superuser and that other programs take. */
const otherConnections = 5;

function connections({ maxConnections }: PostgresFacts, pool: number): DoctorFinding {
  const servers = Math.floor((maxConnections - otherConnections) / pool);
  const found = `${pool} of ${maxConnections} at most: enough for ${servers} servers without a connection pooler`;
  if (servers < 1) {
    return bad(
      'connections',
      `WAJAH_DATABASE_POOL is ${pool}, PostgreSQL allows ${maxConnections} (max_connections): calls are answered 503 under load; lower the pool to at most ${Math.max(1, maxConnections - otherConnections)}, or raise max_connections`,
    );
  }
  return servers < 2
    ? doubtful('connections', `${found}; lower WAJAH_DATABASE_POOL before a second server starts`)
    : good('connections', found);
}

function clock({ clockMs }: PostgresFacts): DoctorFinding {
  const found = `${Math.abs(clockMs)} ms ${clockMs < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (Math.abs(clockMs) <= clockToleranceMs) return good('clock of the database', found);
  return doubtful(
    'clock of the database',
    `${found}; tokens expire at the wrong time: synchronise the clocks`,
  );
}

function key({ contents }: PostgresFacts, secretKey: Uint8Array | null): DoctorFinding {
  if (secretKey === null)
    return bad('WAJAH_SECRET_KEY', 'not set; every server of a database needs the same key');
  const check = contents?.keyCheck ?? null;
  if (check === null) return good('WAJAH_SECRET_KEY', 'set; nothing is sealed under it yet');
  if (check === keyDigest(secretKey))
    return good('WAJAH_SECRET_KEY', 'the key that the data are sealed under');
  return bad(
    'WAJAH_SECRET_KEY',
    'not the key that the data are sealed under; set the key that the other servers have',
  );
}

async function checkStandby(
  { readUrl, timeoutMs }: NonNullable<Config['database']>,
  primary: PostgresFacts,
): Promise<DoctorFinding[]> {
  if (readUrl === null) return [];
  const facts = await inspectPostgres(parseDatabaseUrl('WAJAH_DATABASE_READ_URL', readUrl), timeoutMs);
  if (facts.contents?.keyCheck !== primary.contents?.keyCheck || facts.schema !== primary.schema) {
    return [bad('standby', 'WAJAH_DATABASE_READ_URL is no standby of the database, or lags far behind')];
  }
  if (!facts.standby)
    return [doubtful('standby', 'WAJAH_DATABASE_READ_URL names a server that accepts writes')];
  return [good('standby', 'follows the database')];
}
