import type { AuditStore } from '../store/store.ts';
import { type PeriodicLog, periodically } from './periodically.ts';

const dayMs = 24 * 60 * 60 * 1000;
const everyMs = 6 * 60 * 60 * 1000;

/**
 * Forgets audit records that are older than they are to be kept: now, and while the server runs.
 * @param days 0: none is ever forgotten
 */
export function startAuditRetention(
  audit: Pick<AuditStore, 'prune'>,
  days: number,
  log: PeriodicLog,
): { stop(): Promise<void> } {
  if (days === 0) return { stop: async () => {} };
  const prune = () => audit.prune(new Date(Date.now() - days * dayMs));
  return periodically(prune, everyMs, log, 'old audit records were not removed');
}
