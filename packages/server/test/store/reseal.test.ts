// Left out of npm test, unless it is named.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createEvents } from '../../src/events.ts';
import { openAuditChain } from '../../src/security/audit-chain.ts';
import { recordMasterKey } from '../../src/security/keys/master-key.ts';
import { openSharedSigningKeys } from '../../src/security/keys/signing-keys.ts';
import {
  createFrameVault,
  createRecordingVault,
  createWebhookVault,
} from '../../src/security/vaults/row-vaults.ts';
import { type Keys, SealError } from '../../src/security/vaults/sealing.ts';
import { createTemplateVault, type GalleryVault } from '../../src/security/vaults/template-vault.ts';
import { createLogger } from '../../src/server/logger.ts';
import { withPresentKeys } from '../../src/services/galleries/lookup.ts';
import { keyStatusOf, resealInBackground } from '../../src/services/resealing/reseal.ts';
import type { GalleryRecord } from '../../src/store/gallery-store.ts';
import type { Store } from '../../src/store/store.ts';
import { face } from '../support/store.ts';
import { describeStores } from './kinds.ts';

const [former, present] = [randomBytes(32), randomBytes(32)];
const people = Array.from({ length: 40 }, (_, i) => `user ${i}`);
const template = Float32Array.of(0.25, -1);
const crop = { jpeg: Buffer.from('a face'), box: { x: 1, y: 2, width: 3, height: 4 } };
const session = { id: 'session', clientId: 'a', galleryId: null, userId: null };
const pictures = Buffer.from('pictures');

/** Two galleries, frames and a recording, all sealed under the former master key. */
async function prepare(store: Store): Promise<void> {
  const vault = createTemplateVault(former);
  await recordMasterKey(former, store.meta);
  const quota = { hits: -1, faces: -1, galleries: -1 };
  await store.clients.create({ clientId: 'a', passwordHash: null, quota });
  await store.clients.register('a', new Date(0));
  for (const name of ['main', 'other']) {
    const gallery = await store.galleries.create('a', name, (id) => vault.wrapNewKey('a', id));
    if (typeof gallery === 'string') throw new Error(gallery);
    for (const user of people)
      await store.faces.enrol(gallery.id, sealedFace(vault.gallery(gallery), user), false);
    await store.templateMigration.begin(gallery.id, 'next');
    const [pending] = await store.templateMigration.nextPending(gallery.id, 'next', 0, 1);
    const next = vault.gallery(gallery).sealAll(pending!.userId, [template, template]);
    await store.templateMigration.storeTemplates(gallery.id, 'next', [{ ...pending!, template: next }]);
  }
  const frames = createFrameVault(former);
  await store.frames.record(session, { frames: 2, shapes: frames.seal(session.id, pictures) }, new Date());
  const recordings = createRecordingVault(former);
  const judgement = recordings.seal(session, null, pictures);
  const recording = { id: session.id, clientId: 'a', at: new Date(), digests: [], judgement, bytes: 100 };
  await store.recordings.begin(recording, 1000);
  for (const part of [0, 1]) {
    await store.recordings.addPart(session.id, part, recordings.seal(session, part, pictures));
  }
  await store.recordings.complete(session.id);
}

function sealedFace(vault: GalleryVault, user: string) {
  return { ...face(user), template: vault.seal(user, template), crop: vault.sealCrop(user, crop) };
}

async function openDeps(store: Store, masterKeys: Keys) {
  const log = createLogger('silent');
  const chain = await openAuditChain(masterKeys, store.meta);
  return {
    store,
    masterKeys,
    chain,
    vault: createTemplateVault(...masterKeys),
    signingKeys: await openSharedSigningKeys(masterKeys, store.meta),
    events: createEvents({ log, store, chain }),
    frameVault: createFrameVault(...masterKeys),
    recordingVault: createRecordingVault(...masterKeys),
    webhookVault: createWebhookVault(...masterKeys),
  };
}

const galleriesOf = (store: Store) => store.galleries.list('a');

/** Opens everything with the master keys given. */
async function expectReadable(store: Store, ...keys: Keys): Promise<void> {
  const vault = createTemplateVault(...keys);
  for (const gallery of await galleriesOf(store)) {
    const opened = vault.gallery(gallery);
    for (const user of people) {
      expect(opened.open(user, (await store.faces.get(gallery.id, user))!.template)).toEqual(template);
      const [kept] = await store.crops.get(gallery.id, user);
      expect(opened.openCrop(user, kept!)).toMatchObject({ box: crop.box });
    }
  }
  const frames = createFrameVault(...keys);
  const [remembered] = await store.frames.list(0, 10);
  expect(Buffer.from(frames.open(session.id, remembered!.shapes))).toEqual(pictures);
  const recordings = createRecordingVault(...keys);
  for (const { part, sealed } of await store.recordings.parts(session.id, { after: -1, limit: 9 })) {
    expect(Buffer.from(recordings.open(session, part, sealed))).toEqual(pictures);
  }
  const [{ judgement } = { judgement: Buffer.alloc(0) }] = await store.recordings.list({
    after: '',
    limit: 1,
  });
  expect(Buffer.from(recordings.open(session, null, judgement))).toEqual(pictures);
}

async function resealed(store: Store): Promise<void> {
  const deps = await openDeps(store, [present, former]);
  const job = resealInBackground(deps, createLogger('silent'));
  await expect.poll(async () => (await keyStatusOf(deps)).done).toBe(true);
  await job.stop();
  await deps.events.settled();
}

describeStores('the master key is replaced', (open) => {
  it('everything is sealed anew, also after interruptions; nothing of before opens a row', async () => {
    const store = await open(prepare);
    const before = createTemplateVault(former);
    const vaults = new Map((await galleriesOf(store)).map((it) => [it.id, before.gallery(it)]));
    for (let round = 0; round < 4; round++) {
      const deps = await openDeps(store, [present, former]);
      const job = resealInBackground(deps, createLogger('silent'));
      await pause(5 * round);
      await job.stop();
      await deps.events.settled();
      await expectReadable(store, present, former);
    }
    await resealed(store);
    await expectReadable(store, present);
    for (const gallery of await galleriesOf(store)) {
      expect(gallery.formerKey).toBeNull();
      expect(() => before.gallery(gallery)).toThrow(SealError);
      const stored = await store.faces.get(gallery.id, people[0]!);
      expect(() => vaults.get(gallery.id)!.open(people[0]!, stored!.template)).toThrow(SealError);
      const place = { name: '', part: -1 };
      const [next] = await store.sealed.next('nextTemplate', gallery.id, place, 2);
      const opened = createTemplateVault(present).gallery(gallery);
      expect(opened.openAll(next!.name, next!.sealed)).toHaveLength(2);
    }
    const only = await openDeps(store, [present]);
    expect(await keyStatusOf(only)).toMatchObject({ done: true, galleries: 2, pendingGalleries: 0 });
  });

  it('is recorded in the audit trail, once for each run that has something to do', async () => {
    const store = await open(prepare);
    await resealed(store);
    await resealed(store);
    const records = await store.audit.list({ event: 'administered', limit: 10 });
    expect(records.map(({ facts }) => facts)).toEqual([
      { operation: 'replace-master-key', stage: 'done', galleries: 2 },
      { operation: 'replace-master-key', stage: 'started' },
    ]);
  });

  it('calls that know the former key read and write with the present one', async () => {
    const store = await open(prepare);
    const vault = createTemplateVault(present, former);
    const stale = (await store.galleries.get('a', 'main'))!;
    const enrol = (gallery: GalleryRecord) => {
      const written = { ...sealedFace(vault.gallery(gallery), 'late'), sealedWith: gallery.wrappedKey };
      return store.faces.enrol(gallery.id, written, false);
    };
    await resealed(store);
    expect(await enrol(stale)).toBe('changed');
    const template = [{ userId: people[1]!, seq: 2, template: Buffer.from('x') }];
    const { storeTemplates } = store.templateMigration;
    expect(await storeTemplates(stale.id, 'next', template, stale.wrappedKey)).toBe(false);
    const user = people[0]!;
    const read = async (gallery: GalleryRecord) =>
      vault.gallery(gallery).open(user, (await store.faces.get(gallery.id, user))!.template);
    await expect(read(stale)).rejects.toThrow(SealError);
    expect(await withPresentKeys(store, stale, read)).toEqual(Float32Array.of(0.25, -1));
    expect(await enrol((await store.galleries.get('a', 'main'))!)).toEqual(expect.any(Number));
  });

  it('a gallery that is erased meanwhile has no key left', async () => {
    const store = await open(prepare);
    const vault = createTemplateVault(present, former);
    const [gallery] = await galleriesOf(store);
    const { id, wrappedKey } = gallery!;
    expect(await store.galleries.replaceKeys(id, wrappedKey, vault.renewKeys(gallery!)!)).toBe(true);
    expect(await store.galleries.replaceKeys(id, wrappedKey, vault.renewKeys(gallery!)!)).toBe(false);
    expect((await store.galleries.get('a', gallery!.galleryId))?.formerKey).not.toBeNull();
    await store.galleries.remove('a', gallery!.galleryId);
    await resealed(store);
    expect((await galleriesOf(store)).map(({ galleryId }) => galleryId)).toEqual(['other']);
  });
});
