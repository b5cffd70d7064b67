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
type Kind = keyof typeof kindsOfColumns;

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

type Row = Readonly<Record<string, unknown>>;

/** Reads and writes records of a type as rows. */
export interface RowMapper<T> {
  /** Names of the columns with their types, in the order of `values`. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Of a row with these columns, and perhaps others. */
  read(this: void, row: object): T;
  /** The records of a query. */
  all(db: Pick<Session, 'all'>, sql: string, ...values: SqlValue[]): Promise<T[]>;
  /** The record of a query for one row; null: there is none. */
  get(db: Pick<Session, 'get'>, sql: string, ...values: SqlValue[]): Promise<T | null>;
  values(record: T): SqlValue[];
  /** Statement that inserts `values`. */
  insert(table: string): string;
}

/** Of each kind the type of its column, and how a value that is not null is read and written; null: as it is. */
const kindsOfColumns = {
  text: ['text', null, null],
  int: ['bigint', null, null],
  real: ['double precision', null, null],
  time: ['bigint', (value: number) => new Date(value), (value: Date) => value.getTime()],
  flag: ['bigint', (value: number | boolean) => Boolean(value), Number],
  bytes: ['bytea', bytesOf, null],
  json: ['text', JSON.parse, (value: unknown) => JSON.stringify(value)],
} as const;

type Convert = ((value: unknown) => unknown) | null;

/** Of a property that is read of several columns, or null when one of them is. */
export function orNull<T>({ read }: RowMapper<T>, column: string): (row: Row) => T | null {
  return (row) => (row[column] === null ? null : read(row));
}

/**
 * A column has the name of its property in snake case. Null stays null.
 * @param kinds of all properties; a function reads one of the row that is no column, and is not written
 * @param names of columns that are called otherwise
 * @example const word = rowMapper<{ text: string; addedAt: Date }>({ text: 'text', addedAt: 'time' });
 */
export function rowMapper<T extends object>(
  kinds: { readonly [K in keyof T]-?: KindOf<NonNullable<T[K]>> | ((row: Row) => T[K]) },
  names: { readonly [K in keyof T]?: string } = {},
): RowMapper<T> {
  const all = Object.entries<Kind | ((row: Row) => unknown)>(kinds);
  const derived = all.flatMap(([property, read]) => (typeof read === 'function' ? { property, read } : []));
  const fields = all.flatMap(([property, kind]) => {
    if (typeof kind === 'function') return [];
    const column =
      names[property as keyof T] ?? property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const [type, convert, write] = kindsOfColumns[kind] as readonly [ColumnType, Convert, Convert];
    return { property, column, type, convert, write };
  });
  const columns = Object.fromEntries(fields.map(({ column, type }) => [column, type]));
  const read = (row: Row) => {
    const record: Record<string, unknown> = {};
    for (const { property, column, convert } of fields) {
      const value = row[column];
      record[property] = convert && value !== null ? convert(value) : value;
    }
    for (const { property, read } of derived) record[property] = read(row);
    return record as T;
  };
  return {
    columns,
    read: read as RowMapper<T>['read'],
    all: async (db, sql, ...values) => (await db.all<Row>(sql, ...values)).map(read),
    async get(db, sql, ...values) {
      const row = await db.get<Row>(sql, ...values);
      return row ? read(row) : null;
    },
    values: (record) =>
      fields.map(({ property, write }) => {
        const value = record[property as keyof T] ?? null;
        return (write && value !== null ? write(value) : value) as SqlValue;
      }),
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
