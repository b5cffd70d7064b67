import { randomUUID } from 'node:crypto';
import { OperatorError, StoreUnavailable } from '../errors.ts';
import { type PeriodicLog, periodically } from '../lib/periodic.ts';
import type { PostgresDatabase } from './database/postgres.ts';
import type { Session } from './database/session.ts';

/** Says that a process uses a database, with the master key of its start. */
export interface ProcessLease {
  /** Now instead of at its next time. */
  renew(): Promise<void>;
  end(): Promise<void>;
}

/** A lease without renewal ends after this time: that of a process that was killed. Milliseconds. */
const leaseMs = 60_000;
const renewalMs = 15_000;

const prefix = 'process:';
/** Leases are taken under a shared lock; the master key is replaced, and a store restored, under an exclusive one. */
const lock = "hashtextextended('wajah master key', 0)";

/**
 * Takes a lease, and renews it until `end`. The master key is replaced only while there is none: a process must not seal
 * anything under a key that was replaced. One whose lease has run out renews it before its next statement, and runs none
 * when the key was replaced meanwhile.
 * @param keyCheck digest of the master key, as the store has it
 * @throws OperatorError while a command keeps other processes out, or when the master key was replaced
 */
export async function takeLease(
  db: PostgresDatabase,
  keyCheck: string,
  log: PeriodicLog,
): Promise<ProcessLease> {
  const name = prefix + randomUUID();
  let endsAt = 0;
  let replaced = false;
  const renewOnce = async () => {
    const began = performance.now();
    replaced = !(await db.transaction((session) => renew(session, name, keyCheck), { unleased: true }));
    endsAt = began + leaseMs;
  };
  let renewing: Promise<void> | null = null;
  const renewNow = () => {
    renewing ??= renewOnce().finally(() => {
      renewing = null;
    });
    return renewing;
  };
  await renewNow();
  if (replaced) throw new OperatorError('the master key was replaced by another one just now');
  db.requireLease(async () => {
    if (performance.now() >= endsAt) await renewNow();
    if (!replaced) return;
    throw new StoreUnavailable('the master key was replaced meanwhile; restart this server with the new one');
  });
  const job = periodically(renewNow, renewalMs, log, 'the lease of this process was not renewed');
  return {
    renew: renewNow,
    async end() {
      await job.stop();
      db.requireLease(null);
      await db.run('DELETE FROM limits WHERE key = $1', name).catch(() => 0);
    },
  };
}

/** @returns false when the master key is another one */
async function renew(session: Session, name: string, keyCheck: string): Promise<boolean> {
  const free = await session.get<{ free: boolean }>(
    `SELECT pg_try_advisory_xact_lock_shared(${lock}) AS free`,
  );
  if (!free?.free)
    throw new OperatorError(
      'a command has the database for itself: wait until `wajah keys rotate-master`, `restore` or `migrate-store` has ended',
    );
  const stored = await session.get<{ value: string }>(
    "SELECT value FROM meta WHERE key = 'master_key_check'",
  );
  if (stored?.value !== keyCheck) return false;
  await session.run(
    `INSERT INTO limits VALUES ($1, 1, now() + $2 * interval '1 ms')
      ON CONFLICT (key) DO UPDATE SET ends_at = excluded.ends_at`,
    name,
    leaseMs,
  );
  return true;
}

/** Keeps other processes out until the end of the transaction. @throws OperatorError when one has a lease */
export async function requireNoLease(session: Session): Promise<void> {
  await session.run(`SELECT pg_advisory_xact_lock(${lock})`);
  const found = await session.get<{ count: number }>(
    `SELECT count(*) AS count FROM limits WHERE key LIKE '${prefix}%' AND ends_at > now()`,
  );
  const count = found?.count ?? 0;
  if (count === 0) return;
  throw new OperatorError(
    `${count === 1 ? '1 server or command uses' : `${count} servers or commands use`} the database: stop all of them first; one that was killed is forgotten after ${leaseMs / 1000} seconds`,
  );
}
