import { StoreUnavailable } from '../../../errors.ts';

/** What says that the file cannot be written now, not that a statement is wrong. Extended codes begin with these. */
const unavailable: readonly (readonly [code: string, message: string])[] = [
  ['SQLITE_FULL', 'the disk of the store is full'],
  ['SQLITE_IOERR', 'the disk of the store fails'],
  ['SQLITE_READONLY', 'the store cannot be written'],
  ['SQLITE_BUSY', 'another program holds the store'],
];

/** An error of the driver as it leaves the store. */
export function toStoreError(error: unknown): unknown {
  const found = unavailability(error);
  return found ? new StoreUnavailable(found[1], { cause: error }) : error;
}

/** Whether an error of the driver says so. */
export function isUnavailable(error: unknown): boolean {
  return unavailability(error) !== undefined;
}

function unavailability(error: unknown) {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? unavailable.find(([prefix]) => code.startsWith(prefix)) : undefined;
}
