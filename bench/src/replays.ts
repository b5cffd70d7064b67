// Search of remembered frames: time of a submission, delay of the event loop, memory, and in the same run the ratio to a
// scan of the same hashes in JavaScript. Hashes are synthetic: 0.4 % differ from a mean face in 10 to 20 % of the
// bits, the others in 26 to 50 %, as the faces of different people do. Details of the nearest are real in form, so that candidates are compared.
//   npm run bench:replays -- [--frames 1000000]
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AlignedFaceImage } from '../../packages/engine/dist/index.js';
import { frameDetailOf, hashDistance, hashProbesOf } from '../../packages/engine/dist/series.js';
import { createFrameIndex } from '../../packages/server/dist/matching/frames/frame-index.js';
import { createFrameVault } from '../../packages/server/dist/security/vaults/frame-vault.js';
import { openSqliteStore } from '../../packages/server/dist/store/sqlite/open.js';
import { loopDelayHead, measureLoopDelay } from './loop/delay.ts';

const { values } = parseArgs({ options: { frames: { type: 'string', default: '1000000' } } });
const count = Number(values.frames);
const side = 96;
const hashBytes = 128;
const vault = createFrameVault(randomBytes(32));
const since = new Date(0);
const all = Number.MAX_SAFE_INTEGER;

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

const mean = hashProbesOf(imageOf(0))[0].bits;

function drawHash(): Uint8Array {
  const share = Math.random() < 0.004 ? 0.1 + 0.1 * Math.random() : 0.26 + 0.24 * Math.random();
  const bytes = new Uint8Array(mean.buffer.slice(0));
  for (let i = 0; i < hashBytes * 8; i++) if (Math.random() < share) bytes[i >> 3]! ^= 1 << (i & 7);
  return bytes;
}

const folder = mkdtempSync(join(tmpdir(), 'wajah-replays-'));
const store = openSqliteStore(join(folder, 'wajah.db'));
const flat = new Uint32Array(count * 32);
try {
  await store.clients.create({
    clientId: 'a',
    passwordHash: null,
    quota: { hits: -1, faces: -1, galleries: -1 },
  });
  const group = 1000;
  const near = Array.from({ length: 4 }, (_, i) => imageOf(0.02 + i / 100));
  for (let from = 0; from < count; from += group) {
    const id = `session ${from}`;
    const session = { id, clientId: 'a', galleryId: null, userId: null };
    const frames = Array.from({ length: Math.min(group, count - from) }, (_, i) => {
      const image = near[from + i];
      const hash = image ? new Uint8Array(hashProbesOf(image)[0].bits.buffer) : drawHash();
      flat.set(new Uint32Array(hash.buffer), (from + i) * 32);
      const detail = image ? vault.seal('detail', id, frameDetailOf(image)) : null;
      return { digest: randomBytes(32), hash: vault.seal('hash', id, hash), detail };
    });
    await store.frames.record(session, frames, new Date());
  }
  const index = createFrameIndex(store.frames, vault.key, { timeoutMs: 300_000 });
  const submission = (frames: number) =>
    Array.from({ length: frames }, (_, i) => ({ digest: randomBytes(32), image: imageOf(0.005 + i / 40) }));
  const before = process.memoryUsage().rss;
  console.log(`${count} frames, ${cpus()[0]?.model}, Node ${process.version}\n\n${loopDelayHead}`);
  await measureLoopDelay('loading', () => index.findUsed([], since, all));
  const bytes = (process.memoryUsage().rss - before) / count;
  const times: [frames: number, ms: number][] = [];
  for (const frames of [1, 5, 15]) {
    const took: number[] = [];
    const searched = submission(frames);
    await measureLoopDelay(`20 submissions of ${frames}`, async () => {
      for (let i = 0; i < 20; i++) {
        const start = performance.now();
        await index.findUsed(searched, since, all);
        took.push(performance.now() - start);
      }
    });
    times.push([frames, took.sort((a, b) => a - b)[took.length >> 1]!]);
  }
  const start = performance.now();
  const probes = hashProbesOf(imageOf(0.01));
  let found = 0;
  for (const probe of probes) {
    for (let i = 0; i < count; i++) if (hashDistance(probe, flat, i * 32) <= 0.2) found++;
  }
  const plain = performance.now() - start;
  console.log('\n| frames of a submission | median ms |\n| --- | --- |');
  for (const [frames, ms] of times) console.log(`| ${frames} | ${ms.toFixed(1)} |`);
  console.log(`\nmemory: ${bytes.toFixed(0)} bytes a frame (144 in the index; the rest is of the process)`);
  console.log(
    `one frame, hashes alone, in JavaScript: ${plain.toFixed(0)} ms (${found} candidates), ${(plain / times[0]![1]).toFixed(1)} times as long`,
  );
  await index.close();
} finally {
  await store.close();
  rmSync(folder, { recursive: true });
}
