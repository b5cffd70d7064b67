import { snakeCaseOf } from '../../lib/snake-case.ts';

type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : Name;

type WireName<Field> = Field extends `gallery${infer Id extends 'Id' | 'Ids'}`
  ? `facegallery_${Lowercase<Id>}`
  : Field extends string
    ? SnakeCase<Field>
    : Field;

/** A record as answers have it. */
export type Wire<T> = T extends Date
  ? string
  : T extends Uint8Array
    ? T
    : T extends readonly unknown[]
      ? { -readonly [Place in keyof T]: Wire<T[Place]> }
      : T extends object
        ? { -readonly [Field in keyof T as WireName<Field>]: Wire<T[Field]> }
        : T;

/**
 * A record with its fields named as on the wire, at any depth, and times in ISO 8601. The schema of an answer leaves out
 * the fields that it does not have.
 * @example wire({ galleryId: 'office', createdAt: new Date(0) });
 * // { facegallery_id: 'office', created_at: '1970-01-01T00:00:00.000Z' }
 */
export function wire<T>(value: T): Wire<T> {
  return converted(value) as Wire<T>;
}

function converted(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(converted);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [wireName(name), converted(part)]));
}

function wireName(name: string): string {
  const snake = snakeCaseOf(name);
  return /^gallery_ids?$/.test(snake) ? `face${snake}` : snake;
}
