import type { z } from 'zod';

/** Where a setting stands in the documentation. */
export type SettingGroup =
  | 'Server'
  | 'Database'
  | 'Engine'
  | 'Matching'
  | 'Limits'
  | 'Decisions'
  | 'Liveness sessions'
  | 'Tokens'
  | 'Quotas of a new client';

/** One setting: the single source of how it is read, of its documentation and of what `wajah config` says. */
export interface Setting<T> {
  readonly name: `WAJAH_${string}`;
  readonly group: SettingGroup;
  /** Read like a given value; or a value with the words that stand for it in the documentation. */
  readonly fallback: string | { readonly says: string; readonly value: T };
  /** What is allowed, as it follows "allowed: ". */
  readonly allowed: string;
  readonly about: string;
  /** Never printed; or what of it may be. */
  readonly secret?: true | ((given: string) => string);
  readonly schema: z.ZodType<T, string>;
}

/** Says what a setting's values are by what its schema gives. */
export const define = <T>(setting: Setting<T>): Setting<T> => setting;
