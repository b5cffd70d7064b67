import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPlusFiles, plusFiles } from '../../packages/engine/test/support/plus-pack.ts';
import { hasReferenceModels, writeReferencePack } from '../../packages/engine/test/support/reference-pack.ts';
import { writeTwinPack } from '../../packages/engine/test/support/twin-pack.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { newClient } from '../support/enrolling.ts';
import { serve, wajah } from '../support/program.ts';

const keep = { WAJAH_KEEP_FACE_CROPS: 'true', WAJAH_ENGINE_WORKERS: '1' };
const people = ['ani', 'budi', 'citra', 'eka'] as const;

describe('reembed', () => {
  it('migrates to a new version of the same pack', async () => {
    const settings = { ...keep, WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_PACK: 'twin' };
    const first = await writeTwinPack(join(temporaryDirectory(), 'twin'));
    const second = await writeTwinPack(join(temporaryDirectory(), 'twin'), '2');
    expect((await wajah(settings, 'models', 'pull', 'twin', '--from', first)).code).toBe(0);
    const old = await serve(settings);
    const client = await newClient(settings, 'acme');
    for (const person of people) await client.enrol(old.url, person, person);
    expect((await wajah(settings, 'models', 'pull', 'twin', '--from', second)).out).toMatch(
      /Installed twin 2/,
    );
    await old.stop('SIGTERM');
    const done = await wajah(settings, 'reembed', '--to', 'twin');
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/acme@trial +4 +0 +done/) });
    const next = await serve(settings);
    for (const person of people) {
      expect(await client.verify(next.url, person, person)).toMatchObject({ verified: true });
    }
    expect((await wajah(settings, 'gallery', 'list', 'acme')).out).toMatch(/ twin 2 /);
    await next.stop('SIGTERM');
  });

  it('refuses a wrong key, an unknown pack and an unknown gallery', async () => {
    const settings = { ...keep, WAJAH_DATA_DIR: temporaryDirectory() };
    const from = await writeTwinPack(join(temporaryDirectory(), 'twin'));
    await wajah(settings, 'models', 'pull', 'twin', '--from', from);
    expect((await wajah(settings, 'reembed', '--to', 'twin')).err).toMatch(/holds no installation/);
    const server = await serve(settings);
    const client = await newClient(settings, 'acme');
    for (const person of people) await client.enrol(server.url, person, person);
    await server.stop('SIGTERM');
    const otherKey = { ...settings, WAJAH_SECRET_KEY: 'ab'.repeat(32) };
    const wrong = await wajah(otherKey, 'reembed', '--to', 'twin');
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringMatching(/two master keys|is not the key that these data were sealed under/),
    });
    expect((await wajah(settings, 'reembed', '--to', 'none')).err).toMatch(/The pack none is not installed/);
    const unknown = await wajah(settings, 'reembed', '--to', 'twin', '--client', 'acme', '--gallery', 'x');
    expect(unknown).toMatchObject({ code: 1, err: expect.stringMatching(/acme has no gallery x/) });
    const done = await wajah(settings, 'reembed', '--to', 'twin');
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/acme@trial +4 +0 +done/) });
    const next = await serve({ ...settings, WAJAH_PACK: 'twin' });
    expect(await client.verify(next.url, 'budi', 'budi')).toMatchObject({ verified: true });
    await next.stop('SIGTERM');
  });

  it.skipIf(!hasPlusFiles)('migrates to plus, and back without pictures; says who has no crop', async () => {
    const settings = { ...keep, WAJAH_DATA_DIR: temporaryDirectory() };
    const old = await serve(settings);
    const client = await newClient(settings, 'acme');
    for (const person of people) await client.enrol(old.url, person, person);
    const pulled = await wajah(settings, 'models', 'pull', 'plus', '--from', plusFiles);
    expect(pulled).toMatchObject({ code: 0, out: 'Installed plus 2 (Apache-2.0).\n' });
    await old.stop('SIGTERM');
    const there = await wajah(settings, 'reembed', '--to', 'plus');
    expect(there).toMatchObject({ code: 0, out: expect.stringMatching(/acme@trial +4 +0 +done/) });

    const next = await serve({ ...settings, WAJAH_KEEP_FACE_CROPS: 'false' });
    for (const person of people) {
      expect(await client.verify(next.url, person, person)).toMatchObject({ verified: true });
    }
    expect(await client.verify(next.url, 'ani', 'budi')).toMatchObject({ verified: false });
    expect((await wajah(settings, 'gallery', 'list', 'acme')).out).toMatch(/ plus 2 /);
    await client.enrol(next.url, 'darma', 'darma');
    const choice = await wajah(settings, 'models', 'use', 'builtin');
    expect(choice).toMatchObject({
      code: 0,
      err: expect.stringMatching(/or they are of plus, stop the server/),
    });
    await next.stop('SIGTERM');
    const converted = await wajah(settings, 'reembed', '--to', 'builtin');
    expect(converted).toMatchObject({ code: 0, out: expect.stringMatching(/acme@trial +5 +0 +done/) });

    const back = await serve(settings);
    for (const person of [...people, 'darma'] as const) {
      expect(await client.verify(back.url, person, person)).toMatchObject({ verified: true });
    }
    expect((await wajah(settings, 'gallery', 'list', 'acme')).out).toMatch(/ builtin 4 /);
    await back.stop('SIGTERM');
    const again = await wajah(settings, 'reembed', '--to', 'plus');
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringMatching(/^acme acme@trial darma: no face crop is kept$/m),
    ]);
  });

  it.skipIf(!hasReferenceModels())(
    'migrates to a pack with another detector and alignment, and back',
    async () => {
      const settings = { ...keep, WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_ACCEPT_NONCOMMERCIAL: 'true' };
      const from = writeReferencePack(join(temporaryDirectory(), 'stick'), { curve: 'curve.json' });
      const knots = [
        [0.5, 0],
        [0.9, -6],
      ];
      writeFileSync(join(from, 'curve.json'), JSON.stringify({ pack: 'reference', evidence: {}, knots }));
      expect((await wajah(settings, 'models', 'pull', 'reference', '--from', from)).code).toBe(0);
      const old = await serve(settings);
      const client = await newClient(settings, 'acme');
      for (const person of people) await client.enrol(old.url, person, person);
      await old.stop('SIGTERM');
      const there = await wajah(settings, 'reembed', '--to', 'reference');
      expect(there).toMatchObject({ code: 0, out: expect.stringMatching(/acme@trial +4 +0 +done/) });
      expect((await wajah(settings, 'models', 'use', 'reference')).code).toBe(0);
      const other = await serve(settings);
      for (const person of people) {
        expect(await client.verify(other.url, person, person)).toMatchObject({ verified: true });
      }
      expect((await wajah(settings, 'gallery', 'list', 'acme')).out).toMatch(/ reference 1 /);
      await other.stop('SIGTERM');
      expect((await wajah(settings, 'reembed', '--to', 'builtin')).code).toBe(0);
      await wajah(settings, 'models', 'use', 'builtin');
      const back = await serve(settings);
      for (const person of people) {
        expect(await client.verify(back.url, person, person)).toMatchObject({ verified: true });
      }
      await back.stop('SIGTERM');
    },
  );
});
