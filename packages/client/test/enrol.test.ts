import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EnrolProgress, WajahClient } from '@wajah/client';
import { createWajahClient, enrolPeople } from '@wajah/client';
import { enrolFolder } from '@wajah/client/node';
import { describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture } from '../../engine/test/drawn/drawn-face.ts';
import { temporaryDirectory } from '../../server/test/support/temporary.ts';
import { openTestServer } from './test-server.ts';

const testServer = await openTestServer();
const files = {
  'ani/1.jpg': await drawnFace({ person: 'ani' }),
  'ani/2.png': await drawnFace({ person: 'ani', tilt: 6, format: 'png' }),
  'ani/3.jpg': await drawnPicture({ width: 300, height: 300, faces: [] }),
  'Budi_Santoso.jpg': await drawnFace({ person: 'budi' }),
  'nobody.jpeg': await drawnPicture({ width: 300, height: 300, faces: [] }),
  'broken.png': Buffer.from('no picture'),
  'notes.txt': Buffer.from('not enrolled'),
  '.hidden.jpg': Buffer.from('not enrolled'),
};

async function folder(): Promise<string> {
  const root = temporaryDirectory();
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), bytes);
  }
  return root;
}

async function office(): Promise<{ wajah: WajahClient; gallery: ReturnType<WajahClient['gallery']> }> {
  const { wajah, account } = await testServer.login();
  return { wajah, gallery: wajah.gallery(account.gallery) };
}

describe('a folder of pictures', () => {
  it('is enrolled with a result for each picture and with progress', async () => {
    const { gallery } = await office();
    const seen: EnrolProgress[] = [];
    const { results, count } = await enrolFolder(gallery, await folder(), {
      picturesPerPerson: 5,
      onProgress: (progress) => seen.push(progress),
    });
    expect(results.map(({ user_id, picture, outcome }) => `${user_id} ${picture} ${outcome}`)).toEqual([
      'Budi_Santoso Budi_Santoso.jpg enrolled',
      'ani ani/1.jpg enrolled',
      'ani ani/2.png added',
      'ani ani/3.jpg failed',
      'broken broken.png failed',
      'nobody nobody.jpeg failed',
    ]);
    expect(results[4]?.error).toMatchObject({ status: '491' });
    expect(results[5]?.error).toMatchObject({ status: '412' });
    expect(count).toEqual({ enrolled: 2, added: 1, skipped: 0, failed: 3 });
    expect(seen.map(({ done }) => done)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(seen.every(({ total }) => total === 6)).toBe(true);
    expect(await gallery.identify(files['ani/2.png']!)).toMatchObject({ user_name: 'ani' });
    expect(await gallery.identify(files['Budi_Santoso.jpg']!)).toMatchObject({ user_name: 'Budi Santoso' });
  });

  it('resumes after an interruption', async () => {
    const { gallery } = await office();
    const stop = new AbortController();
    const path = await folder();
    const ended = enrolFolder(gallery, path, {
      concurrency: 1,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('ended')),
    });
    await expect(ended).rejects.toThrow('ended');
    const { count } = await enrolFolder(gallery, path);
    expect(count).toEqual({ enrolled: 1, added: 0, skipped: 1, failed: 2 });
  });

  it("takes user ids from the caller's function", async () => {
    const { gallery } = await office();
    await enrolFolder(gallery, await folder(), {
      personOf: (name) => ({ user_id: `staff-${name.toLowerCase()}`, user_name: name }),
    });
    expect(await gallery.identify(files['Budi_Santoso.jpg']!)).toMatchObject({
      user_id: 'staff-budi_santoso',
    });
  });
});

describe('a folder of a network storage', () => {
  it('has no people in bins and thumbnails; bytes tell what a picture is, and the rest is left out with a reason', async () => {
    const { gallery } = await office();
    const root = temporaryDirectory();
    const ani = files['ani/1.jpg']!;
    const write = async (name: string, bytes: Buffer) => {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), bytes);
    };
    const system = [
      '#recycle/x.jpg',
      '@eaDir/x.jpg',
      '$RECYCLE.BIN/x.jpg',
      '._ani.jpg',
      'ani/@eaDir/x/SYNO.jpg',
    ];
    for (const name of ['ani/1.jfif', 'budi', ...system, 'ani/2024/x.jpg']) await write(name, ani);
    await write('notes.txt', Buffer.from('x'));
    await write('citra.gif', Buffer.from('GIF89a'));
    await mkdir(join(root, 'empty'));
    const { results, left_out } = await enrolFolder(gallery, root);
    expect(results.map(({ user_id, picture }) => `${user_id} ${picture}`)).toEqual([
      'ani ani/1.jfif',
      'budi budi',
      'citra citra.gif',
    ]);
    expect(results[2]?.error).toMatchObject({ status: '491' });
    expect(Object.fromEntries(left_out.map(({ file, reason }) => [file, reason]))).toEqual({
      ...Object.fromEntries(
        ['#recycle', '@eaDir', '$RECYCLE.BIN', '._ani.jpg', 'ani/@eaDir'].map((file) => [
          file,
          expect.stringMatching(/^it belongs to a system/),
        ]),
      ),
      'ani/2024': expect.stringMatching(/^it is a folder/),
      empty: 'the folder has no picture',
      'notes.txt': expect.stringMatching(/no JPEG, PNG, WebP or AVIF/),
    });
  });
});

describe('people', () => {
  const pictures = (...names: (keyof typeof files)[]) => names.map((name) => ({ name, image: files[name]! }));
  const idsOf = async (gallery: ReturnType<WajahClient['gallery']>) => {
    const ids: string[] = [];
    for await (const { user_id } of gallery.people()) ids.push(user_id);
    return ids;
  };

  it('of different names under one user_id are not enrolled; others are', async () => {
    const { gallery } = await office();
    const { results, count } = await enrolPeople(gallery, [
      { user_id: '3.17401E+15', user_name: 'Ani', pictures: pictures('ani/1.jpg') },
      { user_id: '3.17401E+15', user_name: 'Budi', pictures: pictures('Budi_Santoso.jpg') },
      { user_id: '7', user_name: 'Ani', pictures: pictures('ani/1.jpg') },
      { user_id: '7', user_name: ' ANI', pictures: pictures('ani/2.png') },
    ]);
    expect(count).toEqual({ enrolled: 1, added: 1, skipped: 0, failed: 2 });
    expect(results[1]?.error?.message).toMatch(
      /"3\.17401E\+15" has different names: "Ani", "Budi"; none of them/,
    );
    expect(await idsOf(gallery)).toEqual(['7']);
  });

  it('whose pictures differ are enrolled with those that more than half match, or not at all', async () => {
    const { gallery } = await office();
    const most = {
      user_id: 'most',
      user_name: 'M',
      pictures: pictures('ani/1.jpg', 'Budi_Santoso.jpg', 'ani/2.png'),
    };
    const two = { user_id: 'two', user_name: 'T', pictures: pictures('Budi_Santoso.jpg', 'ani/1.jpg') };
    const { results, count } = await enrolPeople(gallery, [most, two], { concurrency: 1 });
    expect(count).toEqual({ enrolled: 1, added: 1, skipped: 0, failed: 3 });
    expect(results[1]?.error).toMatchObject({ status: '411', answer: { threshold: 0.625 } });
    expect(results[3]?.error?.message).toMatch(
      /1 other picture of this person shows another face \(ani\/1\.jpg\), and none is enrolled/,
    );
    expect(await idsOf(gallery)).toEqual(['most']);
    const forced = await enrolPeople(gallery, [two], { force_register: true });
    expect(forced.count).toMatchObject({ enrolled: 1, added: 1 });
  });

  it('are not enrolled under an id of another name, or one that a spreadsheet has damaged', async () => {
    const { gallery } = await office();
    const one = (user_id: string, user_name: string) => ({
      user_id,
      user_name,
      pictures: pictures('ani/1.jpg'),
    });
    await enrolPeople(gallery, [one('7', 'Ani')]);
    const { results } = await enrolPeople(gallery, [
      one('7', 'Budi'),
      one('3.17401E+15', 'Ani'),
      one('7.5', ''),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'enrolled']);
    expect(results[0]?.error).toMatchObject({
      code: 'severalNames',
      message: expect.stringMatching(/"7" is enrolled already with the name "Ani", and this is "Budi"/),
    });
    expect(results[1]?.error).toMatchObject({
      code: 'damagedId',
      message: expect.stringMatching(/scientific notation.*format of the column to text/),
    });
  });

  it('whose pictures were not all sent are enrolled again from the first one on', async () => {
    const { wajah, gallery } = await office();
    const ani = { user_id: 'ani', user_name: 'Ani' };
    const unfinished = new Set<string>();
    const stop = new AbortController();
    const last = async () => {
      stop.abort(new Error('ended'));
      return files['ani/2.png']!;
    };
    const [first, second] = pictures('ani/1.jpg', 'ani/2.png');
    const stopped = { ...ani, pictures: [first!, { ...second!, image: last }] };
    const ended = enrolPeople(gallery, [stopped], { unfinished, signal: stop.signal });
    await expect(ended).rejects.toThrow('ended');
    expect([...unfinished]).toEqual(['ani']);
    const both = { ...ani, pictures: [first!, second!] };
    const { count } = await enrolPeople(gallery, [both], { unfinished });
    expect([count, [...unfinished]]).toEqual([{ enrolled: 1, added: 1, skipped: 0, failed: 0 }, []]);
    expect((await enrolPeople(gallery, [both], { unfinished })).count.skipped).toBe(2);
    // Who was refused at once was not begun: another may enrol them meanwhile.
    await wajah.updateGallery({ facegallery_id: gallery.facegallery_id, require_liveness: true });
    const refused = enrolPeople(gallery, [{ ...both, user_id: 'dewi' }], { unfinished });
    await expect(refused).rejects.toThrow(/liveness_token/);
    expect([...unfinished]).toEqual([]);
  });

  it('are enrolled once with a picture that is listed twice, and not with an empty one', async () => {
    const { wajah, gallery } = await office();
    const of = (name: string, image: Uint8Array) => ({ name, image: async () => image });
    const ani = files['ani/1.jpg']!;
    const listed = [of('a', ani), of('empty', new Uint8Array()), of('b', Buffer.from(ani))];
    const people = [{ user_id: '7', user_name: 'Ani', pictures: [...listed, of('c', files['ani/2.png']!)] }];
    const { results } = await enrolPeople(gallery, people);
    expect(results.map(({ outcome, error }) => `${outcome} ${error?.message ?? ''}`)).toEqual([
      'enrolled ',
      'failed the picture is empty: 0 bytes',
      'failed it is one of the pictures that this person has; it counts once',
      'added ',
    ]);
    const { facegallery_id } = gallery;
    expect(await wajah.describeFace({ user_id: '7', facegallery_id })).toMatchObject({ n_picture: 2 });
  });

  it('are enrolled under an id that looks damaged where it is meant so', async () => {
    const { gallery } = await office();
    const ani = { user_id: '2024-01-01', user_name: 'Ani', pictures: pictures('ani/1.jpg') };
    expect((await enrolPeople(gallery, [ani])).count).toMatchObject({ enrolled: 0, failed: 1 });
    expect((await enrolPeople(gallery, [ani], { idsAsWritten: true })).count).toMatchObject({ enrolled: 1 });
  });

  it('are enrolled once when answers are lost, the server is busy, or limits the rate', async () => {
    const { account } = await testServer.login();
    let calls = 0;
    const faulty: typeof fetch = async (...given) => {
      if (!String(given[0]).includes('enroll-face')) return fetch(...given);
      calls += 1;
      if (calls === 1 || calls === 4) {
        const [status, http] = calls === 1 ? ['503', 503] : ['429', 429];
        const body = { status, status_message: '', detail: '', trx_id: '' };
        return Response.json(body, { status: http, headers: { 'retry-after': '0' } });
      }
      const answer = await fetch(...given);
      // The server has executed it.
      if (calls === 2 || calls === 5) throw new TypeError('fetch failed');
      return answer;
    };
    const { url } = testServer;
    const wajah = createWajahClient({ url, token: account.token, fetch: faulty, retries: 0 });
    const gallery = wajah.gallery(account.gallery);
    const ani = { user_id: 'ani', user_name: 'Ani', pictures: pictures('ani/1.jpg', 'ani/2.png') };
    const { count } = await enrolPeople(gallery, [ani]);
    expect(count).toEqual({ enrolled: 1, added: 1, skipped: 0, failed: 0 });
    const found = await wajah.describeFace({ user_id: 'ani', facegallery_id: account.gallery });
    expect(found.n_picture).toBe(2);
    const silent = createWajahClient({
      url,
      token: account.token,
      retries: 0,
      fetch: async (...given) => {
        if (String(given[0]).includes('enroll-face')) throw new TypeError('fetch failed');
        return fetch(...given);
      },
    });
    const budi = { user_id: 'budi', user_name: 'Budi', pictures: pictures('Budi_Santoso.jpg') };
    const given = enrolPeople(silent.gallery(account.gallery), [budi], { waitMs: 10 });
    await expect(given).rejects.toMatchObject({ status: 'network' });
  });

  it('are replaced if the caller asks for it', async () => {
    const { gallery } = await office();
    const ani = { user_id: 'ani', user_name: 'Ani' };
    const wrong = { ...ani, pictures: [{ name: 'wrong', image: files['Budi_Santoso.jpg']! }] };
    const right = { ...ani, pictures: [{ name: 'right', image: files['ani/1.jpg']! }] };
    await enrolPeople(gallery, [wrong]);
    expect((await enrolPeople(gallery, [right])).count.skipped).toBe(1);
    expect((await enrolPeople(gallery, [right], { replace: true })).count.enrolled).toBe(1);
    expect(await gallery.verify('ani', files['ani/2.png']!)).toMatchObject({ verified: true });
  });

  it('are reported if another person has the same face', async () => {
    const { gallery } = await office();
    const image = files['ani/1.jpg']!;
    const twin = (user_id: string) => ({ user_id, user_name: user_id, pictures: [{ name: user_id, image }] });
    const { results } = await enrolPeople(gallery, [twin('ani'), twin('twin')], {
      check_duplicate: true,
      concurrency: 1,
    });
    expect(results[1]).toMatchObject({ outcome: 'failed', error: { status: '409' } });
  });

  it('stop at the first error that every call would meet', async () => {
    const { account } = await testServer.login();
    let sent = 0;
    const counting: typeof fetch = (...given) => {
      sent += 1;
      return fetch(...given);
    };
    const gallery = createWajahClient({ url: testServer.url, token: account.token, fetch: counting }).gallery(
      'none',
    );
    const people = Array.from({ length: 9 }, (_, index) => ({
      user_id: `u${index}`,
      user_name: 'U',
      pictures: [{ name: 'a', image: files['ani/1.jpg']! }],
    }));
    await expect(enrolPeople(gallery, people, { replace: true })).rejects.toMatchObject({ status: '416' });
    expect(sent).toBeLessThanOrEqual(2);
  });

  it('leave no call behind when one of them stops the others', async () => {
    const { account } = await testServer.login();
    let [running, refused] = [0, false];
    const wajah = createWajahClient({
      url: testServer.url,
      token: account.token,
      retries: 0,
      fetch: async (_, { body } = {}) => {
        running += 1;
        const { user_id } = JSON.parse(String(body));
        // The refusal comes first, the answer of the other person later.
        if (user_id === 'slow') while (!refused) await new Promise((resolve) => setTimeout(resolve, 5));
        else refused = true;
        running -= 1;
        const status = user_id === 'slow' ? '200' : '403';
        return Response.json({ status, status_message: '', detail: '' }, { status: Number(status) });
      },
    });
    const pictures = ['a', 'b', 'c'].map((name) => ({ name, image: 'x' }));
    const people = ['slow', 'refused'].map((user_id) => ({ user_id, user_name: user_id, pictures }));
    const seen: string[] = [];
    const onProgress = ({ result }: EnrolProgress) => seen.push(`${result.user_id} ${result.picture}`);
    const ended = enrolPeople(wajah.gallery('g'), people, { replace: true, onProgress });
    await expect(ended).rejects.toMatchObject({ status: '403' });
    expect([running, seen]).toEqual([0, ['slow a']]);
  });
});
