// Delay of the event loop while a large gallery is loaded from the store and searched, with the idle timer's own delay,
// measured in the same run. CPU is processor time of the event loop's thread, without waiting for other programs: total,
// and the maximum between two ticks of a millisecond.
//   npm run bench loop -- [--faces 200000] [--dimensions 256]
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createExactMatcher } from '../../../packages/server/dist/matching/exact-matcher.js';
import { createTemplateVault } from '../../../packages/server/dist/security/vaults/template-vault.js';
import type { GalleryRecord, Store } from '../../../packages/server/dist/store/ports.js';
import { openSqliteStore } from '../../../packages/server/dist/store/sqlite-store.js';
import { loopDelayHead, measureLoopDelay } from './loop/delay.ts';

const { values } = parseArgs({
  options: {
    faces: { type: 'string', default: '200000' },
    dimensions: { type: 'string', default: '256' },
  },
});
const faces = Number(values.faces);
const dimensions = Number(values.dimensions);
const vault = createTemplateVault(randomBytes(32));

function drawVector(): Float32Array {
  const drawn = Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
  const length = Math.hypot(...drawn);
  return drawn.map((value) => value / length);
}

async function create(store: Store): Promise<GalleryRecord> {
  const quota = { hits: -1, faces: -1, galleries: -1 };
  await store.clients.create({ clientId: 'a', passwordHash: null, quota });
  const created = await store.galleries.create('a', 'g', (id) => vault.wrapNewKey('a', id));
  if (typeof created === 'string') throw new Error(created);
  return created;
}

async function enrol(
  store: Store,
  gallery: GalleryRecord,
  count: number,
  name: string,
): Promise<GalleryRecord> {
  const lock = vault.gallery(gallery);
  for (let from = 0; from < count; from += 512) {
    await Promise.all(
      Array.from({ length: Math.min(512, count - from) }, (_, i) => {
        const userId = `${name} ${from + i}`;
        const face = {
          userId,
          userName: userId,
          template: lock.seal(userId, drawVector()),
          embeddingSpec: 'c',
        };
        return store.faces.put(gallery.id, face, false);
      }),
    );
  }
  return (await store.galleries.get('a', 'g'))!;
}

const folder = mkdtempSync(join(tmpdir(), 'wajah-loop-'));
try {
  const store = openSqliteStore(join(folder, 'wajah.db'));
  const gallery = await enrol(store, await create(store), faces, 'person');
  const matcherOf = () => createExactMatcher({ faces: store.faces, vault, budget: 2 ** 34 });
  // Warm-up: compiles the code.
  const first = matcherOf();
  await first.search(gallery, drawVector(), 1);
  await first.close();
  const matcher = matcherOf();
  const times = 100;
  const probes = Array.from({ length: times }, drawVector);
  console.log(`${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`);
  console.log(`\n${faces} faces of ${dimensions} dimensions; milliseconds\n`);
  console.log(loopDelayHead);
  await pause(500);
  await measureLoopDelay('idle', () => pause(2000));
  await measureLoopDelay('gallery loaded and searched once', () => matcher.search(gallery, probes[0]!, 1));
  await measureLoopDelay(`${times} searches`, async () => {
    for (const probe of probes) await matcher.search(gallery, probe, 1);
  });
  await measureLoopDelay(`${times} searches, 10 at once`, async () => {
    for (let i = 0; i < times; i += 10) {
      await Promise.all(probes.slice(i, i + 10).map((probe) => matcher.search(gallery, probe, 1)));
    }
  });
  const others = Math.ceil(faces / 5);
  const more = await enrol(store, gallery, others, 'other');
  // Time for the garbage collection of the writes.
  await pause(1000);
  await measureLoopDelay(`${others} faces read that another server wrote`, () =>
    matcher.search(more, probes[0]!, 1),
  );
  await store.faces.remove(gallery.id, 'person 1');
  await pause(1000);
  const less = (await store.galleries.get('a', 'g'))!;
  await measureLoopDelay('one removal read that another server made', () =>
    matcher.search(less, probes[0]!, 1),
  );
  await matcher.close();
  await store.close();
} finally {
  rmSync(folder, { recursive: true });
}
