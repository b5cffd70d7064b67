// Left out of npm test, unless it is named.
import { randomBytes } from 'node:crypto';
import type { AlignedFaceImage } from '@wajah/engine';
import { frameDetailOf, hashProbesOf } from '@wajah/engine/series';
import { expect, it, onTestFinished } from 'vitest';
import { createFrameIndex } from '../../src/matching/frames/frame-index.ts';
import { createFrameVault } from '../../src/security/vaults/row-vaults.ts';
import type { Store } from '../../src/store/store.ts';
import { unlimited } from '../support/store.ts';
import { describeStores } from './kinds.ts';

const vault = createFrameVault(randomBytes(32));
const side = 96;
const all = Number.MAX_SAFE_INTEGER;

/** A face of its own for each number. @param brighter levels of brightness */
function imageOf(number: number, brighter = 0): AlignedFaceImage {
  const luma = Uint8Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [i % side, Math.floor(i / side)];
    const wave = (a: number, b: number) => Math.sin(x / a + y / b + number * a);
    return 120 + brighter + 30 * wave(9, 23) + 30 * wave(-7, 7 + number) + 20 * wave(3.1, 4.3);
  });
  return { luma, inside: new Uint8Array(side * side).fill(1) };
}

const hashOf = (image: AlignedFaceImage) => {
  const bits = new Uint8Array(hashProbesOf(image)[0].bits.buffer);
  return { bits, image };
};

/** Records the frames of a session of a user, one of each number. */
function record({ frames }: Store, clientId: string, userId: string, numbers: readonly number[]) {
  const id = `session of ${userId}`;
  const records = numbers.map((number) => {
    const { bits, image } = hashOf(imageOf(number));
    const detail = vault.seal('detail', id, frameDetailOf(image));
    return { digest: vault.digest(Buffer.from([number])), hash: vault.seal('hash', id, bits), detail };
  });
  return frames.record({ id, clientId, galleryId: 'g', userId }, records, new Date());
}

/** The index of one more server. */
function serverOf({ readerOptions: options }: Store) {
  const index = createFrameIndex({ options, keys: vault.keys, hours: 1 });
  onTestFinished(() => index.close());
  const find = (numbers: readonly number[], before = all) => {
    const frame = (number: number) => ({ digest: randomBytes(32), image: imageOf(number, 9) });
    return index.findUsed(numbers.map(frame), before);
  };
  return { ...index, find };
}

async function withClients(store: Store): Promise<Store> {
  for (const clientId of ['a', 'b']) {
    await store.clients.create({ clientId, passwordHash: null, quota: unlimited });
    await store.clients.register(clientId, new Date());
  }
  return store;
}

describeStores('the index of frames', (open) => {
  it('finds changed frames of all clients on every server of a store, of earlier records only', async () => {
    const store = await withClients(await open());
    const [one, two] = [serverOf(store), serverOf(store)];
    expect(await one.find([1, 2])).toEqual([false, false]);
    await record(store, 'a', 'u', [1]);
    expect(await Promise.all([one.find([1, 2]), two.find([1, 2])])).toEqual([
      [true, false],
      [true, false],
    ]);
    const later = await record(store, 'b', 'v', [2]);
    expect(await two.find([1, 2], later)).toEqual([true, false]);
    expect(await two.find([1, 2])).toEqual([true, true]);
    const digest = vault.digest(Buffer.from([2]));
    expect(await one.findUsed([{ digest, image: undefined }], all)).toEqual([true]);
    expect(await one.findUsed([{ digest, image: undefined }], later)).toEqual([false]);
  });

  it('keeps no hash of erased frames in memory: of a user, a client, an expired one', async () => {
    const store = await withClients(await open());
    await record(store, 'a', 'u', [1, 2]);
    await record(store, 'a', 'v', [3]);
    await record(store, 'b', 'u', [4]);
    const { refresh } = serverOf(store);
    expect(await refresh()).toBe(4);
    await store.frames.forgetUser({ clientId: 'a', galleryId: 'g', userId: 'u' });
    expect(await refresh()).toBe(2);
    await store.clients.remove('b');
    expect(await refresh()).toBe(1);
    const soon = new Date(Date.now() + 1000);
    await store.sessions.prune(new Date(), { sessions: soon, frames: soon });
    expect(await refresh()).toBe(0);
  });

  it('finds a frame among more copies of it that were erased than it compares', async () => {
    const store = await withClients(await open());
    const { find, refresh } = serverOf(store);
    for (let copy = 0; copy < 9; copy++) {
      await record(store, 'a', `u${copy}`, [1]);
      await refresh();
      await store.frames.forgetUser({ clientId: 'a', galleryId: 'g', userId: `u${copy}` });
    }
    expect(await find([1])).toEqual([false]);
    await record(store, 'a', 'v', [1]);
    for (let copy = 0; copy < 9; copy++) await record(store, 'b', `w${copy}`, [1]);
    expect(await find([2])).toEqual([false]);
    for (let copy = 0; copy < 9; copy++)
      await store.frames.forgetUser({ clientId: 'b', galleryId: 'g', userId: `w${copy}` });
    expect(await find([1])).toEqual([true]);
  });

  it('tells which frames are the same picture', async () => {
    const { findSame } = serverOf(await open());
    const frames = [imageOf(1), imageOf(2), imageOf(1, 9)].map(hashOf);
    expect(await findSame(frames, [[0, 1], [0, 2], [1, 2]])).toEqual([false, true, false]); // biome-ignore format: pairs
    expect(await findSame([], [])).toEqual([]);
  });
});
