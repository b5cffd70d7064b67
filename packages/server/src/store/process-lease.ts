import { randomUUID } from 'node:crypto';
import { OperatorError, StoreUnavailable } from '../errors.ts';
import { type PeriodicLog, periodically } from '../lib/periodic.ts';
import { dayMs } from '../lib/time.ts';
import type { PostgresDatabase } from './database/postgres.ts';
import type { Session } from './database/session.ts';
import { leasePrefix } from './database/tables.ts';

/** Says that a process uses a database, with the master key of its start. */
export interface ProcessLease {
  /** Now instead of at its next time. @throws StoreUnavailable as statements do, when it was lost */
  renew(): Promise<void>;
  /** Why the process must be started again: what it has in memory may not be what is stored. */
  readonly lost: Promise<OperatorError>;
  end(): Promise<void>;
}

/** A lease without renewal ends after this time: that of a process that was killed. Milliseconds. */
const leaseMs = 60_000;
const renewalMs = 15_000;

/** Leases are taken under a shared lock; the master key is replaced, and a store restored, under an exclusive one. */
const lock = "hashtextextended('wajah master key', 0)";

/** SQL of a moment by the clock of the database, with a parameter for milliseconds from now; sorts as text. */
const moment = (ms: string) =>
  `to_char((now() + ${ms} * interval '1 ms') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const keyReplaced = 'the master key was replaced meanwhile; restart this server with the new one';
const memoryOutdated =
  'the database was restored, or a command had it for itself, while this server did not reach it; restart this server';

/**
 * Takes a lease, and renews it until `end`. The store is restored, and its master key replaced, only while there is none: a
 * process must not seal anything under a key that was replaced, nor answer from a memory of what is stored no longer. One
 * whose lease has run out renews it before its next statement, and runs none when that is too late.
 * @param keyCheck digest of the master key, as the store has it
 * @throws OperatorError while a command keeps other processes out, or when the master key was replaced
 */
export async function takeLease(
  db: PostgresDatabase,
  keyCheck: string,
  log: PeriodicLog,
): Promise<ProcessLease> {
  const key = leasePrefix + randomUUID();
  const inTurn = <T>(work: (session: Session) => Promise<T>) => db.transaction(work, { unleased: true });
  let lose: (why: OperatorError) => void = () => {};
  const lost = new Promise<OperatorError>((resolve) => {
    lose = resolve;
  });
  let began = performance.now();
  let stored = await inTurn((session) => take(session, key, keyCheck));
  let reason: string | null = null;
  const renewOnce = async () => {
    if (reason !== null) return;
    const now = performance.now();
    const renewed = await inTurn((session) => renew(session, { key, stored, keyCheck }));
    if ('lost' in renewed) {
      reason = renewed.lost;
      lose(new OperatorError(reason));
    } else [began, stored] = [now, renewed.stored];
  };
  let renewing: Promise<void> | null = null;
  const renewNow = async () => {
    renewing ??= renewOnce().finally(() => {
      renewing = null;
    });
    await renewing;
    if (reason !== null) throw new StoreUnavailable(reason);
  };
  db.requireLease(async () => {
    if (reason !== null || performance.now() >= began + leaseMs) await renewNow();
  });
  const job = periodically(renewNow, renewalMs, log, 'the lease of this process was not renewed');
  return {
    renew: renewNow,
    lost,
    async end() {
      await job.stop();
      db.requireLease(null);
      await db.run('DELETE FROM meta WHERE key = $1', key).catch(() => 0);
    },
  };
}

/**
 * Leases are in the table of values of the installation, which is logged: they are there after a crash, and at a standby
 * that takes over.
 */
async function take(session: Session, key: string, keyCheck: string): Promise<string> {
  if (!(await isKeyOf(session, keyCheck)))
    throw new OperatorError('the master key was replaced by another one just now');
  // Of processes that were killed. One that was only cut off from the database finds its own there for a day.
  await session.run(`DELETE FROM meta WHERE key LIKE '${leasePrefix}%' AND value < ${moment('$1')}`, -dayMs);
  const sql = `INSERT INTO meta VALUES ($1, ${moment('$2')}) RETURNING value`;
  return (await session.get<{ value: string }>(sql, key, leaseMs))!.value;
}

/**
 * Only its process writes a lease. One that is gone, or is of before its last renewal, says that commands had the database
 * for themselves, or that it is of an earlier moment: of a backup, or of a standby that lacked the latest writes.
 */
async function renew(
  session: Session,
  { key, stored, keyCheck }: Readonly<Record<'key' | 'stored' | 'keyCheck', string>>,
): Promise<{ readonly stored: string } | { readonly lost: string }> {
  if (!(await isKeyOf(session, keyCheck))) return { lost: keyReplaced };
  const sql = `UPDATE meta SET value = ${moment('$3')} WHERE key = $1 AND value >= $2 RETURNING value`;
  const renewed = await session.get<{ value: string }>(sql, key, stored, leaseMs);
  return renewed ? { stored: renewed.value } : { lost: memoryOutdated };
}

/** @throws OperatorError while a command keeps other processes out, until the end of the transaction */
async function isKeyOf(session: Session, keyCheck: string): Promise<boolean> {
  const free = await session.get<{ free: boolean }>(
    `SELECT pg_try_advisory_xact_lock_shared(${lock}) AS free`,
  );
  if (!free?.free)
    throw new OperatorError(
      'a command has the database for itself: wait until `wajah keys rotate-master`, `restore` or `migrate-store` has ended',
    );
  const found = await session.get<{ value: string }>("SELECT value FROM meta WHERE key = 'master_key_check'");
  return found?.value === keyCheck;
}

/** Keeps other processes out until the end of the transaction. @throws OperatorError when one has a lease */
export async function requireNoLease(session: Session): Promise<void> {
  await session.run(`SELECT pg_advisory_xact_lock(${lock})`);
  const found = await session.get<{ count: number }>(
    `SELECT count(*) AS count FROM meta WHERE key LIKE '${leasePrefix}%' AND value > ${moment('0')}`,
  );
  const count = found?.count ?? 0;
  if (count === 0) return;
  throw new OperatorError(
    `${count === 1 ? '1 server or command uses' : `${count} servers or commands use`} the database: stop all of them first; one that was killed is forgotten after ${leaseMs / 1000} seconds`,
  );
}

/** For a command that has the database for itself: whose lease has run out must not go on with what it has in memory. */
export async function forgetLeases(session: Session): Promise<void> {
  await session.run(`DELETE FROM meta WHERE key LIKE '${leasePrefix}%'`);
}
