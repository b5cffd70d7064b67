import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { keyDigest } from '../../../packages/server/src/security/keys/master-key.ts';
import { createTemplateVault } from '../../../packages/server/src/security/vaults/template-vault.ts';
import { temporaryDirectory } from '../../../packages/server/test/support/temporary.ts';
import { Run, wajah } from '../../support/program.ts';
import { killWhen, type Place } from './place.ts';

const [galleries, faces] = [40, 200];
const template = Float32Array.from({ length: 512 }, (_, i) => Math.sin(i));

/** Milliseconds after the new key is there, from the begin of the transaction to behind its end. */
const moments = [0, 20, 60, 120, 200, 400, 800, 60_000];

/** At each moment one of two keys opens every template; a run that ends leaves the new one. */
export async function keysAreRotated(place: Place): Promise<void> {
  const settings = { ...place.settings };
  let { key } = place;
  await wajah(settings, 'client', 'create', 'alice');
  await fill(place, key);
  const folder = temporaryDirectory();
  const reached: string[] = [];
  for (const ms of moments) {
    const file = join(folder, `${ms}.key`);
    const run = new Run(settings, ['keys', 'rotate-master', '--new-key-file', file, '--yes']);
    await killWhen(run, () => existsSync(file) && Promise.race([run.finished, pause(ms)]).then(() => true));
    await place.free();
    const now = await expectOneKey(place, key, nextKey(file));
    reached.push(now === key ? 'before' : 'after');
    if (now === key) continue;
    const late = await wajah(settings, 'client', 'list');
    expect(late.err).toContain('is the former master key');
    key = now;
    settings['WAJAH_SECRET_KEY'] = key.toString('hex');
  }
  expect(reached[0]).toBe('before');
  expect(reached.at(-1)).toBe('after');
  expect(await wajah(settings, 'audit', 'verify')).toMatchObject({ code: 0 });
}

const isTemplate = (opened: Float32Array) => opened.every((value, i) => value === template[i]);

const nextKey = (file: string) => Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');

async function fill(place: Place, key: Buffer): Promise<void> {
  const store = await place.openStore();
  const vault = createTemplateVault(key);
  for (let i = 0; i < galleries; i++) {
    const gallery = await store.galleries.create('alice', `${i}`, (id) => vault.wrapNewKey('alice', id));
    if (typeof gallery === 'string') throw new Error(gallery);
    const opened = vault.gallery(gallery);
    const write = (userId: string) => {
      const face = { userId, userName: userId, template: opened.seal(userId, template), embeddingSpec: '{}' };
      return store.faces.put(gallery.id, face, false);
    };
    await Promise.all(
      Array.from({ length: faces }, (_, face) => write(`${face} ${randomBytes(4).toString('hex')}`)),
    );
  }
  await store.close();
}

/** @returns the key whose digest the store has, which opens every template */
async function expectOneKey(place: Place, former: Buffer, next: Buffer): Promise<Buffer> {
  const store = await place.openStore();
  const check = await store.meta.get('master_key_check');
  const key = check === keyDigest(former) ? former : next;
  expect(keyDigest(key)).toBe(check);
  const vault = createTemplateVault(key);
  const all = (await store.galleries.list('alice')).filter((one) => one.faces > 0);
  expect(all).toHaveLength(galleries);
  for (const gallery of all) {
    const opened = vault.gallery(gallery);
    const slice = await store.faces.slice(gallery.id, 0, 2 * faces);
    expect(slice!.faces).toHaveLength(faces);
    const wrong = slice!.faces.filter((face) => !isTemplate(opened.open(face.userId, face.template)));
    expect(wrong).toEqual([]);
  }
  await store.close();
  return key;
}
