import type { ColumnType, Session, SqlValue } from './database/session.ts';

/** SQLite's driver returns ArrayBuffer from some calls and Buffer from others. */
export type Blob = ArrayBuffer | Uint8Array;

export function bytesOf(blob: Blob): Uint8Array {
  return blob instanceof Uint8Array ? blob : new Uint8Array(blob);
}

/** A value as it is written. */
export function plain(value: SqlValue | ArrayBuffer): SqlValue {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}

/** How a property is stored: times are milliseconds since 1970, flags 0 or 1. */
type Kind = 'text' | 'int' | 'real' | 'time' | 'flag' | 'bytes' | 'json';

type KindOf<T> = [T] extends [Date]
  ? 'time'
  : [T] extends [Uint8Array]
    ? 'bytes'
    : [T] extends [boolean]
      ? 'flag'
      : [T] extends [string]
        ? 'text'
        : [T] extends [number]
          ? 'int' | 'real'
          : 'json';

/** Reads and writes records of a type as rows. */
export interface RowMapper<T> {
  /** Names of the columns with their types, in the order of `values`. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Of a row with these columns, and perhaps others. */
  read(row: object): T;
  values(record: T): SqlValue[];
  /** Statement that inserts `values`. */
  insert(table: string): string;
}

const types = {
  text: 'text',
  int: 'bigint',
  real: 'double precision',
  time: 'bigint',
  flag: 'bigint',
  bytes: 'bytea',
  json: 'text',
} as const satisfies Record<Kind, ColumnType>;

const readers: Readonly<Record<Kind, ((value: never) => unknown) | null>> = {
  text: null,
  int: null,
  real: null,
  time: (value: number) => new Date(value),
  flag: (value: number | boolean) => Boolean(value),
  bytes: bytesOf,
  json: (value: string) => JSON.parse(value),
};

function written(value: unknown, kind: Kind): SqlValue {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.getTime();
  if (kind === 'json') return JSON.stringify(value);
  return kind === 'flag' ? Number(value) : (value as SqlValue);
}

/**
 * A column has the name of its property in snake case. Null stays null.
 * @param kinds of all properties
 * @param names of columns that are called otherwise
 * @example const word = rowMapper<{ text: string; addedAt: Date }>({ text: 'text', addedAt: 'time' });
 */
export function rowMapper<T extends object>(
  kinds: { readonly [K in keyof T]-?: KindOf<NonNullable<T[K]>> },
  names: { readonly [K in keyof T]?: string } = {},
): RowMapper<T> {
  const fields = Object.entries<Kind>(kinds).map(([property, kind]) => ({
    property,
    kind,
    column:
      names[property as keyof T] ?? property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    convert: readers[kind] as ((value: unknown) => unknown) | null,
  }));
  const columns = Object.fromEntries(fields.map(({ column, kind }) => [column, types[kind]]));
  return {
    columns,
    read(row: Readonly<Record<string, unknown>>) {
      const record: Record<string, unknown> = {};
      for (const { property, column, convert } of fields) {
        const value = row[column];
        record[property] = convert && value !== null ? convert(value) : value;
      }
      return record as T;
    },
    values: (record) => fields.map(({ property, kind }) => written(record[property as keyof T], kind)),
    insert: (table) =>
      `INSERT INTO ${table} (${Object.keys(columns)}) VALUES (${fields.map((_, i) => `$${i + 1}`)})`,
  };
}

/** The `count` of a statement's row. */
export async function countOf(db: Pick<Session, 'get'>, sql: string, ...values: SqlValue[]): Promise<number> {
  return (await db.get<{ count: number }>(sql, ...values))?.count ?? 0;
}

/**
 * Those conditions whose value is given.
 * @param values of the statement; those of the conditions are added
 * @param conditions in which ? stands for the value
 * @example const sql = `SELECT * FROM audit WHERE ${where(values, { 'at >= ?': since, 'event = ?': event })}`;
 */
export function where(
  values: SqlValue[],
  conditions: Readonly<Record<string, SqlValue | Date | undefined>>,
): string {
  const given = Object.entries(conditions).flatMap(([condition, value]) => {
    if (value === undefined) return [];
    return condition.replaceAll('?', `$${values.push(value instanceof Date ? value.getTime() : value)}`);
  });
  return ['true', ...given].join(' AND ');
}
