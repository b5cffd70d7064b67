import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemplateVault } from '../../packages/server/src/security/vaults/template-vault.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite-store.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { newClient, picture } from '../support/enrolling.ts';
import { serve, wajah } from '../support/program.ts';

function secretFile(): string[] {
  const file = join(temporaryDirectory(), 'passphrase');
  writeFileSync(file, 'correct horse battery\n', { mode: 0o600 });
  return ['--passphrase-file', file];
}

/** A client with a person of another pack, with a crop and a consent, and one who is suspended. */
async function otherPack() {
  const key = randomBytes(32);
  const settings = { WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_SECRET_KEY: key.toString('hex') };
  await wajah(settings, 'client', 'create', 'acme');
  const store = openSqliteStore(join(settings.WAJAH_DATA_DIR, 'wajah.db'));
  const gallery = (await store.galleries.get('acme', 'acme@trial'))!;
  const vault = createTemplateVault(key).gallery(gallery);
  const jpeg = new Uint8Array(Buffer.from(await picture('budi'), 'base64'));
  const box = { x: 140, y: 150, width: 200, height: 230 };
  const spec = {
    pack: 'other',
    version: '1',
    embedder: 'e',
    alignment: 'a',
    dimensions: 4,
    normalisation: 'l2',
  };
  const face = { userId: 'b1', userName: 'Budi', embeddingSpec: JSON.stringify(spec) };
  const template = vault.seal('b1', Float32Array.of(1, 0, 0, 0));
  await store.faces.enrol(
    gallery.id,
    { ...face, template, crop: vault.sealCrop('b1', { jpeg, box }) },
    false,
  );
  const consent = { reference: 'form 7', purpose: 'entry', givenAt: new Date(0), until: null };
  await store.people.update(gallery.id, 'b1', { consent, expiresAt: new Date(4e12) });
  const sealed = vault.seal('s1', Float32Array.of(0, 1, 0, 0));
  await store.faces.enrol(gallery.id, { ...face, userId: 's1', template: sealed }, false);
  await store.people.suspend(gallery.id, 's1', new Date());
  await store.close();
  return settings;
}

describe('wajah export', () => {
  it('writes a sealed file that opens with its passphrase only', async () => {
    const settings = await otherPack();
    const file = join(temporaryDirectory(), 'people');
    const plain = await wajah(settings, 'export', file, '--client', 'acme');
    expect(plain.err).toMatch(/give --passphrase-file or --key-file/);
    const secret = secretFile();
    const done = await wajah(settings, 'export', file, '--client', 'acme', ...secret);
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/1 person of 1 gallery/) });
    expect(readFileSync(file).includes('Budi')).toBe(false);
    expect((await wajah(settings, 'restore', file, ...secret)).err).toMatch(
      /export of people: use import people/,
    );
    const { out } = await wajah(settings, 'audit', 'list', '--event', 'administered', '--json');
    expect(out).toContain('"read-people"');
  });
});

describe('wajah import people', () => {
  it('enrols exported people in another installation, who are found there', async () => {
    const source = { WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_KEEP_FACE_CROPS: 'true' };
    const server = await serve(source);
    const acme = await newClient(source, 'acme');
    await acme.enrol(server.url, 'b1', 'budi');
    await acme.enrol(server.url, 'b1', 'budi', { append: true });
    await acme.enrol(server.url, 'a1', 'ani');
    const file = join(temporaryDirectory(), 'people');
    const secret = secretFile();
    expect((await wajah(source, 'export', file, '--client', 'acme', ...secret)).out).toMatch(
      /2 people of 1 gallery/,
    );
    await server.stop('SIGTERM');

    const target = { WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_KEEP_FACE_CROPS: 'true' };
    const there = await serve(target);
    const other = await newClient(target, 'other');
    const into = ['--client', 'other', '--gallery', 'other@trial'];
    expect((await wajah(target, 'import', 'people', file, ...into)).err).toMatch(/give --passphrase-file/);
    const done = await wajah(target, 'import', 'people', file, ...into, ...secret);
    expect(done.out).toMatch(/enrolled +3[\s\S]*2 people enrolled/);
    expect(JSON.stringify(await other.identify(there.url, 'budi'))).toMatch(/"status":"200".*"b1"/);
    expect((await wajah(target, 'import', 'people', file, ...into, ...secret)).out).toMatch(/skipped +3/);
  });

  it('refuses another pack, and embeds the kept crops again', async () => {
    const source = await otherPack();
    const file = join(temporaryDirectory(), 'people');
    const secret = secretFile();
    await wajah(source, 'export', file, '--client', 'acme', ...secret);
    const target = { WAJAH_DATA_DIR: temporaryDirectory() };
    await wajah(target, 'client', 'create', 'other');
    const into = ['--client', 'other', '--gallery', 'other@trial', ...secret];
    const refused = await wajah(target, 'import', 'people', file, ...into);
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/of the pack other 1 .*--reembed/) });
    const done = await wajah(target, 'import', 'people', file, ...into, '--reembed');
    expect(done.out).toMatch(/1 person enrolled/);
    const store = openSqliteStore(join(target.WAJAH_DATA_DIR, 'wajah.db'));
    const { id } = (await store.galleries.get('other', 'other@trial'))!;
    expect(await store.people.get(id, 'b1')).toMatchObject({
      consent: { reference: 'form 7', purpose: 'entry', givenAt: new Date(0), until: null },
      expiresAt: new Date(4e12),
    });
    await store.close();
  });
});
