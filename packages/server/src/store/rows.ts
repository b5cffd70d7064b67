import { DamagedRow } from '../errors.ts';
import type { ColumnType, Session, SqlValue } from './database/session.ts';
import { tables } from './database/tables.ts';

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
          : [T] extends [readonly string[]]
            ? 'texts'
            : 'json';

type Row = Readonly<Record<string, unknown>>;

/** Reads and writes records of a type as rows. */
export interface RowMapper<T> {
  /** Names of the columns with their types, in the order of `values`. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Of a row with these columns, and perhaps others. @throws DamagedRow */
  read(this: void, row: object): T;
  /** The records of a query. A damaged row is left out, and told to `db`. */
  all(db: Pick<Session, 'all' | 'damaged'>, sql: string, ...values: SqlValue[]): Promise<T[]>;
  /** The record of a query for one row; null: there is none. @throws DamagedRow, which is told to `db` */
  get(db: Pick<Session, 'get' | 'damaged'>, sql: string, ...values: SqlValue[]): Promise<T | null>;
  values(record: T): SqlValue[];
  /** Statement that inserts `values`. */
  insert(): string;
}

const isInt = (value: unknown) => Number.isSafeInteger(value);
const isTime = (value: unknown) => isInt(value) && Math.abs(value as number) <= 8.64e15;

/** Of each kind the type of its column, what may be stored, and how it is read and written; null: as it is. */
const kindsOfColumns = {
  text: ['text', null, null, null],
  int: ['bigint', isInt, null, null],
  real: ['double precision', Number.isFinite, null, null],
  time: ['bigint', isTime, (value: number) => new Date(value), (value: Date) => value.getTime()],
  flag: ['bigint', (value: unknown) => [0, 1, false, true].includes(value as number), Boolean, Number],
  bytes: ['bytea', null, bytesOf, null],
  json: ['text', isJson, JSON.parse, (value: unknown) => JSON.stringify(value)],
  texts: ['text', isTexts, JSON.parse, (value: unknown) => JSON.stringify(value)],
} as const;

/** Whether a text is JSON of an object or a list. */
export function isJson(text: unknown): boolean {
  return typeof parsed(text) === 'object';
}

function isTexts(text: unknown): boolean {
  const list = parsed(text);
  return Array.isArray(list) && list.every((one) => typeof one === 'string');
}

/** Undefined: it is no JSON. */
function parsed(text: unknown): unknown {
  try {
    return JSON.parse(text as string) ?? undefined;
  } catch {
    return undefined;
  }
}

type Check = ((value: never) => boolean) | null;
type Convert = ((value: unknown) => unknown) | null;

/** Of a property that is read of several columns, or null when one of them is. */
export function orNull<T>(part: RowMapper<T>, column: string): (row: Row) => T | null {
  mappers.delete(part);
  return (row) => (row[column] === null ? null : part.read(row));
}

/** All that read whole rows, with their tables. */
const mappers = new Map<RowMapper<unknown>, string>();

/** What is read of the rows of a table: an inspection reads all. */
export const mappersOf = (table: string): readonly RowMapper<unknown>[] =>
  [...mappers].flatMap(([mapper, of]) => (of === table ? [mapper] : []));

/**
 * A column has the name of its property in snake case. Null stays null.
 * @param table that the columns are of
 * @param kinds of all properties; a function reads one of the row that is no column, and is not written
 * @param names of columns that are called otherwise
 * @param checks of values, besides those of their kinds
 * @example const word = rowMapper<{ text: string; addedAt: Date }>('words', { text: 'text', addedAt: 'time' });
 */
export function rowMapper<T extends object>(
  table: string,
  kinds: { readonly [K in keyof T]-?: KindOf<NonNullable<T[K]>> | ((row: Row) => T[K]) },
  names: { readonly [K in keyof T]?: string } = {},
  checks: { readonly [K in keyof T]?: (value: T[K]) => boolean } = {},
): RowMapper<T> {
  const all = Object.entries<Kind | ((row: Row) => unknown)>(kinds);
  const derived = all.flatMap(([property, read]) => (typeof read === 'function' ? { property, read } : []));
  const fields = all.flatMap(([property, kind]) =>
    typeof kind === 'function'
      ? []
      : fieldOf(property, kind, names[property as keyof T], checks[property as keyof T]),
  );
  const columns = Object.fromEntries(fields.map(({ column, type }) => [column, type]));
  const read = (row: Row) => {
    const record: Record<string, unknown> = {};
    for (const field of fields) {
      // Undefined: not of the query.
      const value = row[field.column];
      if (value !== undefined) record[field.property] = readField(field, value, table, row);
    }
    for (const { property, read } of derived) record[property] = read(row);
    return record as T;
  };
  const mapper: RowMapper<T> = {
    columns,
    read: read as RowMapper<T>['read'],
    all: async (db, sql, ...values) =>
      (await db.all<Row>(sql, ...values)).flatMap((row) => told(db, () => [read(row)], [])),
    async get(db, sql, ...values) {
      const row = await db.get<Row>(sql, ...values);
      return row ? told(db, () => read(row)) : null;
    },
    values: (record) =>
      fields.map(({ property, write }) => {
        const value = record[property as keyof T] ?? null;
        return (write && value !== null ? write(value) : value) as SqlValue;
      }),
    insert: () =>
      `INSERT INTO ${table} (${Object.keys(columns)}) VALUES (${fields.map((_, i) => `$${i + 1}`)})`,
  };
  mappers.set(mapper, table);
  return mapper;
}

interface Field {
  readonly property: string;
  readonly column: string;
  readonly type: ColumnType;
  readonly isStorable: Check;
  readonly convert: Convert;
  readonly write: Convert;
  readonly isAllowed: ((value: never) => boolean) | undefined;
}

function fieldOf(
  property: string,
  kind: Kind,
  name: string | undefined,
  isAllowed: Field['isAllowed'],
): Field {
  const column = name ?? property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const [type, isStorable, convert, write] = kindsOfColumns[kind] as readonly [
    ColumnType,
    Check,
    Convert,
    Convert,
  ];
  return { property, column, type, isStorable, convert, write, isAllowed };
}

/** @throws DamagedRow */
function readField(
  { column, isStorable, convert, isAllowed }: Field,
  value: unknown,
  table: string,
  row: Row,
) {
  const isSound = value === null || !isStorable || isStorable(value as never);
  const converted = isSound && value !== null && convert ? convert(value) : value;
  if (isSound && (!isAllowed || isAllowed(converted as never))) return converted;
  throw new DamagedRow(`${table}.${column}`, nameOf(table, row));
}

/** Tells a damaged row. @param otherwise what stands in its place; absent: it is thrown */
function told<R>(db: Pick<Session, 'damaged'>, read: () => R, otherwise?: R): R {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedRow) db.damaged(error);
    if (!(error instanceof DamagedRow) || otherwise === undefined) throw error;
    return otherwise;
  }
}

/** Which row of a table it is, by the columns of its key that are there and name nobody. */
function nameOf(table: string, row: Row): string | null {
  const { key = [], person } = tables.find(({ name }) => name === table) ?? {};
  const shown = key.filter((column) => !person?.includes(column) && row[column] !== undefined);
  return shown.length === 0 ? null : shown.map((column) => `${column} ${row[column]}`).join(', ');
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
