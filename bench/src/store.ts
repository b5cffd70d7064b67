// Durable enrolments per second with several concurrent writers, with and without group commit, in one run.
//   npm run bench store -- [--seconds 2] [--postgres postgres://user@host/empty_database]
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createAuditChain } from '../../packages/server/dist/security/audit-chain.js';
import { openPostgresStore } from '../../packages/server/dist/store/postgres-store.js';
import { openSqliteStore } from '../../packages/server/dist/store/sqlite-store.js';
import type { Store } from '../../packages/server/dist/store/store.js';

const chain = createAuditChain(Buffer.alloc(32, 1));
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '2' }, postgres: { type: 'string' } },
});
const seconds = Number(values.seconds);
const writers = [1, 8, 32, 128];
const template = Buffer.alloc(541, 7);
const wrappedKey = Buffer.alloc(61);

/** One store with a gallery for each writer, so that writers wait for the store alone. */
class Bench {
  readonly name: string;
  readonly #store: Store;
  readonly #galleries: number[];
  #round = 0;

  private constructor(name: string, store: Store, galleries: number[]) {
    this.name = name;
    this.#store = store;
    this.#galleries = galleries;
  }

  static async open(name: string, store: Store): Promise<Bench> {
    const quota = { hits: -1, faces: -1, galleries: -1 };
    await store.clients.create({ clientId: 'a', passwordHash: null, quota });
    await store.clients.register('a', new Date());
    const galleries: number[] = [];
    for (let i = 0; i < Math.max(...writers); i++) {
      const created = await store.galleries.create('a', `g${i}`, () => wrappedKey);
      if (typeof created === 'string') throw new Error(`the database is not empty (${created})`);
      galleries.push(created.id);
    }
    return new Bench(name, store, galleries);
  }

  /** Writes what an enrolment writes: a hit, a face, an audit record. @returns durable enrolments per second */
  async enrolments(count: number): Promise<number> {
    this.#round += 1;
    const end = performance.now() + seconds * 1000;
    let done = 0;
    const write = async (writer: number) => {
      for (let i = 0; performance.now() < end; i++) {
        await this.#store.clients.takeHits('a');
        const userId = `${this.#round}-${i}`;
        const face = { userId, userName: userId, template, embeddingSpec: 'c' };
        await this.#store.faces.enrol(this.#galleries[writer]!, face, false);
        const facts = { way: 'image' };
        const record = { at: new Date(), event: 'face_enrolled', clientId: 'a', trxId: null, facts };
        await this.#store.audit.append([record], chain);
        done += 1;
      }
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: count }, (_, writer) => write(writer)));
    return done / ((performance.now() - start) / 1000);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'wajah-bench-'));
const benches = [
  await Bench.open('SQLite, one commit each', openSqliteStore(join(folder, 'alone.db'), { maxGroup: 1 })),
  await Bench.open('SQLite, group commit', openSqliteStore(join(folder, 'group.db'))),
];
if (values.postgres) {
  benches.push(await Bench.open('PostgreSQL', await openPostgresStore({ url: values.postgres })));
}
console.log(`${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}\n`);
console.log(`| durable enrolments per second, concurrent writers | ${writers.join(' | ')} |`);
console.log(`| --- |${' --- |'.repeat(writers.length)}`);
const results = new Map(benches.map(({ name }) => [name, [] as number[]]));
for (const count of writers) {
  for (const bench of benches) results.get(bench.name)?.push(await bench.enrolments(count));
}
for (const [name, rates] of results) console.log(`| ${name} | ${rates.map(Math.round).join(' | ')} |`);
for (const bench of benches) await bench.close();
rmSync(folder, { recursive: true });
