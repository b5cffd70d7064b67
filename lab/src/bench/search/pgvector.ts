import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import type { Alternative } from './alternatives.ts';
import { type Data, rowOf } from './data.ts';
import { cpuMs } from './measure.ts';

const insertedAtOnce = 1000;

/**
 * Exact search with the vector extension of PostgreSQL, in a temporary table, on one core.
 * @param url of a database on this machine, whose processor time can be read, with the extension or the right to create it
 */
export async function pgvector(
  data: Data,
  url: string,
): Promise<{ alternatives: Alternative[]; close(): Promise<void> }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const known = await client.query("SELECT 1 FROM pg_type WHERE typname = 'halfvec'");
  if (known.rowCount === 0) await client.query('CREATE EXTENSION vector');
  await client.query("SET max_parallel_workers_per_gather = 0; SET temp_buffers = '4GB'; SET jit = off");
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const cpuSoFar = () => cpuMs() + processMs(rows[0]!.pid);
  const alternatives = [];
  for (const type of ['vector', 'halfvec']) alternatives.push(await table(client, data, type, cpuSoFar));
  return { alternatives, close: () => client.end() };
}

async function table(client: Client, data: Data, type: string, cpuSoFar: () => number): Promise<Alternative> {
  await client.query(`CREATE TEMP TABLE as_${type} (id int, template ${type}(${data.dimensions}))`);
  await client.query(`ALTER TABLE as_${type} ALTER template SET STORAGE PLAIN`);
  for (let from = 0; from < data.count; from += insertedAtOnce) {
    const ids = Array.from({ length: Math.min(insertedAtOnce, data.count - from) }, (_, i) => from + i);
    const texts = ids.map((row) => textOf(rowOf(data, row)));
    const sql = `INSERT INTO as_${type} SELECT * FROM unnest($1::int[], $2::text[]::${type}[])`;
    await client.query(sql, [ids, texts]);
  }
  await client.query(`ANALYZE as_${type}`);
  const nearest = `SELECT id FROM as_${type} ORDER BY template <#> $1::${type} LIMIT 1`;
  return {
    name: `pgvector, ${type}`,
    cpuMs: cpuSoFar,
    best: async (probe) => (await client.query<{ id: number }>(nearest, [textOf(probe)])).rows[0]!.id,
  };
}

function textOf(values: Float32Array): string {
  return `[${values.join(',')}]`;
}

/** Processor time of another process, ms, from Linux' schedstat. */
function processMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
}
