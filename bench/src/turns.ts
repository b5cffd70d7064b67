// Delay of the event loop during long work of the store that is split into tasks: preparing a gallery for another
// pack, and reading the activity counts of a day with a million calls.
//   npm run bench turns -- [--faces 100000] [--calls 1000000] [--postgres postgres://user@host/empty_database]
//     [--against ../before/packages/server/dist]
// --against: another build of the server does the same in the same run, on stores of its own.
// The columns are those of bench loop.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { ActivityCount } from '../../packages/server/dist/store/activity-store.js';
import type { Store } from '../../packages/server/dist/store/store.js';
import { loopDelayHead, measureLoopDelay } from './loop/delay.ts';

const { values } = parseArgs({
  options: {
    faces: { type: 'string', default: '100000' },
    calls: { type: 'string', default: '1000000' },
    postgres: { type: 'string' },
    against: { type: 'string' },
  },
});
const ownBuild = join(import.meta.dirname, '../../packages/server/dist');
const template = Buffer.alloc(1052, 7);
const minute = 60_000;
const clientId = 'a';

/** Modules of a build of the server. */
type Build = typeof import('../../packages/server/dist/store/sqlite-store.js') &
  typeof import('../../packages/server/dist/store/postgres-store.js') &
  typeof import('../../packages/server/dist/services/activity/activity.js') &
  typeof import('../../packages/server/dist/http/views/records.js');

async function load(folder: string): Promise<Build> {
  const files = [
    'store/sqlite-store.js',
    'store/postgres-store.js',
    'services/activity/activity.js',
    'http/views/records.js',
  ];
  const loaded = files.map((file) => import(pathToFileURL(join(folder, file)).href));
  return Object.assign({}, ...(await Promise.all(loaded)));
}

async function fillGallery(store: Store, faces: number): Promise<number> {
  const created = await store.galleries.create(clientId, 'g', () => Buffer.alloc(61));
  if (typeof created === 'string') throw new Error(created);
  for (let from = 0; from < faces; from += 500) {
    const names = Array.from({ length: Math.min(500, faces - from) }, (_, i) => `person ${from + i}`);
    await Promise.all(
      names.map((name) =>
        store.faces.enrol(created.id, { userId: name, userName: name, template, embeddingSpec: 'c' }, false),
      ),
    );
  }
  return created.id;
}

async function migrateGallery(store: Store, name: string): Promise<void> {
  const faces = Number(values.faces);
  const gallery = await fillGallery(store, faces);
  await store.templateMigration.begin(gallery, 'c2');
  await measureLoopDelay(`${name}: ${faces} new templates stored`, async () => {
    for (let after = 0; ; ) {
      const waiting = await store.templateMigration.nextPending(gallery, 'c2', after, 8);
      if (waiting.length === 0) return;
      await store.templateMigration.storeTemplates(
        gallery,
        'c2',
        waiting.map(({ userId, seq }) => ({ userId, seq, template })),
        Buffer.alloc(61),
      );
      after = waiting.at(-1)!.seq;
    }
  });
  await measureLoopDelay(`${name}: next faces without a new template, from the start`, () =>
    store.templateMigration.nextPending(gallery, 'c2', 0, 8),
  );
}

const routes = ['/verify-face', '/identify-face', '/enroll-face', '/verify-liveness', '/detect-faces'];

/** Activity counts of a minute: latencies in many bins, several statuses, scores. */
function countsOf(start: number, calls: number): ActivityCount[] {
  const counts = new Map<string, ActivityCount>();
  const count = (route: string, measure: ActivityCount['measure'], outcome: string, bin: number) => {
    const key = [route, measure, outcome, bin].join();
    const before = counts.get(key)?.count ?? 0;
    counts.set(key, { clientId, seconds: 60, start, route, measure, outcome, bin, count: before + 1 });
  };
  for (let call = 0; call < calls; call++) {
    const route = routes[call % routes.length]!;
    const [latency, score] = [Math.random() + Math.random(), Math.random()];
    count(route, 'calls', call % 13 === 0 ? '412' : '200', 20 + Math.floor(latency * 8));
    count(route, 'similarity', score > 0.6 ? 'yes' : 'no', Math.floor(score * 20));
    if (call % 5 === 3) count(route, 'spoof', 'yes', Math.floor(score * score * 20));
  }
  return [...counts.values()];
}

async function readActivity(store: Store, build: Build, name: string): Promise<void> {
  const day = 24 * 60;
  const now = Math.floor(Date.now() / minute) * minute;
  const perMinute = Math.round(Number(values.calls) / day);
  let rows = 0;
  for (let step = 1; step <= day; step++) {
    const counts = countsOf(now - step * minute, perMinute);
    rows += counts.length;
    await store.activity.add(counts, []);
  }
  const service = build.createActivityService({ store });
  const read = (buckets: number) =>
    service
      .read({ clientId } as never, { to: new Date(now).toISOString(), buckets })
      .then(build.activityView);
  await read(96);
  await pause(500);
  for (const buckets of [96, 500]) {
    await measureLoopDelay(`${name}: a day of ${rows} counts read, ${buckets} buckets`, () => read(buckets));
  }
}

async function measure(name: string, build: Build): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wajah-turns-'));
  const stores: [string, Store][] = [[`${name}, SQLite`, build.openSqliteStore(join(folder, 'wajah.db'))]];
  if (values.postgres)
    stores.push([`${name}, PostgreSQL`, await build.openPostgresStore({ url: values.postgres })]);
  try {
    for (const [label, store] of stores) {
      const quota = { hits: -1, faces: -1, galleries: -1 };
      await store.clients.create({ clientId, passwordHash: null, quota });
      await store.clients.register(clientId, new Date(0));
      if (Number(values.faces) > 0) await migrateGallery(store, label);
      if (Number(values.calls) > 0) await readActivity(store, build, label);
      await store.clients.remove(clientId);
      await store.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

console.log(
  `${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}; milliseconds\n`,
);
console.log(loopDelayHead);
await measureLoopDelay('idle', () => pause(2000));
if (values.against) await measure('before', await load(resolve(values.against)));
await measure('now', await load(ownBuild));
