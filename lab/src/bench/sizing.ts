// CPU time of calls, memory and disk of faces, and the start by gallery size: the constants of `wajah size`
// (packages/server/src/sizing/measured.ts).
//   npm run bench sizing -- [--data ../shared/eval] [--calls 40] [--postgres postgres://user@host/empty_database]
// CPU time is that of the server and its workers, over HTTP, one call at a time, without that of other programs. Takes
// about three minutes; people are random vectors of the built-in pack's dimensions.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endpoints } from '../../../packages/contract/dist/index.js';
import { openEngineInThread } from '../../../packages/engine/dist/index.js';
import { loadConfig } from '../../../packages/server/dist/config/config.js';
import { openPostgresDatabase } from '../../../packages/server/dist/store/postgres-store.js';
import { migrate } from '../../../packages/tools/dist/backup.js';
import { cpuOf, fill, quiet } from './http/people.ts';
import { type BenchServer, startBenchServer } from './load/server.ts';
import { imageLimits, photographs } from './speed/photographs.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/eval' },
    calls: { type: 'string', default: '40' },
    postgres: { type: 'string' },
  },
});
const calls = Number(values.calls);
const sizes = [1000, 10_000, 100_000];
const most = sizes.at(-1)!;
let token = '';
const galleryOf = (size: number) => `people-${size}`;

async function ask(server: BenchServer, path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { accesstoken: token, 'content-type': 'application/json' };
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const found = (await answer.json()) as Record<string, unknown>;
  // A large gallery is being read, or other programs have the cores.
  if (answer.status === 503) return ask(server, path, body);
  if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(found)}`);
  return found;
}

/** @returns CPU milliseconds of a call; median of five equal parts */
async function cost(
  server: BenchServer,
  count: number,
  call: (i: number) => Promise<unknown>,
): Promise<number> {
  for (let i = 0; i < 3; i++) await call(i);
  const parts: number[] = [];
  for (let part = 0; part < 5; part++) {
    const before = await cpuOf(server);
    for (let i = 0; i < count / 5; i++) await call(part + i);
    parts.push((1000 * ((await cpuOf(server)) - before)) / (count / 5));
  }
  return parts.sort((a, b) => a - b)[2]!;
}

/** A session of five steps with three frames each; they show no step, and are analysed all the same. */
async function session(server: BenchServer, images: readonly string[]): Promise<void> {
  const { session_id, nonce, steps } = await ask(server, endpoints.createLivenessSession.path, {});
  const frames = (steps as string[]).flatMap((step, at) =>
    [0, 1, 2].map((i) => ({ step, image: images[(3 * at + i) % images.length] })),
  );
  await ask(server, endpoints.submitLivenessSession.path, { session_id, nonce, frames });
}

async function costs(server: BenchServer, images: readonly string[]): Promise<void> {
  const image = (i: number) => images[i % images.length];
  const one = { facegallery_id: galleryOf(1000), user_id: 'one' };
  const rows: [string, number][] = [
    [
      'enrol',
      await cost(server, calls, (i) =>
        ask(server, endpoints.enrolFace.path, { ...one, user_name: 'One', image: image(i), replace: true }),
      ),
    ],
    [
      'verify',
      await cost(server, calls, (i) => ask(server, endpoints.verifyFace.path, { ...one, image: image(i) })),
    ],
  ];
  for (const size of sizes) {
    const where = { facegallery_id: galleryOf(size) };
    rows.push([
      `identify among ${size}`,
      await cost(server, calls, (i) =>
        ask(server, endpoints.identifyFace.path, { ...where, image: image(i) }),
      ),
    ]);
  }
  rows.push([
    'liveness session, 15 frames',
    await cost(server, 10, (i) => session(server, images.slice(i % 2))),
  ]);
  console.log('| call | CPU, ms | a core and second |\n| --- | --- | --- |');
  for (const [name, ms] of rows) console.log(`| ${name} | ${ms.toFixed(1)} | ${(1000 / ms).toFixed(1)} |`);
}

/** CPU seconds until a gallery was read and searched once, and its memory. */
async function loads(server: BenchServer, image: string): Promise<void> {
  console.log(
    '| people | CPU of the first search, s | seconds | resident memory of the server after, MB |\n| --- | --- | --- | --- |',
  );
  for (const size of sizes) {
    const [cpu, began] = [await cpuOf(server), performance.now()];
    await ask(server, endpoints.identifyFace.path, { facegallery_id: galleryOf(size), image });
    const seconds = (performance.now() - began) / 1000;
    await quiet(server);
    const { memory } = await server.usage();
    const mb = (memory.server / 1e6).toFixed(0);
    console.log(`| ${size} | ${((await cpuOf(server)) - cpu).toFixed(2)} | ${seconds.toFixed(2)} | ${mb} |`);
  }
}

async function postgresBytes(dataDir: string, url: string): Promise<number> {
  let to = await openPostgresDatabase({ url, connections: 2 });
  const size = async () =>
    (await to.get<{ n: number }>('SELECT pg_database_size(current_database()) AS n'))!.n;
  const before = await size();
  await to.close();
  await migrate(loadConfig({ WAJAH_DATA_DIR: dataDir }), dataDir, url, () => undefined);
  to = await openPostgresDatabase({ url, connections: 2 });
  await to.run('VACUUM');
  const bytes = (await size()) - before;
  await to.close();
  return bytes;
}

console.log(
  `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}\n`,
);
const chooser = await openEngineInThread({ image: imageLimits });
const { pictures } = await photographs(chooser, values.data, 8, 1024, 768);
await chooser.close();
const images = pictures.map((bytes) => Buffer.from(bytes).toString('base64'));
const data = mkdtempSync(join(tmpdir(), 'wajah-sizing-'));
try {
  const first = await startBenchServer({}, { data });
  token = first.tokens[0]!;
  for (const size of sizes) {
    await ask(first, endpoints.createGallery.path, { facegallery_id: galleryOf(size) });
    await ask(first, endpoints.enrolFace.path, {
      facegallery_id: galleryOf(size),
      user_id: 'one',
      user_name: 'One',
      image: images[0],
    });
  }
  await first.stop();
  const bytes = () => statSync(join(data, 'wajah.db')).size;
  for (const size of sizes.slice(0, -1)) await fill({ WAJAH_DATA_DIR: data }, galleryOf(size), size - 1);
  const before = bytes();
  await fill({ WAJAH_DATA_DIR: data }, galleryOf(most), most - 1);
  console.log(`disk, SQLite: ${((bytes() - before) / most).toFixed(0)} bytes a face`);
  if (values.postgres) {
    const all = sizes.reduce((sum, size) => sum + size);
    console.log(
      `disk, PostgreSQL: ${((await postgresBytes(data, values.postgres)) / all).toFixed(0)} bytes a face`,
    );
  }
  const began = performance.now();
  const server = await startBenchServer(
    { WAJAH_ENGINE_WORKERS: '1', WAJAH_ENGINE_DEADLINE_MS: '120000' },
    { data, clients: 0 },
  );
  console.log(
    `start: ${((performance.now() - began) / 1000).toFixed(1)} s, CPU ${(await cpuOf(server)).toFixed(1)} s\n`,
  );
  await quiet(server);
  await loads(server, images[0]!);
  await quiet(server);
  console.log();
  await costs(server, images);
  const { memory } = await server.usage();
  console.log(
    `\nresident memory after all calls: server ${(memory.server / 1e6).toFixed(0)} MB, worker ${(memory.workers / 1e6).toFixed(0)} MB`,
  );
  await server.stop();
} finally {
  rmSync(data, { recursive: true });
}
