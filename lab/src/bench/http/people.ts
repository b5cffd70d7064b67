import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endpoints } from '../../../../packages/contract/dist/index.js';
import { allRows } from '../../../../packages/server/dist/store/database/session.js';
import { Connections, requestOf } from '../load/connections.ts';
import { type BenchServer, ownBuild, type Settings, startBenchServer } from '../load/server.ts';
import { quantile } from '../speed/quantile.ts';

/** People of the small gallery. */
export const FEW = 10;

/** Identification of one picture in a gallery, over HTTP, one call at a time; milliseconds. */
export interface Search {
  readonly people: number;
  readonly p50: number;
  readonly p95: number;
  /** CPU time of server and workers, of a call. */
  readonly cpu: number;
}

const calls = 60;
const client = 'client-0';

/**
 * Identifies a picture among 10 and among `people`, in turn. All but one are random vectors.
 * @returns of both galleries, and seconds until the large gallery was loaded from the store and searched once
 */
export async function measurePeople(picture: Uint8Array, people: number) {
  const data = mkdtempSync(join(tmpdir(), 'wajah-people-'));
  try {
    const image = Buffer.from(picture).toString('base64');
    const sizes = [FEW, people];
    const first = await startBenchServer({}, { data });
    const [token = ''] = first.tokens;
    await enrol(first, token, sizes, image);
    await first.stop();
    for (const size of sizes) await fill({ WAJAH_DATA_DIR: data }, galleryOf(size), size - 1);
    const server = await startBenchServer({}, { data, clients: 0 });
    const requests = sizes.map((size) =>
      requestOf(endpoints.identifyFace.path, token, { facegallery_id: galleryOf(size), image }),
    );
    const began = performance.now();
    await loaded(server, requests);
    const loadSeconds = (performance.now() - began) / 1000;
    const searches = await search(server, requests);
    await server.stop();
    return { loadSeconds, searches: searches.map((one, i): Search => ({ people: sizes[i]!, ...one })) };
  } finally {
    rmSync(data, { recursive: true });
  }
}

export const galleryOf = (size: number) => `people-${size}`;

export async function enrol({ url }: BenchServer, token: string, sizes: readonly number[], image: string) {
  const connections = new Connections(url);
  for (const size of sizes) {
    const gallery = { facegallery_id: galleryOf(size) };
    await connections.send(requestOf(endpoints.createGallery.path, token, gallery));
    const person = { ...gallery, user_id: 'one', user_name: 'One', image };
    const { status } = await connections.send(requestOf(endpoints.enrolFace.path, token, person));
    if (status !== 200) throw new Error(`the picture cannot be enrolled: ${status}`);
  }
  connections.close();
}

/** Rows of one transaction. */
const slice = 5000;

/**
 * Adds people with random templates to a gallery: enrolments one by one would take minutes.
 * @param settings of a server that does not run: its data directory, or its database and key
 * @param build of that server: another one may have another schema
 */
export async function fill(
  settings: Settings,
  gallery: string,
  count: number,
  build = ownBuild,
): Promise<void> {
  const server = await modulesOf(build);
  const config = server.loadConfig(settings);
  const { store, db, close } = await openDatabase(server, config);
  const record = (await store.galleries.get(client, gallery))!;
  const { id, version } = record;
  const { dimensions } = JSON.parse(record.embeddingSpec!) as { dimensions: number };
  const lock = server.createTemplateVault(...server.findMasterKeys(config)!).gallery(record);
  const draw = drawnVectors(dimensions);
  for (let from = 0; from < count; from += slice) {
    const rows = Array.from({ length: Math.min(slice, count - from) }, (_, i) => {
      const userId = `user-${from + i}`;
      return [id, userId, userId, lock.seal(userId, draw()), version + from + i + 1, 0, 0];
    });
    await db.runAll(`INSERT INTO faces (${Object.keys(columns)}) ${allRows(columns)}`, columns, rows);
  }
  await db.run('UPDATE galleries SET version = version + $1, faces = faces + $1 WHERE id = $2', count, id);
  await close();
}

const columns = {
  gallery: 'bigint',
  user_id: 'text',
  user_name: 'text',
  template: 'bytea',
  seq: 'bigint',
  created_at: 'bigint',
  updated_at: 'bigint',
} as const;

type Modules = typeof import('../../../../packages/server/dist/index.js') &
  typeof import('../../../../packages/server/dist/security/keys/master-key.js') &
  typeof import('../../../../packages/server/dist/security/vaults/template-vault.js') &
  typeof import('../../../../packages/server/dist/config/database-url.js') &
  typeof import('../../../../packages/server/dist/store/database/postgres.js') &
  typeof import('../../../../packages/server/dist/store/database/sqlite.js') &
  typeof import('../../../../packages/server/dist/store/postgres-store.js') &
  typeof import('../../../../packages/server/dist/store/sqlite-store.js');

const modules = [
  'index',
  'security/keys/master-key',
  'security/vaults/template-vault',
  'config/database-url',
  'store/database/postgres',
  'store/database/sqlite',
  'store/postgres-store',
  'store/sqlite-store',
];

async function modulesOf(build: string): Promise<Modules> {
  const loaded = await Promise.all(modules.map((name) => import(join(build, `${name}.js`))));
  return Object.assign({}, ...loaded);
}

async function openDatabase(server: Modules, { dataDir, database }: ReturnType<Modules['loadConfig']>) {
  if (database === null) {
    const file = join(dataDir, 'wajah.db');
    const [store, db] = [server.openSqliteStore(file), new server.SqliteDatabase(file)];
    const close = async () => {
      await db.flushAndClose();
      await store.close();
    };
    return { store, db: db.shared, close };
  }
  const store = await server.openPostgresStore(database);
  const db = new server.PostgresDatabase(server.parseDatabaseUrl('url', database.url), {
    connections: 1,
    timeoutMs: 60_000,
  });
  const close = async () => {
    await db.close();
    await store.close();
  };
  return { store, db, close };
}

/** Sums of two of some hundred random vectors: quicker to draw than as many numbers. @returns vectors of length 1 */
function drawnVectors(dimensions: number): () => Float32Array {
  const some = Array.from({ length: 500 }, () =>
    Float32Array.from({ length: dimensions }, () => Math.random() - 0.5),
  );
  const one = () => some[Math.floor(Math.random() * some.length)]!;
  return () => {
    const [a, b] = [one(), one()];
    const sum = a.map((value, d) => value - b[d]! / 2);
    const length = Math.sqrt(sum.reduce((all, value) => all + value * value, 0));
    return sum.map((value) => value / length);
  };
}

/** Waits until each gallery answers and the server has nothing else to do. */
export async function loaded(server: BenchServer, requests: readonly Buffer[]): Promise<void> {
  const connections = new Connections(server.url);
  for (const request of requests) {
    const until = performance.now() + 180_000;
    while ((await connections.send(request)).status !== 200) {
      if (performance.now() > until) throw new Error('the gallery was not loaded in three minutes');
      await pause(200);
    }
  }
  connections.close();
}

async function search(server: BenchServer, requests: readonly Buffer[]) {
  await quiet(server);
  const connections = new Connections(server.url);
  const seen = requests.map(() => ({ ms: [] as number[], cpu: 0 }));
  for (let i = -5; i < calls; i++) {
    for (const [at, request] of requests.entries()) {
      const before = await cpuOf(server);
      const began = performance.now();
      const { status } = await connections.send(request);
      const ms = performance.now() - began;
      if (status !== 200) throw new Error(`an identification was answered ${status}`);
      if (i < 0) continue;
      seen[at]!.ms.push(ms);
      seen[at]!.cpu += ((await cpuOf(server)) - before) / calls;
    }
  }
  connections.close();
  return seen.map(({ ms, cpu }) => ({ p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), cpu: 1000 * cpu }));
}

/** The statistics of a gallery are measured in the background after it has grown. */
export async function quiet(server: BenchServer): Promise<void> {
  for (let i = 0; i < 60; i++) {
    const before = await cpuOf(server);
    await pause(1000);
    if ((await cpuOf(server)) - before < 0.05) return;
  }
}

export async function cpuOf(server: BenchServer): Promise<number> {
  const { cpu } = await server.usage();
  return cpu.server + cpu.workers;
}
