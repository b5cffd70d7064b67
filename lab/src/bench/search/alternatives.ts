import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Data, rowOf } from './data.ts';

/** Another implementation that searches the same rows exactly. */
export interface Alternative {
  readonly name: string;
  /** Index of the best row. */
  best(probe: Float32Array): number | Promise<number>;
  /** Processor time so far, ms; default: of this process. */
  readonly cpuMs?: () => number;
}

/** A loop over one typed array. */
export function plainJavaScript({
  rows,
  dimensions,
}: Data): Alternative & { best(probe: Float32Array): number } {
  return {
    name: 'plain JavaScript, float32',
    best: (probe) => {
      let best = -1;
      let most = Number.NEGATIVE_INFINITY;
      for (let row = 0, at = 0; at < rows.length; row++, at += dimensions) {
        let sum = 0;
        for (let d = 0; d < dimensions; d++) sum += rows[at + d]! * probe[d]!;
        if (sum <= most) continue;
        most = sum;
        best = row;
      }
      return best;
    },
  };
}

interface Usearch {
  readonly exactSearch: (
    rows: Float32Array | Int8Array,
    probe: Float32Array | Int8Array,
    dimensions: number,
    count: number,
    metric: unknown,
  ) => { keys: BigUint64Array };
  readonly MetricKind: Readonly<Record<string, unknown>>;
}

/** usearch's exhaustive search, in float32 and in int8 codes without exact rescoring. */
export function usearch({ rows, dimensions }: Data, tools: string): Alternative[] {
  const { exactSearch, MetricKind } = requireFrom(tools)('usearch') as Usearch;
  const bytes = codesOf(rows);
  const best = (all: Float32Array | Int8Array, probe: Float32Array | Int8Array) =>
    Number(exactSearch(all, probe, dimensions, 1, MetricKind['IP']).keys[0]);
  return [
    { name: 'usearch, float32', best: (probe) => best(rows, probe) },
    { name: 'usearch, int8', best: (probe) => best(bytes, codesOf(probe)) },
  ];
}

interface Database {
  loadExtension(path: string): void;
  exec(sql: string): void;
  prepare(sql: string): { run(values: unknown[]): void; all(values: unknown[]): { rowid: number }[] };
}

/** The vector extension of SQLite, in memory. */
export function sqliteVec({ rows, dimensions, count }: Data, tools: string): Alternative {
  const load = requireFrom(tools);
  const db = new (createRequire(import.meta.url)('libsql') as new (file: string) => Database)(':memory:');
  const { getLoadablePath } = load('sqlite-vec') as { getLoadablePath(): string };
  db.loadExtension(getLoadablePath().replace(/\.[a-z]+$/, ''));
  db.exec(`CREATE VIRTUAL TABLE faces USING vec0(template float[${dimensions}] distance_metric=cosine)`);
  const insert = db.prepare('INSERT INTO faces (rowid, template) VALUES (?, ?)');
  db.exec('BEGIN');
  for (let row = 0; row < count; row++)
    insert.run([BigInt(row + 1), bytesOf(rowOf({ rows, dimensions }, row))]);
  db.exec('COMMIT');
  const nearest = db.prepare('SELECT rowid FROM faces WHERE template MATCH ? AND k = 1 ORDER BY distance');
  return {
    name: 'sqlite-vec, float32',
    best: (probe) => Number(nearest.all([bytesOf(probe)])[0]!.rowid) - 1,
  };
}

function codesOf(values: Float32Array): Int8Array {
  const codes = new Int8Array(values.length);
  for (let i = 0; i < codes.length; i++) codes[i] = Math.max(-127, Math.min(127, values[i]! * 300));
  return codes;
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function requireFrom(tools: string): (name: string) => unknown {
  return createRequire(join(tools, 'package.json'));
}
