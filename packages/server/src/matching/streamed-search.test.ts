import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { openStore, unlimited } from '../../test/support/store.ts';
import { createTemplateVault } from '../security/vaults/template-vault.ts';
import { createExactMatcher } from './exact-matcher.ts';
import { Arenas } from './scan/arenas.ts';
import { ScanPool } from './scan/scanner.ts';

const vault = createTemplateVault(randomBytes(32));
const probe = Float32Array.from([1, 0]);

/** A gallery of one face that is beyond the memory limit; reading it begins with `slices`, and goes on when released. */
async function stand() {
  const store = openStore();
  await store.clients.create({ clientId: 'a', passwordHash: null, quota: unlimited });
  const made = await store.galleries.create('a', 'main', (id) => vault.wrapNewKey('a', id));
  if (typeof made === 'string') throw new Error(made);
  const template = vault.gallery(made).seal('u1', probe);
  await store.faces.enrol(made.id, { userId: 'u1', userName: 'U', template, embeddingSpec: 'c' }, true);
  const gallery = (await store.galleries.get('a', 'main'))!;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let slices = 0;
  const faces = {
    ...store.faces,
    slice: async (...asked: Parameters<typeof store.faces.slice>) => {
      slices += 1;
      await released;
      return store.faces.slice(...asked);
    },
  };
  const matcher = createExactMatcher({ faces, vault, budget: 0 });
  const search = (signal?: AbortSignal) => matcher.search(gallery, probe, 1, signal);
  return { search, release, slices: () => slices };
}

it('searches beyond the memory limit wait in a bounded queue; further ones are refused', async () => {
  const { search, release } = await stand();
  const accepted = Array.from({ length: 17 }, () => search());
  await expect(search()).rejects.toThrow('16 searches of galleries that do not fit into memory are waiting');
  release();
  for (const [match] of await Promise.all(accepted)) expect(match?.userId).toBe('u1');
  await expect(search()).resolves.toHaveLength(1);
});

it('a search whose caller disconnects reads no more of the store, waiting or reading', async () => {
  const { search, release, slices } = await stand();
  const [reading, waiting] = [new AbortController(), new AbortController()];
  const searches = [search(reading.signal), search(waiting.signal), search()];
  const answers = Promise.allSettled(searches);
  while (slices() === 0) await new Promise(setImmediate);
  reading.abort(new Error('gone while reading'));
  waiting.abort(new Error('gone while waiting'));
  const before = slices();
  release();
  const [first, second, third] = await answers;
  expect(second).toMatchObject({ reason: { message: 'gone while waiting' } });
  expect(third).toMatchObject({ status: 'fulfilled' });
  // The slice that was being read is all of this gallery.
  expect(['fulfilled', 'rejected']).toContain(first?.status);
  expect(before).toBe(1);
});

it('a scan that waits for a thread is forgotten when its caller disconnects', async () => {
  const pool = new ScanPool(new Arenas(), 1);
  const target = { rows: 0, dimensions: 2, blocks: [] } as unknown as Parameters<ScanPool['search']>[0];
  const caller = new AbortController();
  const other = new AbortController();
  const running = pool.search(target, probe, 1, other.signal).catch(() => 'ended');
  const waiting = pool.search(target, probe, 1, caller.signal);
  caller.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await pool.close();
  await running;
  // A call searches with one signal for each of its pictures and steps.
  expect(getEventListeners(other.signal, 'abort')).toEqual([]);
});
