import { randomBytes } from 'node:crypto';
import type { Face } from '@wajah/engine';
import { expect, it, onTestFinished } from 'vitest';
import { createFrameVault } from '../../src/security/vaults/row-vaults.ts';
import { createReplays } from '../../src/services/liveness/replays.ts';
import type { LivenessSessionRecord } from '../../src/store/ports/sessions.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { unlimited } from '../support/store.ts';
import { describeStores } from './kinds.ts';

const vault = createFrameVault(randomBytes(32));

/** A frame whose face has a shape of its own. @param moved by how much each point lies elsewhere */
function frame(number: number, moved = 0) {
  const shape = Int16Array.from({ length: 212 }, (_, i) => 9000 * Math.sin(number * (i + 1)) + moved);
  const result = { face: { shape } as unknown as Face, found: 1, faults: 0 };
  return { name: `frames[${number}]`, digest: Buffer.alloc(32), result };
}

function session(id: string, clientId = 'a', userId = 'u'): LivenessSessionRecord {
  const times = { createdAt: new Date(), expiresAt: new Date() };
  const nothing = { subject: null, nonce: 'n' };
  return { id, clientId, galleryId: 'g', userId, steps: ['face front'], ...times, ...nothing };
}

/** One more server of a store. */
function serverOf({ frames }: Store, key = vault, hours = 1) {
  const replays = createReplays({ frames, vault: key, hours });
  onTestFinished(() => replays.close());
  return {
    refresh: replays.refresh,
    /** Judges a session with these frames, which passes otherwise. @returns names of the frames that were used before */
    async passes(one: LivenessSessionRecord, frames: readonly ReturnType<typeof frame>[]) {
      const reasons = await replays.check(one, frames, [...frames.keys()], true);
      return reasons.map(({ finding }) => finding);
    },
    /** As `passes` of a session that does not pass. */
    async fails(frames: readonly ReturnType<typeof frame>[]) {
      const reasons = await replays.check(session('x'), frames, [...frames.keys()], false);
      return reasons.map(({ finding }) => finding);
    },
  };
}

async function withClients(store: Store): Promise<Store> {
  for (const clientId of ['a', 'b']) {
    await store.clients.create({ clientId, passwordHash: null, quota: unlimited });
    await store.clients.register(clientId, new Date());
  }
  return store;
}

const used = (...numbers: number[]) => numbers.map((number) => `frames[${number}] was used before`);

describeStores('frames of passed sessions', (open) => {
  it('are found on every server of the store and after a restart, of all clients, also a little changed', async () => {
    const store = await withClients(await open());
    const [one, two] = [serverOf(store), serverOf(store)];
    expect(await one.passes(session('s1'), [frame(1), frame(2), frame(3)])).toEqual([]);
    const changed = [frame(1, 35), frame(7), frame(2, 35)];
    for (const server of [one, two, serverOf(store)])
      expect(await server.passes(session('s2', 'b'), changed)).toEqual(used(1, 2));
    expect(await two.passes(session('s3', 'b'), [frame(4), frame(5)])).toEqual([]);
    expect(await one.fails([frame(4)])).toEqual(used(4));
    // Those of a session that was refused are not remembered.
    expect(await one.fails([frame(7)])).toEqual([]);
  });

  it('decide for exactly one of concurrent sessions with the same frames', async () => {
    const store = await withClients(await open());
    const servers = [serverOf(store), serverOf(store)];
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => servers[i % 2]!.passes(session(`s${i}`), [frame(1), frame(2)])),
    );
    expect(answers.filter((names) => names.length === 0)).toHaveLength(1);
  });

  it('need more evidence than two frames of two sessions that are a little alike', async () => {
    const store = await withClients(await open());
    const server = serverOf(store);
    const fresh = [frame(21), frame(22)];
    for (const number of [1, 2])
      await server.passes(session(`s${number}`), [frame(number), frame(10 + number)]);
    expect(await server.fails([frame(1, 35), frame(2, 35), ...fresh])).toEqual([]);
    expect(await server.fails([frame(1, 35), frame(11, 35), ...fresh])).toEqual(used(1, 11));
  });

  it('are found where all of them were moved so far that two alone would not be', async () => {
    const store = await withClients(await open());
    const server = serverOf(store);
    const numbers = [1, 2, 3, 4];
    await server.passes(
      session('s1'),
      numbers.map((number) => frame(number)),
    );
    const moved = numbers.map((number) => frame(number, 105));
    expect(await server.fails([...moved.slice(0, 2), frame(21), frame(22)])).toEqual([]);
    expect(await server.fails(moved)).toEqual(used(...numbers));
  });

  it('leave the memory of all servers with their user, client or time', async () => {
    const store = await withClients(await open());
    const [one, two] = [serverOf(store), serverOf(store)];
    await one.passes(session('s1', 'a', 'u'), [frame(1)]);
    await one.passes(session('s2', 'a', 'v'), [frame(2)]);
    await one.passes(session('s3', 'b', 'u'), [frame(3)]);
    expect(await two.refresh()).toBe(3);
    await store.frames.forgetUser({ clientId: 'a', galleryId: 'g', userId: 'u' });
    expect(await Promise.all([one.refresh(), two.refresh()])).toEqual([2, 2]);
    expect(await two.fails([frame(1)])).toEqual([]);
    await store.clients.remove('b');
    expect(await Promise.all([one.refresh(), two.refresh()])).toEqual([1, 1]);
    const soon = new Date(Date.now() + 1000);
    await store.sessions.prune(new Date(), { sessions: soon, frames: soon });
    expect(await Promise.all([one.refresh(), two.refresh()])).toEqual([0, 0]);
    expect(await one.passes(session('s4'), [frame(2)])).toEqual([]);
  });

  it('are not compared when they are older than they are remembered, or open under another key', async () => {
    const store = await withClients(await open());
    await serverOf(store).passes(session('s1'), [frame(1)]);
    expect(await serverOf(store, vault, -1).fails([frame(1)])).toEqual([]);
    expect(await serverOf(store, createFrameVault(randomBytes(32))).fails([frame(1)])).toEqual([]);
    expect(await serverOf(store).fails([frame(1)])).toEqual(used(1));
  });
});
