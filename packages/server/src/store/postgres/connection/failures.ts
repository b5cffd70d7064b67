import { DatabaseError } from 'pg';
import { StoreUnavailable } from '../../../errors.ts';

/**
 * What says that the database is away, busy or going away, not that a statement is wrong. Classes and codes are
 * those of PostgreSQL's appendix A.
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

/** Two transactions wait for each other, or one saw what the other changed: rolled back whole, may be tried again. */
const again = new Set(['40001', '40P01']);

const telling = ['detail', 'where', 'hint', 'internalQuery'] as const;

/** Whether the database is away (as opposed to a statement being wrong). */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (code.length === 5 && unavailableStates.some((pattern) => pattern.test(code))) return true;
  if (unavailableCodes.has(code)) return true;
  return error instanceof Error && unavailableMessages.test(error.message);
}

/** Whether the database can be read, perhaps, but takes no writes: its disk is full or fails, or it only reads. */
export function isWriteRefusal(error: unknown): boolean {
  return /^(53100|58030|25006)$/.test(codeOf(error));
}

export function isRetryable(error: unknown): boolean {
  return again.has(codeOf(error));
}

/** An error as it leaves the store: without the values that the database names in its details. */
export function toStoreError(error: unknown): unknown {
  if (!isUnavailable(error)) {
    if (error instanceof DatabaseError) for (const name of telling) delete error[name];
    return error;
  }
  const code = codeOf(error);
  const reason = code === '' ? '' : ` (${code})`;
  return new StoreUnavailable(`${words.get(code) ?? away}${reason}`, { cause: error });
}

const away = 'the database cannot be reached or does not answer in time';

/** Where it can be reached and answers. */
const words: ReadonlyMap<string, string> = new Map([
  ['53100', 'the disk of the database is full'],
  ['58030', 'the disk of the database fails'],
  ['25006', 'the database takes no writes'],
  ['53300', 'the database has too many connections'],
]);

export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
