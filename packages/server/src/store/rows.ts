import type { SqlValue } from './database/session.ts';

/** SQLite's driver returns ArrayBuffer from some calls and Buffer from others. */
export type Blob = ArrayBuffer | Uint8Array;

export function bytesOf(blob: Blob): Uint8Array {
  return blob instanceof Uint8Array ? blob : new Uint8Array(blob);
}

/** A value as it is written. */
export function plain(value: SqlValue | ArrayBuffer): SqlValue {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}

export function dateOf(milliseconds: number): Date {
  return new Date(milliseconds);
}

export function dateOrNull(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
