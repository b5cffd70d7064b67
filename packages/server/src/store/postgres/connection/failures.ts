import { DatabaseError } from 'pg';
import { StoreReadOnly, StoreUnavailable } from '../../../errors.ts';

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A) of a database that is unreachable, busy or shutting down, as
 * opposed to a wrong statement.
 */
const unavailableStates = [
  /^08/, // connection exception; also what PgBouncer answers
  /^53/, // insufficient resources: connections, memory, disk
  /^57/, // operator intervention: shutdown, crash, starting up, statement timeout
  /^58/, // system error
  /^28/, // the password was changed
  /^3D/, // no such database (yet)
  /^25006$/, // read-only transaction: the server is a standby now
  /^25P0[34]$/, // transaction waited too long
  /^55P03$/, // lock not available in time
  /^XX000$/, // internal error: a pooler without server, a standby that is being promoted
];

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

const unavailableMessages =
  /connection terminated|timeout exceeded|read timeout|not queryable|connection ended|client was closed|connection is closed|no server of the database takes writes/i;

/** Deadlock and serialization failure: rolled back, may be retried. */
const retryableStates = new Set(['40001', '40P01']);

/** Properties of a database error that may quote values. */
const quotingFields = ['detail', 'where', 'hint', 'internalQuery'] as const;

/** Whether the database is unreachable, as opposed to a wrong statement. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (code.length === 5 && unavailableStates.some((pattern) => pattern.test(code))) return true;
  if (unavailableCodes.has(code)) return true;
  return error instanceof Error && unavailableMessages.test(error.message);
}

/** Whether the database refuses writes: its disk is full or fails, or it is read-only. */
export function isWriteRefusal(error: unknown): boolean {
  return /^(53100|58030|25006)$/.test(codeOf(error));
}

export function isRetryable(error: unknown): boolean {
  return retryableStates.has(codeOf(error));
}

/** Maps an error of the driver to the store's own; removes values that the database quotes in its details. */
export function toStoreError(error: unknown): unknown {
  if (!isUnavailable(error)) {
    if (error instanceof DatabaseError) for (const name of quotingFields) delete error[name];
    return error;
  }
  const code = codeOf(error);
  const reason = code === '' ? '' : ` (${code})`;
  const kind = isWriteRefusal(error) ? StoreReadOnly : StoreUnavailable;
  return new kind(`${reasons.get(code) ?? unreachable}${reason}`, { cause: error });
}

const unreachable = 'the database cannot be reached or does not answer in time';

const reasons: ReadonlyMap<string, string> = new Map([
  ['53100', 'the disk of the database is full'],
  ['58030', 'the disk of the database fails'],
  ['25006', 'the database takes no writes'],
  ['53300', 'the database has too many connections'],
]);

export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
