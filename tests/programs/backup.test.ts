import { randomBytes } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../packages/server/src/store/ports/store.ts';
import { newDatabase, noPostgres } from '../../packages/server/test/support/postgres.ts';
import { face } from '../../packages/server/test/support/store.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { newClient } from '../support/enrolling.ts';
import { type Installation, installations } from '../support/installations.ts';
import { type Settings, serve, wajah } from '../support/program.ts';

const key = randomBytes(32).toString('hex');

async function withStore<T>({ openStore }: Installation, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore();
  return work(store).finally(() => store.close());
}

const galleryOf = async (store: Store) => (await store.galleries.get('acme', 'acme@trial'))!;

/** A client with people u0…u599, of whom u7 is erased; crops of u3. */
async function filled(place: Installation): Promise<Installation> {
  await wajah(place.settings, 'client', 'create', 'acme');
  await withStore(place, async (store) => {
    const { id } = await galleryOf(store);
    const names = Array.from({ length: 600 }, (_, i) => `u${i}`);
    const crops = { crop: Buffer.from('crop a'), moreCrops: [Buffer.from('crop b')] };
    await Promise.all(
      names.map((name) => store.faces.put(id, { ...face(name), ...(name === 'u3' && crops) }, false)),
    );
    await store.faces.remove(id, 'u7');
  });
  return place;
}

const peopleOf = (place: Installation) =>
  withStore(place, async (store) => {
    const gallery = await galleryOf(store);
    const people = await store.faces.list(gallery.id);
    return {
      gallery: { ...gallery, createdAt: 0 },
      people: people.map(({ userId, userName }) => `${userId} ${userName}`),
      template: Buffer.from((await store.faces.get(gallery.id, 'u5'))?.template ?? []).toString(),
      crops: (await store.crops.get(gallery.id, 'u3')).map((crop) => Buffer.from(crop).toString()),
    };
  });

/** The database of an installation and its log, where it is a file. */
const databaseFiles = ({ settings }: Installation): string[] =>
  readdirSync(settings.WAJAH_DATA_DIR)
    .filter((name) => name.startsWith('wajah.db'))
    .map((name) => join(settings.WAJAH_DATA_DIR, name));
const modeOf = (file: string) => statSync(file).mode & 0o777;

const kinds = installations;

/** With the one master key of this file. */
async function withKey(make: () => Promise<Installation>): Promise<Installation> {
  const { settings, ...others } = await make();
  return { ...others, settings: { ...settings, WAJAH_SECRET_KEY: key } };
}

describe.each(kinds)('wajah backup of %s', (_, make) => {
  it('restores into a fresh store what it held, people who were erased later too', async () => {
    const source = await filled(await withKey(make));
    const before = await peopleOf(source);
    expect(before).toMatchObject({ template: 'template u5', crops: ['crop a', 'crop b'] });
    expect(before.people).toHaveLength(599);
    const file = join(temporaryDirectory(), 'backup');
    expect(await wajah(source.settings, 'backup', file)).toMatchObject({ code: 0, err: '' });
    await withStore(source, async (store) => {
      const { id } = await galleryOf(store);
      await store.faces.remove(id, 'u9');
      await store.faces.put(id, face('later'), false);
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes('acme')).toBe(false);
    expect((await wajah(source.settings, 'backup', 'verify', file)).out).toMatch(/faces +599[\s\S]*Complete/);

    for (const target of [await withKey(make), await withKey(installations[0]![1])]) {
      expect(await wajah(target.settings, 'restore', file)).toMatchObject({ code: 0 });
      for (const place of databaseFiles(target)) expect([place, modeOf(place)]).toEqual([place, 0o600]);
      expect(await peopleOf(target)).toEqual(before);
      expect((await wajah(target.settings, 'audit', 'verify')).code).toBe(0);
      const again = await wajah(target.settings, 'restore', file);
      expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/holds 1 client; add --force/) });
    }
    // The backup replaces what was written after it.
    const replaced = await wajah(source.settings, 'restore', file, '--force');
    expect(replaced).toMatchObject({
      code: 0,
      err: expect.stringMatching(/The store is as it was when the backup was made/),
    });
    expect(replaced.err).toMatch(/erased or suspended since are matched again: erase or suspend them again/);
    const former = databaseFiles(source).find((name) => name.includes('.before-restore-'));
    if (former !== undefined) {
      expect(replaced.err).toContain(`The former database is ${former}: it keeps who is erased from now on`);
      expect((await wajah(source.settings, 'doctor')).out).toMatch(/^look +restore +.*before-restore-/m);
    }
    expect(await peopleOf(source)).toEqual(before);
    await withStore(source, async (store) => {
      const { id, version } = await galleryOf(store);
      expect(await store.faces.put(id, face('after'), false)).toBe(version + 1);
    });
  });

  it('that is damaged, cut off, of another key or of another program changes nothing', async () => {
    const source = await withKey(make);
    await wajah(source.settings, 'client', 'create', 'acme');
    const folder = temporaryDirectory();
    const file = join(folder, 'backup');
    await wajah(source.settings, 'backup', file);
    const whole = readFileSync(file);
    const target = await withKey(make);
    const head = whole.indexOf('\n');
    const flipped = Buffer.from(whole);
    flipped[head + 40] = (flipped[head + 40] ?? 0) ^ 1;
    const faults: [string, Buffer, RegExp][] = [
      ['flipped', flipped, /does not open: it is damaged/],
      ['cut', whole.subarray(0, whole.length - 1), /incomplete|damaged/],
      ['head', Buffer.from(whole.toString('latin1').replace('0.1.0', '0.1.1'), 'latin1'), /does not open/],
      ['text', Buffer.from('hello\n'), /no archive of this program/],
    ];
    for (const [name, bytes, says] of faults) {
      writeFileSync(join(folder, name), bytes);
      const refused = await wajah(target.settings, 'restore', join(folder, name));
      expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(says) });
    }
    const other = { ...target.settings, WAJAH_SECRET_KEY: randomBytes(32).toString('hex') };
    expect((await wajah(other, 'restore', file)).err).toMatch(/sealed under another master key/);
    const secret = join(folder, 'passphrase');
    writeFileSync(secret, 'correct horse battery\n', { mode: 0o600 });
    const guarded = join(folder, 'guarded');
    const empty = await wajah(source.settings, 'backup', guarded, '--passphrase-file', '/dev/null');
    expect(empty).toMatchObject({
      code: 1,
      err: expect.stringMatching(/\/dev\/null: the first line has 0 characters/),
    });
    const named = ['--passphrase-file', secret];
    expect((await wajah(source.settings, 'backup', guarded, ...named)).code).toBe(0);
    expect((await wajah(source.settings, 'backup', 'verify', guarded)).err).toMatch(/give --passphrase-file/);
    const verified = await wajah(source.settings, 'backup', 'verify', guarded, ...named);
    expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^Complete/m) });
    expect((await wajah(other, 'restore', guarded, ...named)).err).toMatch(
      /not the key that the data of the backup/,
    );
    expect((await wajah(target.settings, 'client', 'list')).out).not.toContain('acme');
    expect((await wajah(source.settings, 'backup', guarded)).err).toMatch(/exists already/);
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
  });
});

describe.each(kinds)(
  'wajah backup, audit export and audit verify of %s, with another master key',
  (_, make) => {
    it('are refused, and write nothing', async () => {
      const source = await withKey(make);
      await wajah(source.settings, 'client', 'create', 'acme');
      const folder = temporaryDirectory();
      const file = join(folder, 'written');
      const other = { ...source.settings, WAJAH_SECRET_KEY: randomBytes(32).toString('hex') };
      for (const command of [
        ['backup', file],
        ['backup', folder, '--keep', '3'],
        ['audit', 'export', file],
        ['audit', 'verify'],
      ]) {
        const refused = await wajah(other, ...command);
        expect([command, refused]).toMatchObject([
          command,
          {
            code: 1,
            err: expect.stringMatching(
              /^wajah: WAJAH_SECRET_KEY \(environment\) is not the key that these data were sealed under; give the/m,
            ),
          },
        ]);
      }
      expect(readdirSync(folder)).toEqual([]);
      // What is sealed with a passphrase is restored with it, and the right key.
      const secret = join(temporaryDirectory(), 'passphrase');
      writeFileSync(secret, 'correct horse battery\n', { mode: 0o600 });
      expect((await wajah(other, 'backup', file, '--passphrase-file', secret)).code).toBe(0);
      const target = await withKey(make);
      expect((await wajah(target.settings, 'restore', file, '--passphrase-file', secret)).code).toBe(0);
    });
  },
);

describe('a restore drill', () => {
  it('people are found in a restored installation, tokens work, erased people are as in the backup', async () => {
    const source = { WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_KEEP_FACE_CROPS: 'true' };
    const server = await serve(source);
    const acme = await newClient(source, 'acme');
    await acme.enrol(server.url, 'first', 'budi');
    await acme.enrol(server.url, 'second', 'ani');
    const token = (await wajah(source, 'token', 'create', 'acme', '--scopes', 'read')).out.trim();
    await acme.remove(server.url, 'second');
    const file = join(temporaryDirectory(), 'backup');
    // While the server runs.
    const wrong = { ...source, WAJAH_SECRET_KEY: key };
    expect((await wajah(wrong, 'backup', file)).err).toMatch(/is not the key that these data were sealed/);
    expect((await wajah(source, 'backup', file)).code).toBe(0);
    await acme.enrol(server.url, 'third', 'citra');
    await acme.remove(server.url, 'first');
    await server.stop('SIGTERM');

    const targets: Settings[] = [{ WAJAH_DATA_DIR: temporaryDirectory() }];
    copyFileSync(
      join(source.WAJAH_DATA_DIR, 'secret.key'),
      join(targets[0]?.['WAJAH_DATA_DIR'] ?? '', 'secret.key'),
    );
    const master = readFileSync(join(source.WAJAH_DATA_DIR, 'secret.key'), 'utf8').trim();
    const url = noPostgres ? undefined : await newDatabase();
    if (url) targets.push({ WAJAH_DATABASE_URL: url, WAJAH_SECRET_KEY: master });
    for (const target of targets) {
      expect(await wajah(target, 'restore', file)).toMatchObject({ code: 0 });
      const restored = await serve(target);
      const headers = { accesstoken: token, 'content-type': 'application/json' };
      const listed = await fetch(`${restored.url}/face-api/facegallery/list-faces`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ facegallery_id: 'acme@trial' }),
      });
      // Who was erased after the backup is there again: the operator erases them anew.
      expect(
        ((await listed.json()) as { faces: { user_id: string }[] }).faces.map((one) => one.user_id),
      ).toEqual(['first']);
      const login = (await wajah(target, 'token', 'create', 'acme')).out.trim();
      const { picture, post } = await import('../support/enrolling.ts');
      const found = await post(restored.url, login, 'facegallery/identify-face', {
        facegallery_id: 'acme@trial',
        image: await picture('budi', true),
      });
      expect(found).toMatchObject({ status: '200' });
      if (url && target['WAJAH_DATABASE_URL']) {
        const busy = await wajah(target, 'restore', file, '--force');
        expect(busy.err).toMatch(/1 server or command uses the database: stop all of them/);
      } else {
        expect((await wajah(target, 'restore', file, '--force')).err).toMatch(/is owned by process/);
      }
      await restored.stop('SIGTERM');
    }
  });
});
