import type { Config } from '../../config/config.ts';
import { type DatabaseTarget, parseDatabaseUrl } from '../../config/database-url.ts';
import { bad, doubtful, type Finding, good } from '../../config/finding.ts';
import { newestSchema } from '../../store/database/schema.ts';
import { inspectPostgres, type PostgresFacts } from '../../store/postgres-store.ts';
import { checkStore } from './contents.ts';

/** A longer round trip slows every call down. */
const maxRoundTripMs = 20;
const maxClockSkewMs = 2000;
/** Timeout of a statement, and of the wait for a connection, milliseconds. */
const inspectMs = 5000;

/**
 * PostgreSQL: rights, durability, connection, clock and what is stored.
 * @throws OperatorError when the database cannot be used, as the start does: address, password, version, a standby
 */
export async function checkPostgres(
  { url, connections }: NonNullable<Config['database']>,
  config: Config,
): Promise<Finding[]> {
  const target = parseDatabaseUrl('WAJAH_DATABASE_URL', url);
  const facts = await inspectPostgres(target, inspectMs);
  return [
    good('postgresql', facts.version),
    rights(facts),
    ...durability(facts),
    connection(facts, target),
    pool(facts, connections),
    clock(facts),
    ...checkStore(facts, config),
  ];
}

function rights({ schema, mayCreate, inaccessibleTables }: PostgresFacts): Finding {
  const what = 'rights';
  if (inaccessibleTables.length > 0) {
    const tables = inaccessibleTables.join(', ');
    return bad(what, `the user may not read and write ${tables}`, 'grant SELECT, INSERT, UPDATE, DELETE');
  }
  if (mayCreate) return good(what, 'may create and write tables');
  if (schema < newestSchema)
    return bad(
      what,
      'the user may not create tables',
      'start this version once as the owner of the database',
    );
  return good(what, 'may write tables; an upgrade needs a user that may create them');
}

/** What is lost where a setting is off. */
const risks: Readonly<Record<string, string>> = {
  fsync: 'a crash of the machine loses the whole database',
  full_page_writes: 'a crash of the machine can damage the database',
  synchronous_commit: 'a crash loses the latest acknowledged writes',
  autovacuum: 'tables grow without limit, and erased rows stay on disk',
};

function durability({ settings }: PostgresFacts): Finding[] {
  const off = Object.entries(risks).filter(([name]) => settings[name] === 'off');
  if (off.length === 0) return [good('durability', `${Object.keys(risks).join(', ')} on`)];
  return off.map(([name, risk]) => bad(name, `off: ${risk}`, `set ${name} = on`));
}

function connection({ encrypted, roundTripMs }: PostgresFacts, { hosts }: DatabaseTarget): Finding {
  const what = 'connection';
  const trip = `${roundTripMs.toFixed(1)} ms round trip`;
  const local = hosts.every(({ host }) => host.startsWith('/') || /^(localhost|127\.|::1$)/.test(host));
  if (!encrypted && !local) {
    return doubtful(what, `${trip}, not encrypted up to the database`, 'add sslmode=verify-full to the URL');
  }
  if (roundTripMs > maxRoundTripMs)
    return doubtful(what, `${trip}: every call waits for several`, 'run the server near the database');
  return good(what, `${trip}, ${encrypted ? 'encrypted' : 'on this machine'}`);
}

/** Connections that PostgreSQL keeps for its superuser and that other programs take. */
const otherConnections = 5;

function pool({ maxConnections }: PostgresFacts, size: number): Finding {
  const what = 'connections';
  const servers = Math.floor((maxConnections - otherConnections) / size);
  if (servers < 1) {
    const most = Math.max(1, maxConnections - otherConnections);
    return bad(
      what,
      `WAJAH_DATABASE_POOL is ${size}, PostgreSQL allows ${maxConnections} (max_connections): calls are answered 503 under load`,
      `lower the pool to at most ${most}, or raise max_connections`,
    );
  }
  const found = `${size} of ${maxConnections} at most: enough for ${servers} servers without a connection pooler`;
  return servers < 2
    ? doubtful(what, found, 'lower WAJAH_DATABASE_POOL before a second server starts')
    : good(what, found);
}

function clock({ clockMs }: PostgresFacts): Finding {
  const what = 'database_clock';
  const found = `${Math.abs(clockMs)} ms ${clockMs < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (Math.abs(clockMs) <= maxClockSkewMs) return good(what, found);
  return doubtful(what, `${found}: tokens expire at the wrong time`, 'synchronise the clocks');
}
