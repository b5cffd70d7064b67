import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PERSONS, type PersonName } from '../../packages/engine/test/drawn/drawn-face.ts';
import { filmOf } from '../../packages/server/test/support/film.ts';
import { noPostgres, PostgresServer } from '../../packages/server/test/support/postgres.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { call, type Json, picture } from '../support/enrolling.ts';
import { Run, serve, wajah } from '../support/program.ts';

interface Account {
  readonly client_id: string;
  readonly password: string;
  readonly access_token: string;
}

/** A minute, of one client. */
const mostCalls = 100;

const counters = '/face-api/client/get-counters';
const gallery = '/face-api/facegallery';

describe.skipIf(noPostgres)('three servers on one database', () => {
  let postgres: PostgresServer;
  let settings: Record<string, string>;
  let servers: Awaited<ReturnType<typeof serve>>[] = [];
  let urls: string[] = [];

  beforeAll(async () => {
    postgres = await PostgresServer.start(['fsync=off']);
    settings = {
      WAJAH_DATABASE_URL: await postgres.database(),
      WAJAH_SECRET_KEY: randomBytes(32).toString('hex'),
      WAJAH_DATABASE_POOL: '4',
      WAJAH_ENGINE_WORKERS: '1',
      WAJAH_CALLS_PER_MINUTE: String(mostCalls),
      // Drawn heads are no photographs.
      WAJAH_SPOOF_THRESHOLD: '1',
      WAJAH_UNCLEAR_SPOOF: 'accept',
      WAJAH_DATA_DIR: temporaryDirectory(),
    };
    servers = await Promise.all([serve(settings), serve(settings), serve(settings)]);
    urls = servers.map(({ url }) => url);
    for (const server of servers) await server.waitForOutput(/no client yet; create one with/);
  });

  async function create(name: string, ...quota: string[]): Promise<Account> {
    const made = await wajah(settings, 'client', 'create', name, '--json', ...quota);
    expect(made).toMatchObject({ code: 0, err: '' });
    return JSON.parse(made.out) as Account;
  }

  /** One call at each server at once, `times` over. */
  const everywhere = (times: number, act: (url: string, i: number) => Promise<Json>): Promise<Json[]> =>
    Promise.all(Array.from({ length: 3 * times }, (_, i) => act(urls[i % 3]!, i)));

  it("together never exceed a client's hits", async () => {
    const { access_token: token } = await create('hits', '--hits', '50');
    const list = `${gallery}/list-faces?facegallery_id=hits@trial`;
    const answers = await everywhere(30, (url) => call(url, token, list));
    expect(count(answers)).toEqual({ 200: 50, 403: 40 });
    expect((await wajah(settings, 'client', 'list')).out).toMatch(
      /^hits .* n_api_hits=50 .* n_api_hits=50 /m,
    );
  });

  it('together allow as many calls a minute as one', async () => {
    const { access_token: token } = await create('rate');
    const calls = await everywhere(50, (url) => call(url, token, counters));
    expect(count(calls)).toEqual({ 200: mostCalls, 429: 150 - mostCalls });
  });

  it('refuse a revoked token from the next request on', async () => {
    const { client_id, password } = await create('tokens');
    for (let round = 0; round < 8; round++) {
      const [here, there] = [urls[round % 3]!, urls[(round + 1) % 3]!];
      const { access_token: token } = await form(here, '/oauth/client/token', { client_id, password });
      expect(await call(there, String(token), counters)).toMatchObject({ status: '200' });
      await form(there, '/oauth/token/revoke', { client_id, password, token: String(token) });
      const after = await everywhere(1, (url) => call(url, String(token), counters));
      expect(count(after)).toEqual({ 401: 3 });
    }
    const api = (await wajah(settings, 'token', 'create', 'tokens', '--scopes', 'read')).out.trim();
    expect(count(await everywhere(1, (url) => call(url, api, counters)))).toEqual({ 200: 3 });
    await wajah(settings, 'token', 'revoke', api);
    expect(count(await everywhere(1, (url) => call(url, api, counters)))).toEqual({ 401: 3 });
  });

  it('count failed logins together', async () => {
    const { client_id, password } = await create('guessed');
    const wrong: Json[] = [];
    for (let i = 0; i < 14; i++) {
      wrong.push(await form(urls[i % 3]!, '/oauth/client/token', { client_id, password: 'wrong' }));
    }
    expect(count(wrong)).toEqual({ 401: 10, 429: 4 });
    const right = await form(urls[0]!, '/oauth/client/token', { client_id, password });
    expect(right).toMatchObject({ status: '429' });
  });

  it('enrol a user_id once, one face under one name, and no more than the quota', async () => {
    const { access_token: token, client_id } = await create('enrol', '--faces', '4');
    const enrol = async (url: string, fields: Json) =>
      call(url, token, `${gallery}/enroll-face`, { facegallery_id: `${client_id}@trial`, ...fields });
    const ani = await picture('ani');
    const same = { user_id: 'one', user_name: 'One', image: ani };
    expect(count(await everywhere(2, (url) => enrol(url, same)))).toEqual({ 200: 1, 409: 5 });

    const budi = { user_name: 'B', image: await picture('budi'), check_duplicate: true };
    const copies = await everywhere(2, (url, i) => enrol(url, { ...budi, user_id: `copy ${i}` }));
    expect(count(copies)).toEqual({ 200: 1, 409: 5 });

    const many = await everywhere(2, (url, i) => enrol(url, { ...same, user_id: `many ${i}` }));
    expect(count(many)).toEqual({ 200: 2, 403: 4 });
    expect((await wajah(settings, 'client', 'list')).out).toMatch(/^enrol .* n_face=4 .* n_face=4 /m);
  });

  it('find users enrolled at another server from the next request on, and no erased ones', async () => {
    const { access_token: token, client_id } = await create('found');
    const facegallery_id = `${client_id}@trial`;
    const people = Object.keys(PERSONS) as PersonName[];
    for (const [i, person] of people.entries()) {
      const [here, there] = [urls[i % 3]!, urls[(i + 1) % 3]!];
      const face = { user_id: person, user_name: person, facegallery_id, image: await picture(person) };
      expect(await call(here, token, `${gallery}/enroll-face`, face)).toMatchObject({ status: '200' });
      const identify = { facegallery_id, image: await picture(person, true) };
      const found = await call(there, token, `${gallery}/identify-face`, identify);
      expect(JSON.stringify(found)).toContain(`"user_id":"${person}"`);
    }
    const [gone] = people;
    const erased = { facegallery_id, user_id: gone };
    expect(await call(urls[0]!, token, `${gallery}/delete-face`, erased, 'DELETE')).toMatchObject({
      status: '200',
    });
    const again = { facegallery_id, image: await picture(gone!, true) };
    const answers = await everywhere(1, (url) => call(url, token, `${gallery}/identify-face`, again));
    for (const answer of answers) expect(JSON.stringify(answer)).not.toContain(`"user_id":"${gone}"`);
  });

  it('judge a session of another server once, and accept its token once', async () => {
    const { access_token: token } = await create('alive');
    const film = await filmOf('ani');
    const session = await call(urls[0]!, token, '/liveness-api/create-session', { steps: 2 });
    const frames = await film.frames(session['steps'] as string[]);
    const submit = { session_id: session['session_id'], frames };
    const judged = await everywhere(1, (url) => call(url, token, '/liveness-api/submit-session', submit));
    expect(count(judged)).toEqual({ 200: 1, 419: 2 });
    const passed = judged.find(({ status }) => status === '200');
    expect(passed).toMatchObject({ liveness: 'passed' });

    const image = await film.frame('face front', 7);
    const compare = { source_image: image, target_image: image, liveness_token: passed!['liveness_token'] };
    const spent = await everywhere(2, (url) => call(url, token, '/face-api/compare-images', compare));
    expect(count(spent)).toEqual({ 200: 1, 421: 5 });
  });

  it('begin one of the links of a subject, whoever made it', async () => {
    const { access_token: token } = await create('links');
    const api = '/liveness-api';
    const made = await everywhere(4, (url) =>
      call(url, token, `${api}/create-session`, { hosted: true, subject: 'person 1', steps: 2 }),
    );
    const begun = await Promise.all(
      made.map(({ session_id }, i) => call(urls[i % 3]!, token, `${api}/begin-session`, { session_id })),
    );
    expect(count(begun)).toEqual({ 200: 1, 420: 11 });
  });

  it('answer 503 while the database is down, and recover', async () => {
    const { access_token: token } = await create('outage');
    postgres.stop();
    const away = await everywhere(3, (url) => call(url, token, counters));
    expect(count(away)).toEqual({ 503: 9 });
    expect((await fetch(`${urls[0]}/health`)).status).toBe(200);
    expect((await fetch(`${urls[0]}/ready`)).status).toBe(503);
    postgres.start();
    expect(count(await everywhere(3, (url) => call(url, token, counters)))).toEqual({ 200: 9 });
  });

  it('keep others out at once after a crash of the database, and serve on', async () => {
    const { access_token: token } = await create('crash');
    const folder = temporaryDirectory();
    const [backup, key] = [join(folder, 'backup'), join(folder, 'next.key')];
    expect((await wajah(settings, 'backup', backup)).code).toBe(0);
    postgres.restart('immediate');
    const [restored, rotated] = await Promise.all([
      wajah(settings, 'restore', backup, '--force'),
      wajah(settings, 'keys', 'rotate-master', '--yes', '--new-key-file', key),
    ]);
    for (const refused of [restored, rotated]) {
      expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/3 servers or commands use/) });
    }
    expect(count(await everywhere(3, (url) => call(url, token, counters)))).toEqual({ 200: 9 });
  });

  it('do not start without the key or with a wrong one', async () => {
    const { WAJAH_SECRET_KEY: _, ...without } = settings;
    expect((await new Run(without, ['serve']).finished).err).toMatch(
      /WAJAH_SECRET_KEY is not set; with WAJAH_DATABASE/,
    );
    const other = { ...settings, WAJAH_SECRET_KEY: randomBytes(32).toString('hex') };
    expect((await new Run(other, ['serve']).finished).err).toMatch(
      /is not the key that these data were sealed under/,
    );
  });

  it('end themselves when the database was restored while they did not reach it', async () => {
    const backup = join(temporaryDirectory(), 'backup');
    expect((await wajah(settings, 'backup', backup)).code).toBe(0);
    // As if they had been cut off from it for a minute.
    const name = settings['WAJAH_DATABASE_URL']!.split('/').at(-1);
    await postgres.query("UPDATE meta SET value = '2000' WHERE key LIKE 'process:%'", name);
    expect(await wajah(settings, 'restore', backup, '--force')).toMatchObject({ code: 0 });
    // A backup of a moment with servers is none of a moment with leases.
    expect(await postgres.query("SELECT key FROM meta WHERE key LIKE 'process:%'", name)).toEqual([]);
    for (const { code, err } of await Promise.all(servers.map(({ finished }) => finished))) {
      expect([code, err]).toEqual([1, expect.stringMatching(/wajah: the database was restored, .* restart/)]);
    }
    const again = await serve(settings);
    const { access_token: token } = await create('afterwards');
    expect(await call(again.url, token, counters)).toMatchObject({ status: '200' });
  });
});

async function form(url: string, path: string, fields: Record<string, string>): Promise<Json> {
  const response = await fetch(url + path, { method: 'POST', body: new URLSearchParams(fields) });
  return (await response.json()) as Json;
}

function count(answers: readonly Json[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status = 'none' } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
