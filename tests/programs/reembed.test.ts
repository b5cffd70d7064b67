import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTwinPack } from '../../packages/engine/test/support/twin-pack.ts';
import { newDatabase, noPostgres } from '../../packages/server/test/support/postgres.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { newClient, picture } from '../support/enrolling.ts';
import { type Settings, serve, wajah } from '../support/program.ts';

let twin = '';

beforeAll(async () => {
  twin = await writeTwinPack(join(temporaryDirectory(), 'twin'));
});

const keep = { WAJAH_KEEP_FACE_CROPS: 'true' };
const none = { WAJAH_KEEP_FACE_CROPS: 'false' };
const reembed = (settings: Settings, ...args: string[]) =>
  wajah(settings, 'reembed', '--to', 'twin', ...args);

function suite(shared: boolean, makeSettings: () => Promise<Settings>): void {
  let settings: Settings;
  beforeAll(async () => {
    settings = { WAJAH_ENGINE_WORKERS: '1', WAJAH_DATA_DIR: temporaryDirectory(), ...(await makeSettings()) };
    expect((await wajah(settings, 'models', 'pull', 'twin', '--from', twin)).code).toBe(0);
  });
  const withTwin = () => ({ ...settings, ...keep, WAJAH_PACK: 'twin' });

  it('replaces the templates while no server runs, and refuses beside one', async () => {
    const old = await serve({ ...settings, ...keep });
    const client = await newClient(settings, 'acme');
    await client.enrol(old.url, 'ani', 'ani');
    await client.enrol(old.url, 'budi', 'budi');
    await client.enrol(old.url, 'budi', 'budi', { append: true, image: await picture('budi', true) });
    const beside = await reembed(settings);
    expect(beside).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/stop|is used by/) });
    expect(await client.verify(old.url, 'ani', 'ani')).toMatchObject({ verified: true });
    await old.stop('SIGTERM');

    const done = await reembed(settings);
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/acme +acme@trial +2 +0 +done/) });
    expect(done.err).toMatch(/reembedded: 100 % of 2 faces/);
    const next = await serve(withTwin());
    const third = shared ? await serve(withTwin()) : next;
    for (const { url } of [next, third]) {
      expect(await client.verify(url, 'ani', 'ani')).toMatchObject({ status: '200', verified: true });
      expect(await client.verify(url, 'ani', 'budi')).toMatchObject({ verified: false });
      for (const person of ['ani', 'budi'] as const)
        expect(JSON.stringify(await client.identify(url, person))).toContain(`"user_id":"${person}"`);
    }
    expect((await wajah(settings, 'gallery', 'list', 'acme')).out).toMatch(/acme@trial +2 .* twin 1 /);
    await client.enrol(next.url, 'eka', 'eka');
    expect(await client.verify(third.url, 'eka', 'eka')).toMatchObject({ verified: true });
    await Promise.all([next.stop('SIGTERM'), third.stop('SIGTERM')]);
    expect((await reembed(settings)).err).toMatch(/No gallery has faces of another pack than twin/);
  });

  it('names people without a crop; their gallery keeps its pack until they are left out', async () => {
    const former = { ...settings, WAJAH_PACK: 'builtin' };
    const without = await serve(former);
    const client = await newClient(settings, 'gaps');
    await client.enrol(without.url, 'ani', 'ani');
    await without.stop('SIGTERM');
    const old = await serve({ ...former, ...keep });
    await client.enrol(old.url, 'budi', 'budi');
    await old.stop('SIGTERM');
    const tried = await reembed(settings, '--client', 'gaps');
    expect(tried.code).toBe(1);
    expect(tried.err).toMatch(/^gaps gaps@trial ani: no face crop is kept$/m);
    expect(tried.err).toMatch(/1 of 1 galleries keep their pack.*--leave-out/);
    expect(tried.out).toMatch(/gaps +gaps@trial +0 +1 +unchanged/);

    const refused = await serve(withTwin());
    expect(await refused.waitForOutput(/Warning: (1 gallery with 2 faces .*)\n/)).toMatch(
      /wajah reembed --to twin/,
    );
    const answer = await client.verify(refused.url, 'budi', 'budi');
    expect(answer).toMatchObject({
      status: '403',
      detail: expect.stringMatching(/wajah reembed --to twin/),
    });
    await refused.stop('SIGTERM');
    const left = await reembed(settings, '--client', 'gaps', '--gallery', 'gaps@trial', '--leave-out');
    expect(left).toMatchObject({ code: 0, out: expect.stringMatching(/gaps +gaps@trial +1 +1 +done/) });
    const next = await serve(withTwin());
    expect(await client.verify(next.url, 'budi', 'budi')).toMatchObject({ verified: true });
    expect(await client.verify(next.url, 'ani', 'ani')).toMatchObject({ status: '415' });
    expect(await client.list(next.url)).toMatchObject({ faces: [{ user_id: 'budi' }] });
    await next.stop('SIGTERM');
  });

  it('erases kept crops by command, and the doctor says what is kept', async () => {
    const server = await serve({ ...settings, ...keep });
    const client = await newClient(settings, 'shy');
    await client.enrol(server.url, 'ani', 'ani');
    expect(await client.crop(server.url, 'ani')).toMatchObject({ status: '200', image: expect.any(String) });
    expect((await wajah({ ...settings, ...keep }, 'doctor')).out).toMatch(
      /ok +face_crops +kept .*\d+ stored/,
    );
    expect((await wajah({ ...settings, ...none }, 'doctor')).out).toMatch(
      /look +face_crops +\d+ are stored.*wajah crops erase/,
    );
    const asked = await wajah(settings, 'crops', 'erase', '--client', 'shy');
    expect(asked).toMatchObject({ code: 1, err: expect.stringMatching(/Nothing was changed\. .*--yes/) });
    const alone = await wajah(settings, 'crops', 'erase', '--gallery', 'shy@trial', '--yes');
    expect(alone.err).toMatch(/--gallery: .*name --client too/);
    const erased = await wajah(settings, 'crops', 'erase', '--client', 'shy', '--yes');
    expect(erased.out).toBe('client_id: shy\nn_facegallery: 1\nn_crop: 1\n');
    expect(await client.crop(server.url, 'ani')).toMatchObject({ status: '403' });
    expect(await client.verify(server.url, 'ani', 'ani')).toMatchObject({ verified: true });
    expect((await wajah(settings, 'crops', 'erase', '--yes')).code).toBe(0);
    expect((await wajah({ ...settings, ...none }, 'doctor')).out).toMatch(/ok +face_crops +not kept/);
    await server.stop('SIGTERM');
  });
}

describe('reembed on the embedded store', () => suite(false, async () => ({})));

// Both stores pass the same tests (server/test/store).
describe.skipIf(noPostgres)('reembed with several servers on PostgreSQL', () => {
  suite(true, async () => {
    const WAJAH_SECRET_KEY = randomBytes(32).toString('hex');
    return { WAJAH_DATABASE_URL: await newDatabase(), WAJAH_SECRET_KEY };
  });
});
