import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { type Data, rowOf } from './data.ts';
import { processorMs } from './measure.ts';
import type { Other } from './others.ts';

const insertedAtOnce = 1000;

/**
 * The vector extension of PostgreSQL, exact, in a table of its own that goes with the connection. It is to search
 * with one core, as all do here.
 * @param url of a database on this machine, so that its processor time can be read, where the extension is or may be
 *   made
 */
export async function pgvector(data: Data, url: string): Promise<{ ways: Other[]; close(): Promise<void> }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const known = await client.query("SELECT 1 FROM pg_type WHERE typname = 'halfvec'");
  if (known.rowCount === 0) await client.query('CREATE EXTENSION vector');
  await client.query("SET max_parallel_workers_per_gather = 0; SET temp_buffers = '4GB'; SET jit = off");
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const busy = () => processorMs() + processMs(rows[0]!.pid);
  const ways = [];
  for (const type of ['vector', 'halfvec']) ways.push(await table(client, data, type, busy));
  return { ways, close: () => client.end() };
}

async function table(client: Client, data: Data, type: string, busy: () => number): Promise<Other> {
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
    busy,
    best: async (probe) => (await client.query<{ id: number }>(nearest, [textOf(probe)])).rows[0]!.id,
  };
}

function textOf(values: Float32Array): string {
  return `[${values.join(',')}]`;
}

/** Processor time of another process; Linux says it. */
function processMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
}
