import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createOpenidVaults } from '../../src/features/openid/vault.ts';
import { createWebhookVault } from '../../src/features/webhooks/vault.ts';
import { openAuditChain } from '../../src/security/audit-chain.ts';
import { keyDigest, verifyMasterKey } from '../../src/security/keys/master-key.ts';
import { openSharedSigningKeys } from '../../src/security/keys/signing-keys.ts';
import { createFrameVault } from '../../src/security/vaults/row-vaults.ts';
import { type Keys, SealError } from '../../src/security/vaults/sealing.ts';
import { createTemplateVault, type GalleryVault } from '../../src/security/vaults/template-vault.ts';
import { resealStore } from '../../src/services/resealing/reseal.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { galleryColumns } from '../../src/store/sealed-store.ts';
import { addApp, addState, openidStore } from '../support/openid-rows.ts';
import { face } from '../support/store.ts';
import { addUnknown, unknownStore } from '../support/unknown-rows.ts';
import { webhookStore } from '../support/webhooks.ts';
import { describeStores } from './kinds.ts';

const [former, present] = [randomBytes(32), randomBytes(32)];
const people = Array.from({ length: 40 }, (_, i) => `user ${i}`);
const template = Float32Array.of(0.25, -1);
const crop = { jpeg: Buffer.from('a face'), box: { x: 1, y: 2, width: 3, height: 4 } };
const unknownId = 'somebody unknown';
const session = { id: 'session', clientId: 'a', galleryId: null, userId: null };
const pictures = Buffer.from('pictures');
const signing = { id: 'signing', clientId: '' };
const webhook = { present: 'c2VjcmV0', former: null };

/** Two galleries and frames, all sealed under the former master key. */
async function prepare(store: Store): Promise<void> {
  const vault = createTemplateVault(former);
  await verifyMasterKey([former], store.meta, 'the key');
  await openAuditChain([former], store.meta);
  await openSharedSigningKeys([former], store.meta);
  const quota = { hits: -1, faces: -1, galleries: -1 };
  await store.clients.create({ clientId: 'a', passwordHash: null, quota });
  await store.clients.register('a', new Date(0));
  for (const name of ['main', 'other']) {
    const gallery = await store.galleries.create('a', name, (id) => vault.wrapNewKey('a', id));
    if (typeof gallery === 'string') throw new Error(gallery);
    for (const user of people)
      await store.faces.put(gallery.id, sealedFace(vault.gallery(gallery), user), false);
    const opened = vault.gallery(gallery);
    const sealed = { template: opened.seal(unknownId, template), crop: opened.sealCrop(unknownId, crop) };
    await addUnknown(store, gallery, { unknownId, ...sealed });
  }
  const frames = createFrameVault(former);
  await store.frames.record(session, { frames: 2, shapes: frames.seal(session.id, pictures) }, new Date());
  const secret = createWebhookVault(former).seal({ clientId: 'a', id: 'w' }, webhook);
  const endpoint = {
    id: 'w',
    clientId: 'a',
    url: 'https://example.com/',
    types: null,
    createdAt: new Date(),
  };
  await webhookStore(store).add({ ...endpoint, secret }, 10);
  const { secret: apps, payload, keys } = createOpenidVaults(former);
  const app = { id: 'app', clientId: 'a', galleryId: 'main' };
  await addApp(store, { ...app, secret: apps.seal(app, 'of the app') });
  const state = { ...app, id: 'state', app: 'app', userId: people[0]! };
  await addState(store, state, payload.seal(state, { of: 'a code' }));
  await openidStore(store).keys('signing', async () => keys.seal(signing, ['a key']));
  const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000) };
  await store.sessions.create({
    ...session,
    ...times,
    subject: null,
    steps: ['face front'],
    nonce: 'n',
  });
  await store.sessions.storeTemplate('a', session.id, { template: pictures, until: times.expiresAt });
}

function sealedFace(vault: GalleryVault, user: string) {
  return { ...face(user), template: vault.seal(user, template), crop: vault.sealCrop(user, crop) };
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
    const unknown = (await unknownStore(store).get(gallery, unknownId))!;
    expect(opened.open(unknownId, unknown.template)).toEqual(template);
    expect(opened.openCrop(unknownId, unknown.crop!)).toMatchObject({ box: crop.box });
  }
  const frames = createFrameVault(...keys);
  const [remembered] = await store.frames.list(0, 10);
  expect(Buffer.from(frames.open(session.id, remembered!.shapes))).toEqual(pictures);
  const { secret } = (await webhookStore(store).find('w'))!;
  expect(createWebhookVault(...keys).open({ clientId: 'a', id: 'w' }, secret)).toEqual(webhook);
  const [vaults, openid] = [createOpenidVaults(...keys), openidStore(store)];
  const [app, state] = [(await openid.app('app'))!, (await openid.state('state'))!];
  expect(vaults.secret.open(app, app.secret!)).toBe('of the app');
  expect(vaults.payload.open(state, state.payload)).toEqual({ of: 'a code' });
  const sealed = await openid.keys('signing', () => Promise.reject(new Error('there are none')));
  expect(vaults.keys.open(signing, sealed)).toEqual(['a key']);
}

describeStores('the master key is replaced', (open) => {
  it('everything is sealed anew; nothing of before opens a row', async () => {
    const store = await open(prepare);
    const before = createTemplateVault(former);
    const vaults = new Map((await galleriesOf(store)).map((it) => [it.id, before.gallery(it)]));
    const kids = (await (await openSharedSigningKeys([former], store.meta)).jwks()).keys.map(
      ({ kid }) => kid,
    );
    expect(await resealStore(store, present, former)).toEqual({ galleries: 2, faces: 80, damaged: 0 });
    await expectReadable(store, present);
    for (const gallery of await galleriesOf(store)) {
      expect(() => before.gallery(gallery)).toThrow(SealError);
      const stored = await store.faces.get(gallery.id, people[0]!);
      expect(() => vaults.get(gallery.id)!.open(people[0]!, stored!.template)).toThrow(SealError);
    }
    expect(await store.sessions.passedParts('a', session.id, new Date())).toBeNull();
    const { keys } = await (await openSharedSigningKeys([present], store.meta)).jwks();
    expect(keys.map(({ kid }) => kid)).toEqual(kids);
    await expect(openSharedSigningKeys([former], store.meta)).rejects.toThrow(SealError);
    await expect(openAuditChain([former], store.meta)).rejects.toThrow('does not open');
  });

  it('is recorded in the audit trail, in the same transaction', async () => {
    const store = await open(prepare);
    await resealStore(store, present, former);
    const [record] = await store.audit.list({ event: 'administered', limit: 10 });
    expect(record!.facts).toEqual({ operation: 'rotate-master', galleries: 2, damaged: 0 });
    const chain = await openAuditChain([present], store.meta);
    expect(chain.isSealed(record!.link!)).toBe(true);
  });

  it('a key that was replaced stops the start, which says so', async () => {
    const store = await open(prepare);
    await resealStore(store, present, former);
    await expect(verifyMasterKey([former], store.meta, 'the key')).rejects.toThrow(
      'is the former master key',
    );
    await expect(verifyMasterKey([randomBytes(32)], store.meta, 'the key')).rejects.toThrow(
      'is not the key that',
    );
    expect(await verifyMasterKey([former, present], store.meta, 'the key')).toBe(present);
  });

  it('a failure leaves everything as it was', async () => {
    const store = await open(prepare);
    const failing = {
      ...store,
      alone: (work: Parameters<Store['alone']>[0]) =>
        store.alone(async (tables) => {
          await work(tables);
          throw new Error('the disk is full');
        }),
    } as Store;
    await expect(resealStore(failing, present, former)).rejects.toThrow('the disk is full');
    await expectReadable(store, former);
    expect(await store.meta.get('master_key_check')).toBe(keyDigest(former));
  });

  it('rows and keys that do not open are counted and left as they are', async () => {
    const store = await open(prepare);
    const [main, other] = await galleriesOf(store);
    const place = { name: people[3]!, part: 0 };
    const damaged = Buffer.alloc(37, 1);
    await store.sealed.replace(galleryColumns.template, main!.id, place, damaged);
    await store.galleries.replaceKey(other!.id, Buffer.alloc(61, 1));
    expect(await resealStore(store, present, former)).toMatchObject({ galleries: 2, damaged: 2 });
    const vault = createTemplateVault(present).gallery((await galleriesOf(store))[0]!);
    const templateOf = async (user: string) => (await store.faces.get(main!.id, user))!.template;
    expect(vault.open(people[4]!, await templateOf(people[4]!))).toEqual(template);
    expect(Buffer.from(await templateOf(people[3]!))).toEqual(damaged);
  });
});
