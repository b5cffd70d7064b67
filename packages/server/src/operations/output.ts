import { unlimited } from '@wajah/contract/values';
import type { Environment } from '../config/config.ts';
import type { Answer } from './operator-calls.ts';

/** What a command prints besides the fields of its answer, or instead of them. */
interface Output {
  /** Columns of a table; by default all fields of a row. */
  readonly columns?: readonly string[];
  /** In place of an empty table; a text as `fill` takes it. */
  readonly empty?: string;
  /** What null means, by field. */
  readonly nulls?: Readonly<Record<string, string>>;
  /** Field that is printed alone, for scripts; it is shown once, and the others are a note. */
  readonly secret?: string;
  /** Printed instead of the fields. */
  readonly text?: (answer: Answer, env: Environment | undefined) => Promise<string>;
  /** Said after it. @param shown the fields that were sent, and those of the answer */
  readonly note?: (shown: Answer, env: Environment | undefined) => string | undefined;
  /** Why a command fails that has printed its answer; null: it does not. */
  readonly failure?: (answer: Answer) => string | null;
}

/** By the names of commands. */
export type Outputs = Readonly<Record<string, Output>>;

/** A value in one line. */
export function textOf(value: unknown, ofNull = 'none'): string {
  if (value === null) return ofNull;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === unlimited) return 'unlimited';
  if (Array.isArray(value)) return value.map((one) => textOf(one)).join(', ') || 'none';
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, one]) => `${name}=${textOf(one)}`)
      .join(' ');
  return String(value ?? '').replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/, '$1Z');
}

/** Fields under each other, the parts of an object or a list of objects indented. */
export function pairsOf(value: object, nulls: Output['nulls'] = {}, indent = ''): string[] {
  if (Array.isArray(value)) {
    const parts = value.map((one) => pairsOf(one, nulls, `${indent}  `));
    return parts.flatMap(([first = '', ...lines]) => [`${indent}- ${first.trimStart()}`, ...lines]);
  }
  return Object.entries(value).flatMap(([name, one]) =>
    (Array.isArray(one) ? one : [one]).some((part) => typeof part === 'object' && part !== null)
      ? [`${indent}${name}:`, ...pairsOf(one, nulls, `${indent}  `)]
      : [`${indent}${name}: ${textOf(one, nulls[name])}`.trimEnd()],
  );
}
