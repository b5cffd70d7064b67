import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTwinPack } from '../../packages/engine/test/support/twin-pack.ts';
import { newDatabase, noPostgres } from '../../packages/server/test/support/postgres.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { newClient, picture, post } from '../support/enrolling.ts';
import { type Settings, serve, wajah } from '../support/program.ts';
import { root } from '../support/sources.ts';

let twin = '';

beforeAll(async () => {
  twin = await writeTwinPack(join(root, '.cache'), join(temporaryDirectory(), 'twin'));
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

  // reembed-packs.test.ts migrates beside a running server, too.
  it('prepares another pack beside the server, and the next start switches', async () => {
    const old = await serve({ ...settings, ...keep });
    const client = await newClient(settings, 'acme');
    await client.enrol(old.url, 'ani', 'ani');
    await client.enrol(old.url, 'budi', 'budi');
    await client.enrol(old.url, 'budi', 'budi', { append: true, image: await picture('budi', true) });

    let running = true;
    const reembedding = reembed(settings).finally(() => {
      running = false;
    });
    const meanwhile: unknown[] = [];
    while (running) {
      meanwhile.push((await client.verify(old.url, 'ani', 'ani'))['verified']);
      await pause(250);
    }
    const done = await reembedding;
    expect(new Set(meanwhile)).toEqual(new Set([true]));
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/acme +acme@trial +2 +0 +ready/) });
    expect(done.err).toMatch(/reembedded: 100 % of 2 faces/);
    expect(done.err).toMatch(/switch when a server starts with twin: run wajah models use twin/);
    // The old pack is in force, and somebody is enrolled with it.
    expect(await client.verify(old.url, 'ani', 'ani')).toMatchObject({ verified: true });
    await client.enrol(old.url, 'citra', 'citra');
    expect(JSON.stringify(await client.identify(old.url, 'citra'))).toContain('"user_id":"citra"');

    if (!shared) await old.stop('SIGTERM');
    const next = await serve(withTwin());
    // The first server that starts with the pack switches the galleries of all.
    const third = shared ? await serve(withTwin()) : next;
    const first = await Promise.all([next, third].map(({ url }) => client.verify(url, 'ani', 'ani')));
    for (const answer of first) expect(answer).toMatchObject({ status: '200', verified: true });
    expect(await client.verify(next.url, 'ani', 'budi')).toMatchObject({ verified: false });
    for (const person of ['ani', 'budi', 'citra'] as const) {
      expect(JSON.stringify(await client.identify(next.url, person))).toContain(`"user_id":"${person}"`);
    }
    expect((await wajah(settings, 'gallery', 'list', 'acme')).out).toMatch(/acme@trial +3 .* twin 1 /);
    if (shared) {
      // Another server may answer: the caller is asked to retry.
      const late = await client.verify(old.url, 'ani', 'ani');
      expect(late).toMatchObject({ status: '503', detail: expect.stringMatching(/migrated to .* twin 1/) });
      expect(await client.identify(old.url, 'ani')).toMatchObject({ status: '503' });
      const user = { user_id: 'eka', user_name: 'E', image: await picture('eka') };
      const enrol = { facegallery_id: 'acme@trial', ...user };
      expect(await post(old.url, client.token, 'facegallery/enroll-face', enrol)).toMatchObject({
        status: '503',
      });
      await old.stop('SIGTERM');
    }
    await client.enrol(next.url, 'darma', 'darma');
    expect(await client.verify(third.url, 'darma', 'darma')).toMatchObject({ verified: true });
    expect((await reembed(settings)).err).toMatch(/No gallery has faces of another pack than twin 1/);
    await Promise.all([next.stop('SIGTERM'), third.stop('SIGTERM')]);
  });

  it('names users without a template; their gallery keeps its pack until they are left out', async () => {
    const without = await serve(settings);
    const client = await newClient(settings, 'gaps');
    await client.enrol(without.url, 'ani', 'ani');
    await without.stop('SIGTERM');
    const old = await serve({ ...settings, ...keep });
    await client.enrol(old.url, 'budi', 'budi');
    const tried = await reembed(settings, '--client', 'gaps');
    expect(tried.code).toBe(1);
    expect(tried.err).toMatch(/^gaps gaps@trial ani: no face crop is kept$/m);
    expect(tried.err).toMatch(/1 of 1 galleries stay with their pack.*--leave-out/);
    expect(tried.out).toMatch(/gaps +gaps@trial +1 +1 +1 missing/);
    await old.stop('SIGTERM');

    const refused = await serve(withTwin());
    expect(await refused.waitForOutput(/Warning: (1 gallery with 2 faces .*)\n/)).toMatch(
      /wajah reembed --to twin/,
    );
    const answer = await client.verify(refused.url, 'budi', 'budi');
    expect(answer).toMatchObject({
      status: '403',
      detail: expect.stringMatching(/wajah reembed --to twin/),
    });
    expect(await client.verify(refused.url, 'ani', 'ani')).toMatchObject({ status: '403' });
    const left = await reembed(settings, '--client', 'gaps', '--gallery', 'gaps@trial', '--leave-out');
    expect(left).toMatchObject({ code: 0, out: expect.stringMatching(/gaps +gaps@trial +0 +1 +ready/) });
    // The server compares in one template from its start to its end: the next one switches.
    expect(await client.verify(refused.url, 'budi', 'budi')).toMatchObject({ status: '403' });
    await refused.stop('SIGTERM');
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
      /ok +face crops +kept .*\d+ stored/,
    );
    expect((await wajah({ ...settings, ...none }, 'doctor')).out).toMatch(
      /look +face crops +\d+ are stored.*wajah crops erase/,
    );
    const asked = await wajah(settings, 'crops', 'erase', '--client', 'shy');
    expect(asked).toMatchObject({ code: 1, err: expect.stringMatching(/Nothing was changed\. .*--yes/) });
    const alone = await wajah(settings, 'crops', 'erase', '--gallery', 'shy@trial', '--yes');
    expect(alone.err).toMatch(/--gallery: .*name --client too/);
    const erased = await wajah(settings, 'crops', 'erase', '--client', 'shy', '--yes');
    expect(erased.out).toBe('Erased 1 face crops of 1 galleries.\n');
    expect(await client.crop(server.url, 'ani')).toMatchObject({ status: '403' });
    expect(await client.verify(server.url, 'ani', 'ani')).toMatchObject({ verified: true });
    expect((await wajah(settings, 'crops', 'erase', '--yes')).code).toBe(0);
    expect((await wajah({ ...settings, ...none }, 'doctor')).out).toMatch(/ok +face crops +not kept/);
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
