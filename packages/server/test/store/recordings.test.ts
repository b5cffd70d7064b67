import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backUp } from '../../../tools/src/store/plain-backup.ts';
import type { NewRecording } from '../../src/store/recording-store.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { openStore, unlimited } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { describeStores } from './kinds.ts';

const now = new Date();
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const mebibyte = 2 ** 20;
const page = { after: '', limit: 10 };
const allParts = { after: -1, limit: 100 };

function recording(id: string, more: Partial<NewRecording> = {}): NewRecording {
  const digests = [Buffer.from('person'), Buffer.from(`only ${id}`)];
  const judgement = Buffer.from(`judgement ${id}`);
  return { id, clientId: 'a', at: now, digests, judgement, bytes: 100, ...more };
}

async function withClients(store: Store): Promise<Store> {
  for (const clientId of ['a', 'b']) {
    await store.clients.create({ clientId, passwordHash: null, quota: unlimited });
    await store.clients.register(clientId, now);
  }
  return store;
}

/** Records a session with that many parts. */
async function record({ recordings }: Store, one: NewRecording, parts = 2): Promise<void> {
  expect(await recordings.begin(one, mebibyte)).toBe('begun');
  for (let part = 0; part < parts; part++) {
    expect(await recordings.addPart(one.id, part, Buffer.from(`picture ${one.id} ${part}`))).toBe(true);
  }
  await recordings.complete(one.id);
}

const ids = async ({ recordings }: Store) => (await recordings.list(page)).map(({ id }) => id);
const texts = async ({ recordings }: Store, id: string) =>
  (await recordings.parts(id, allParts)).map(({ part, sealed }) => [part, Buffer.from(sealed).toString()]);

describeStores('recorded sessions of a store', (open) => {
  it('are listed and read once they are complete, in order and by pages', async () => {
    const store = await withClients(await open());
    await record(store, recording('2'));
    await record(store, recording('1', { clientId: 'b' }), 12);
    await store.recordings.begin(recording('3'), mebibyte);
    await store.recordings.addPart('3', 0, Buffer.from('x'));
    const [first, second, ...others] = await store.recordings.list(page);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ id: '1', clientId: 'b', at: now, bytes: 100, label: null, species: null });
    expect(Buffer.from(second!.judgement).toString()).toBe('judgement 2');
    expect(await store.recordings.list({ after: '1', limit: 1 })).toMatchObject([{ id: '2' }]);
    expect(await texts(store, '2')).toEqual([
      [0, 'picture 2 0'],
      [1, 'picture 2 1'],
    ]);
    const some = await store.recordings.parts('1', { after: 9, limit: 5 });
    expect(some.map(({ part }) => part)).toEqual([10, 11]);
    expect(await store.recordings.parts('3', allParts)).toEqual([]);
  });

  it('are recorded once, while there is room, and for registered clients only', async () => {
    const store = await withClients(await open());
    const { recordings } = store;
    await record(store, recording('1', { bytes: 60 }));
    expect(await recordings.begin(recording('1', { bytes: 60 }), mebibyte)).toBe('gone');
    expect(await recordings.begin(recording('2', { bytes: 41 }), 100)).toBe('full');
    expect(await recordings.begin(recording('2', { bytes: 40 }), 100)).toBe('begun');
    expect(await recordings.begin(recording('3', { clientId: 'nobody' }), mebibyte)).toBe('gone');
    expect(await recordings.begin(recording('3', { at: later(-1) }), mebibyte)).toBe('gone');
    await store.clients.unregister('a');
    expect(await recordings.begin(recording('3'), mebibyte)).toBe('gone');
  });

  it('are labelled', async () => {
    const store = await withClients(await open());
    await record(store, recording('1'));
    expect(await store.recordings.label('1', 'attack', 'print')).toBe(true);
    expect(await store.recordings.list(page)).toMatchObject([{ label: 'attack', species: 'print' }]);
    expect(await store.recordings.label('1', 'bona_fide', null)).toBe(true);
    expect(await store.recordings.list(page)).toMatchObject([{ label: 'bona_fide', species: null }]);
    expect(await store.recordings.label('2', 'bona_fide', null)).toBe(false);
  });

  it('are erased by digest, id, client, or all, with their parts', async () => {
    const store = await withClients(await open());
    const { recordings } = store;
    for (const id of ['1', '2', '3', '4']) await record(store, recording(id), 20);
    await record(store, recording('5', { clientId: 'b', digests: [] }), 20);
    expect(await recordings.erase({ digest: Buffer.from('nobody') })).toBe(0);
    expect(await recordings.erase({ clientId: 'b', digest: Buffer.from('person') })).toBe(0);
    expect(await recordings.erase({ digest: Buffer.from('only 2') })).toBe(1);
    expect(await texts(store, '2')).toEqual([]);
    expect(await recordings.erase({ id: '3' })).toBe(1);
    expect(await ids(store)).toEqual(['1', '4', '5']);
    expect(await recordings.erase({ clientId: 'a', digest: Buffer.from('person') })).toBe(2);
    expect(await ids(store)).toEqual(['5']);
    expect(await recordings.erase({})).toBe(1);
    expect(await ids(store)).toEqual([]);
    // Their room is free again.
    expect(await recordings.begin(recording('6', { bytes: mebibyte }), mebibyte)).toBe('begun');
  });

  it('erased while they are written get no further part', async () => {
    const store = await withClients(await open());
    await store.recordings.begin(recording('1'), mebibyte);
    expect(await store.recordings.addPart('1', 0, Buffer.from('x'))).toBe(true);
    expect(await store.recordings.erase({ digest: Buffer.from('person') })).toBe(1);
    expect(await store.recordings.addPart('1', 1, Buffer.from('x'))).toBe(false);
    await store.recordings.complete('1');
    expect(await ids(store)).toEqual([]);
  });

  it('expire, and unfinished ones earlier', async () => {
    const store = await withClients(await open());
    await record(store, recording('1', { at: later(10) }));
    await record(store, recording('2', { at: later(20) }));
    await store.recordings.begin(recording('3', { at: later(30), bytes: mebibyte - 200 }), mebibyte);
    await store.recordings.prune(later(15), later(25));
    expect(await ids(store)).toEqual(['2']);
    expect(await texts(store, '1')).toEqual([]);
    expect(await store.recordings.addPart('3', 0, Buffer.from('x'))).toBe(true);
    await store.recordings.prune(later(15), later(31));
    expect(await store.recordings.addPart('3', 1, Buffer.from('x'))).toBe(false);
  });
});

describe('recorded sessions on disk', () => {
  const raw = (directory: string) =>
    Buffer.concat(readdirSync(directory).map((name) => readFileSync(join(directory, name))));

  it.each(['digest', 'client', 'expiry'] as const)('are overwritten by their erasure: %s', async (way) => {
    const directory = temporaryDirectory();
    const store = await withClients(openStore(directory));
    await record(store, recording('1'), 20);
    await record(store, recording('2', { clientId: 'b', at: later(60) }), 20);
    expect(raw(directory).includes('picture 1 7')).toBe(true);
    if (way === 'digest') await store.recordings.erase({ digest: Buffer.from('only 1') });
    if (way === 'client') await store.clients.unregister('a');
    if (way === 'expiry') await store.recordings.prune(later(30), now);
    expect(raw(directory).includes('picture 1 ')).toBe(false);
    expect(raw(directory).includes('judgement 1')).toBe(false);
    expect(raw(directory).includes('picture 2 7')).toBe(true);
  });

  it('are not in a backup', async () => {
    const directory = temporaryDirectory();
    const store = await withClients(openStore(directory));
    await record(store, recording('1'), 20);
    const target = join(temporaryDirectory(), 'backup.db');
    backUp(join(directory, 'wajah.db'), target);
    expect(readFileSync(target).includes('picture 1 ')).toBe(false);
    const restored = openSqliteStore(target);
    expect(await restored.recordings.list(page)).toEqual([]);
    expect(await restored.clients.get('a')).not.toBeNull();
    await restored.close();
  });
});
