import { StoreUnavailable } from '../../errors.ts';

/** What says that the file cannot be written now, not that a statement is wrong. Extended codes begin with these. */
const unavailable: readonly (readonly [code: string, message: string])[] = [
  ['SQLITE_FULL', 'the disk of the store is full'],
  ['SQLITE_IOERR', 'the disk of the store fails'],
  ['SQLITE_READONLY', 'the store cannot be written'],
  ['SQLITE_BUSY', 'another program holds the store'],
];

/** An error of the driver as it leaves the store. */
export function toStoreError(error: unknown): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code !== 'string') return error;
  const found = unavailable.find(([prefix]) => code.startsWith(prefix));
  return found ? new StoreUnavailable(found[1], { cause: error }) : error;
}
