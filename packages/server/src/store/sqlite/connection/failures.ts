import { StoreReadOnly, StoreUnavailable } from '../../../errors.ts';

export const fullCode = 'SQLITE_FULL';

/** Codes of failures of the disk or the file, not of a statement. Extended codes begin with these. */
const unavailable: readonly (readonly [code: string, message: string])[] = [
  [fullCode, 'the disk of the store is full'],
  ['SQLITE_IOERR', 'the disk of the store fails'],
  ['SQLITE_READONLY', 'the store cannot be written'],
  ['SQLITE_BUSY', 'another program holds the store'],
];

/** Maps an error of the driver to the store's own. */
export function toStoreError(error: unknown): unknown {
  const found = unavailability(error);
  if (!found) return error;
  const [code, message] = found;
  const kind = code === fullCode || code === 'SQLITE_READONLY' ? StoreReadOnly : StoreUnavailable;
  return new kind(message, { cause: error });
}

export function isFull(error: unknown): boolean {
  return unavailability(error)?.[0] === fullCode;
}

export function isUnavailable(error: unknown): boolean {
  return unavailability(error) !== undefined;
}

function unavailability(error: unknown) {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? unavailable.find(([prefix]) => code.startsWith(prefix)) : undefined;
}
