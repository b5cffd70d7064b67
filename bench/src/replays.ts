// Search of remembered frames that are stored in SQLite: the start, the time and processor time of a submission, the delay
// of the event loop, memory, and in the same run the ratio to a scan of the same hashes in JavaScript.
// The stored hashes are synthetic. Their differences from the searched face have the distribution that 1,900 photographs
// of different people have (dev), and bits are as common as there; every row has a detail. One row is of a look-alike, which every frame of a submission is compared
// with: of 100 photographs about 50 have one among a million.
//   npm run bench replays -- [--frames 1000000] [--folder /keeps/the/database]
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AlignedFaceImage } from '../../packages/engine/dist/index.js';
import { frameDetailOf, hashDistance, hashProbesOf } from '../../packages/engine/dist/series.js';
import { createFrameIndex } from '../../packages/server/dist/matching/frames/frame-index.js';
import { createFrameVault } from '../../packages/server/dist/security/vaults/row-vaults.js';
import { openSqliteStore } from '../../packages/server/dist/store/sqlite-store.js';
import type { Store } from '../../packages/server/dist/store/store.js';
import { loopDelayHead, measureLoopDelay } from './loop/delay.ts';

const { values } = parseArgs({
  options: { frames: { type: 'string', default: '1000000' }, folder: { type: 'string' } },
});
const count = Number(values.frames);
const side = 96;
const hashBytes = 128;
/** A constant key: a kept database is opened again. */
const vault = createFrameVault(Buffer.alloc(32, 7));
const all = Number.MAX_SAFE_INTEGER;
/** Frames of a submission: two, the usual number that steps are judged by, the most of these. */
const submissions = [2, 4, 7];

/** A smooth picture; `other` changes it a little. */
function imageOf(other: number): AlignedFaceImage {
  const luma = Uint8Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [i % side, Math.floor(i / side)];
    const wave = (a: number, b: number, c: number) => Math.sin(x / a + y / b + c);
    const shape = 40 * wave(9, 23, 0) + 30 * wave(-17, 7, 1) + 20 * wave(5, 6, 2 + other);
    return Math.round(128 + shape + 15 * wave(3.1, 4.3, other));
  });
  return { luma, inside: new Uint8Array(side * side).fill(1) };
}

const face = hashProbesOf(imageOf(0))[0].bits;

/** Shares of pairs of different people, and below which difference they are. */
const differences = [
  [0, 0.12],
  [4e-7, 0.14],
  [3e-6, 0.16],
  [1.6e-5, 0.18],
  [8e-5, 0.2],
  [1e-3, 0.24],
  [1e-2, 0.29],
  [0.1, 0.35],
  [0.5, 0.43],
  [1, 0.5],
] as const;

function drawDifference(): number {
  const drawn = Math.random();
  const at = differences.findIndex(([share]) => drawn < share);
  const [[from, low], [to, high]] = [differences[at - 1]!, differences[at]!];
  return low + ((high - low) * (drawn - from)) / (to - from);
}

/** How many faces have the bit of the mean face: so that the bits of two faces agree as often as measured, 57 of 100. */
const common = Float64Array.from({ length: hashBytes * 8 }, () => 0.5 + 0.35 * Math.random());
const isSet = (words: Uint32Array, i: number) => (words[i >> 5]! >>> (i & 31)) & 1;
const meanFace = common.map((share, i) => isSet(face, i) ^ Number(Math.random() > share));

/** A face whose difference from the searched one is drawn as measured, and whose other bits are of the mean face. */
function drawHash(): Uint8Array {
  const resembling = Math.max(0, 1 - drawDifference() / 0.43);
  const bytes = new Uint8Array(hashBytes);
  for (let i = 0; i < hashBytes * 8; i++) {
    const mean = meanFace[i]! ^ Number(Math.random() > common[i]!);
    bytes[i >> 3]! |= (Math.random() < resembling ? isSet(face, i) : mean) << (i & 7);
  }
  return bytes;
}

/** A session of new pictures, sealed. */
function sessionOf(id: string, frames: number) {
  const detail = vault.seal('detail', id, frameDetailOf(imageOf(frames)));
  const parts = Array.from({ length: frames }, () => ({
    digest: randomBytes(32),
    hash: vault.seal('hash', id, drawHash()),
    detail,
  }));
  return [{ id, clientId: 'a', galleryId: null, userId: null }, parts] as const;
}

async function fill(store: Store): Promise<void> {
  const quota = { hits: -1, faces: -1, galleries: -1 };
  await store.clients.create({ clientId: 'a', passwordHash: null, quota });
  const near = [imageOf(0.02)];
  const group = 1000;
  for (let from = 0; from < count; from += group) {
    const id = `session ${from}`;
    const other = vault.seal('detail', id, frameDetailOf(imageOf(from)));
    const frames = Array.from({ length: Math.min(group, count - from) }, (_, i) => {
      const image = near[from + i];
      const hash = image ? new Uint8Array(hashProbesOf(image)[0].bits.buffer) : drawHash();
      const detail = image ? vault.seal('detail', id, frameDetailOf(image)) : other;
      return { digest: randomBytes(32), hash: vault.seal('hash', id, hash), detail };
    });
    await store.frames.record({ id, clientId: 'a', galleryId: null, userId: null }, frames, new Date());
  }
}

/** Milliseconds of a scan of as many hashes, for one frame. */
function plainScan(): number {
  const hashes = new Uint32Array(count * 32).map(() => Math.random() * 2 ** 32);
  const start = performance.now();
  let found = 0;
  for (const probe of hashProbesOf(imageOf(0.01))) {
    for (let i = 0; i < count; i++) if (hashDistance(probe, hashes, i * 32) <= 0.2) found++;
  }
  if (found > count) console.log(found);
  return performance.now() - start;
}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'wajah-replays-'));
const file = join(folder, 'wajah.db');
if (!existsSync(file)) {
  const store = openSqliteStore(file);
  await fill(store);
  await store.close();
}
console.log(`${count} frames, ${cpus()[0]?.model}, Node ${process.version}\n\n${loopDelayHead}`);
let store: Store | undefined;
await measureLoopDelay('opening the store', async () => {
  store = openSqliteStore(file);
});
const index = createFrameIndex({ options: store!.readerOptions, keys: vault.keys, hours: 8760 });
try {
  const before = process.memoryUsage().rss;
  await measureLoopDelay('loading', () => index.refresh());
  const bytes = (process.memoryUsage().rss - before) / count;
  const results: { frames: number; ms: number; cpu: number }[] = [];
  const submission = (frames: number) =>
    Array.from({ length: 20 }, (_, i) => ({
      digest: randomBytes(32),
      image: i < frames ? imageOf(0.005 + i / 40) : undefined,
    }));
  // Until the code is compiled, a submission takes twice as long.
  for (let i = 0; i < 10; i++) await index.findUsed(submission(7), all);
  for (const frames of submissions) {
    const searched = submission(frames);
    const took: number[] = [];
    const used = process.cpuUsage();
    await measureLoopDelay(`20 submissions, ${frames} frames judged`, async () => {
      for (let i = 0; i < 20; i++) {
        const start = performance.now();
        await index.findUsed(searched, all);
        took.push(performance.now() - start);
      }
    });
    const { user, system } = process.cpuUsage(used);
    const ms = took.sort((a, b) => a - b)[took.length >> 1]!;
    results.push({ frames, ms, cpu: (user + system) / 1000 / 20 });
  }
  const sessions = Array.from({ length: 20 }, () => sessionOf(randomBytes(8).toString('hex'), 20));
  await measureLoopDelay('20 sessions of 20 frames are recorded', async () => {
    for (const [session, frames] of sessions) await store!.frames.record(session, frames, new Date());
  });
  console.log('\n| frames judged, of 20 | median ms | CPU ms |\n| --- | --- | --- |');
  for (const { frames, ms, cpu } of results)
    console.log(`| ${frames} | ${ms.toFixed(1)} | ${cpu.toFixed(1)} |`);
  console.log(`\nmemory: ${bytes.toFixed(0)} bytes a frame (176 in the index; the rest is of the process)`);
  const [plain, { frames, ms }] = [plainScan(), results[0]!];
  const ratio = (plain * frames) / ms;
  console.log(
    `one frame, hashes alone, in JavaScript: ${plain.toFixed(0)} ms, ${ratio.toFixed(1)} times as long`,
  );
} finally {
  await index.close();
  await store!.close();
  if (values.folder === undefined) rmSync(folder, { recursive: true });
}
