import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createWajahClient, isWajahError, type WajahClient, WajahError } from '@wajah/client';
import { endpoints } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { drawnFace } from '../../engine/test/drawn/drawn-face.ts';
import { temporaryDirectory } from '../../server/test/support/temporary.ts';
import { drawPictures } from '../../server/test/support/test-app.ts';
import { openTestServer } from './test-server.ts';

const [testServer, pictures] = await Promise.all([openTestServer(), drawPictures()]);
const { wajah, account } = await testServer.login();

const caught = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable('it did not throw'),
    (error: unknown) => error,
  );

describe('pictures', () => {
  const compare = async (source_image: Parameters<WajahClient['compareImages']>[0]['source_image']) =>
    (await wajah.compareImages({ source_image, target_image: pictures.ani })).similarity;

  it('accepts bytes, a Blob, base64 text, a data URL and a file alike', async () => {
    const bytes = Buffer.from(pictures.ani, 'base64');
    const file = join(temporaryDirectory(), 'ani.jpg');
    await writeFile(file, bytes);
    const kinds = [
      bytes,
      new Uint8Array(bytes),
      new Uint8Array(bytes).buffer,
      new Blob([new Uint8Array(bytes)]),
      pictures.ani,
      `data:image/jpeg;base64,${pictures.ani}`,
      { path: file },
      pathToFileURL(file),
    ];
    for (const kind of kinds) expect(await compare(kind)).toBe(1);
  });

  it('encodes every length without loss', async () => {
    const bytes = await drawnFace({ person: 'ani', format: 'png', width: 700, height: 900 });
    for (const spare of [0, 1, 2]) {
      const padded = Buffer.concat([bytes, Buffer.alloc(spare)]);
      expect(await compare(padded)).toBeGreaterThan(0.6);
    }
  });

  it('never reads a file named by a text', async () => {
    const error = await caught(compare('/etc/hostname'));
    expect(isWajahError(error) && error.status).toBe('494');
  });

  it('rejects what is not a picture, without a call', async () => {
    const batch = [{ face_parameter: 'face front' as const, image: 7 as never }];
    await expect(wajah.verifyLivenessBatch({ batch })).rejects.toThrow(
      'batch[0].image: a number is no picture',
    );
    await expect(compare(new URL('http://127.0.0.1/a.jpg'))).rejects.toThrow('a URL of http:');
    // JSON would send null, which is the default.
    await expect(wajah.gallery('office').verify('7', 'AA==', { threshold: Number.NaN })).rejects.toThrow(
      'threshold: found NaN; allowed is a finite number',
    );
  });
});

describe('errors', () => {
  it('have a class for each status', async () => {
    const error = await caught(wajah.gallery(account.gallery).verify('nobody', pictures.ani));
    if (!isWajahError(error)) throw error;
    expect(error).toBeInstanceOf(WajahError);
    expect(error).toMatchObject({
      name: 'WajahError',
      status: '415',
      code: 'userNotFound',
      error: 'userNotFound',
      params: {},
      http: 404,
      retryable: false,
      detail: expect.stringContaining('user_id'),
      message: expect.stringMatching(/^415 userNotFound: user_id/),
    });
  });

  it("carry the caller's trx_id", async () => {
    const error = await caught(wajah.createGallery({ facegallery_id: account.gallery, trx_id: 'mine' }));
    expect(isWajahError(error) && error.trxId).toBe('mine');
  });

  it('are thrown for a 411, with the body of the answer', async () => {
    const fields = { facegallery_id: account.gallery, user_id: 'card', user_name: 'Card' };
    const error = await caught(wajah.enrolFaceKtp({ ...fields, image: pictures.foreignCard }));
    if (!isWajahError(error) || error.status !== '411') throw error;
    expect('similarity' in error.answer && error.answer.similarity).toBeLessThan(0.6);
  });

  it('contain neither the picture nor the password', async () => {
    const { password } = account;
    const bad = createWajahClient({ url: testServer.url, clientId: account.id, password: `${password}x` });
    const error = await caught(bad.compareImages({ source_image: pictures.ani, target_image: 'AAAA' }));
    expect(isWajahError(error) && [error.status, error.error]).toEqual(['401', 'wrongCredentials']);
    expect(JSON.stringify(error) + String(error)).not.toContain(password);
    const broken = await caught(wajah.compareImages({ source_image: pictures.ani, target_image: 'AAAA' }));
    expect(JSON.stringify(broken)).not.toContain(pictures.ani.slice(0, 100));
  });
});

describe('options', () => {
  it.each([
    [{ url: 'localhost:8080' }, /^url: found 'localhost:8080'; allowed is http/],
    [{ url: 'http://demo:secret@127.0.0.1' }, /^url: found credentials/],
    [{ url: 'http://127.0.0.1', clientId: 'demo' }, /^clientId and password: found one/],
    [{ url: 'http://127.0.0.1', clientId: 'demo', password: 'x', token: 'y' }, /^token: found beside/],
  ])('that cannot be used are named: %j', (options, message) => {
    expect(() => createWajahClient(options)).toThrow(message);
  });

  it('accept a URL with a final slash', async () => {
    const other = createWajahClient({ url: `${testServer.url}//`, token: account.token });
    expect((await other.getCounters()).remaining_limit.n_face).toBeGreaterThan(0);
  });
});

describe('a gallery', () => {
  it('enrols, verifies, identifies, lists and deletes', async () => {
    const { wajah: own } = await testServer.login();
    await own.createGallery({ facegallery_id: 'office' });
    const office = own.gallery('office');
    await office.enrol({ user_id: 'ani', user_name: 'Ani', image: pictures.ani });
    await office.enrol({ user_id: 'budi', user_name: 'Budi', image: pictures.budi });
    expect(await office.verify('ani', pictures.aniAgain)).toMatchObject({ verified: true, user_name: 'Ani' });
    expect(await office.verify('ani', pictures.budi)).toMatchObject({ verified: false });
    expect(await office.verify('ani', pictures.budi, { threshold: 0 })).toMatchObject({ verified: true });
    expect(await office.identify(pictures.aniAgain)).toMatchObject({ user_id: 'ani' });
    const all = await office.identifyAll(pictures.aniAgain);
    expect(all).toMatchObject({ people: [{ user_id: 'ani' }], faces: [{ outcome: 'identified' }], found: 1 });
    const ids = async () => {
      const found: string[] = [];
      for await (const person of office.people({ pageSize: 1 })) found.push(person.user_id);
      return found;
    };
    expect(await ids()).toEqual(['ani', 'budi']);
    await office.enrol({ user_id: 'ani-2', user_name: 'Ani', image: pictures.ani });
    const found = [];
    for await (const { pairs, complete } of office.duplicates()) found.push({ pairs, complete });
    expect(found).toMatchObject([
      { complete: true, pairs: [{ similarity: 1, users: [{ user_id: 'ani-2' }, { user_id: 'ani' }] }] },
    ]);
    expect(await office.remove('ani-2')).toBe(true);
    expect(await office.remove('ani')).toBe(true);
    expect(await office.remove('ani')).toBe(false);
    expect(await office.identify(pictures.aniAgain)).toBeUndefined();
    const none = await office.identifyAll(pictures.aniAgain, { faces: 2 });
    expect(none).toMatchObject({ people: [], faces: [{ outcome: 'not_identified' }], found: 1 });
    expect(await ids()).toEqual(['budi']);
    await expect(own.gallery('none').identify(pictures.ani)).rejects.toMatchObject({ status: '416' });
  });
});

describe('a server that imitates the public cloud', async () => {
  const cloud = await openTestServer({ WAJAH_COMPAT: 'risetai' });
  const { wajah: own, account: there } = await cloud.login();
  const gallery = own.gallery(there.gallery);

  it('answers in its own form', async () => {
    await gallery.enrol({ user_id: 'ani', user_name: 'Ani', image: pictures.ani });
    expect(await gallery.verify('ani', pictures.budi)).toMatchObject({ verified: false, user_name: 'Ani' });
    expect(await gallery.identify(pictures.aniAgain)).toMatchObject({ mask: false, user_id: 'ani' });
    for await (const person of gallery.people()) expect(person.user_id).toBe('ani');
    const error = await caught(gallery.enrol({ user_id: 'ani', user_name: 'Ani', image: pictures.budi }));
    expect(error).toMatchObject({
      status: '409',
      code: 'userExists',
      detail: expect.stringMatching(/if_exists: append/),
    });
    const missing = own.gallery('none').verify('ani', pictures.ani);
    await expect(missing).rejects.toMatchObject({ status: '416' });
  });

  it('is never believed in another form: an answer without a status is no success', async () => {
    const asCloud: typeof fetch = (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('accept', '*/*');
      return fetch(url, { ...init, headers });
    };
    const other = createWajahClient({ url: cloud.url, token: there.token, fetch: asCloud }).gallery('none');
    for (const call of [() => other.verify('ani', pictures.ani), () => other.people().next()])
      await expect(call()).rejects.toMatchObject({
        status: 'unexpected',
        detail: expect.stringMatching(/Wajah/),
      });
  });
});

describe('a token', () => {
  it('is fetched once for concurrent calls', async () => {
    const issued: string[] = [];
    const counting: typeof fetch = (input, init) => {
      if (String(input).endsWith('/oauth/client/token')) issued.push(String(input));
      return fetch(input, init);
    };
    const { id: clientId, password } = account;
    const own = createWajahClient({ url: testServer.url, clientId, password, fetch: counting });
    await Promise.all([own.getCounters(), own.listGalleries(), own.getCounters()]);
    expect(issued.length).toBe(1);
  });

  it('is renewed once after it was revoked, also for concurrent calls', async () => {
    const issued: string[] = [];
    const counting: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (String(input).endsWith('/oauth/client/token')) {
        const { access_token } = (await answer.clone().json()) as { access_token: string };
        issued.push(access_token);
      }
      return answer;
    };
    const { id: clientId, password } = account;
    const own = createWajahClient({ url: testServer.url, clientId, password, fetch: counting });
    await own.getCounters();
    const body = { client_id: clientId, password };
    await testServer.server.call(issued[0], endpoints.revokeToken, body);
    await Promise.all([own.getCounters(), own.listGalleries(), own.getCounters()]);
    expect(issued.length).toBe(2);
  });

  it('is not used again after the client revoked it', async () => {
    const { wajah: own } = await testServer.login();
    await own.getCounters();
    expect(await own.revokeToken()).toMatchObject({ status_message: 'Success Revoke Token' });
    expect((await own.getCounters()).status).toBe('200');
  });

  it('throws an error if a fixed token is refused', async () => {
    const own = createWajahClient({ url: testServer.url, token: 'waj_none' });
    await expect(own.getCounters()).rejects.toMatchObject({ status: '401', retryable: false });
  });

  it('may be returned by a function, which is called again after a 401', async () => {
    const given = ['refused', account.token];
    const own = createWajahClient({ url: testServer.url, token: () => given.shift() ?? 'none left' });
    expect((await own.getCounters()).status).toBe('200');
  });
});
