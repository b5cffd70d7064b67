import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawnFace, drawnPicture, type PersonName } from '../../packages/engine/test/drawn/drawn-face.ts';
import { newDatabase, noPostgres, PostgresServer } from '../../packages/server/test/support/postgres.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { openCompreFace } from '../support/compreface.ts';
import { newClient, picture, post } from '../support/enrolling.ts';
import { serve, wajah } from '../support/program.ts';
import { root } from '../support/sources.ts';
import { zipOf } from '../support/zip.ts';

const people = ['budi', 'ani'] as const satisfies readonly PersonName[];
const bytesOf = async (person: PersonName, again = false) =>
  Buffer.from(await picture(person, again), 'base64');

/** Two pictures of each person, a folder each. */
async function staffFolder(): Promise<string> {
  const folder = temporaryDirectory();
  for (const person of people) {
    mkdirSync(join(folder, person));
    writeFileSync(join(folder, person, '1.jpg'), await bytesOf(person));
    writeFileSync(join(folder, person, '2.jpg'), await bytesOf(person, true));
  }
  return folder;
}

const reportOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { file: string; person: string; status: string; reason: string });

const statusesOf = (file: string) =>
  reportOf(file).map(({ file: picture, person, status }) => `${person} ${picture} ${status}`);

describe('wajah import', () => {
  it('enrols a folder in the store, says why others are refused, and skips people the next time', async () => {
    const folder = await staffFolder();
    writeFileSync(join(folder, 'broken.jpg'), 'no picture');
    writeFileSync(join(folder, 'same.jpg'), await drawnFace({ person: 'budi', tilt: 3 }));
    const settings = { WAJAH_DATA_DIR: temporaryDirectory(), WAJAH_KEEP_FACE_CROPS: 'true' };
    await wajah(settings, 'client', 'create', 'acme');
    const report = join(temporaryDirectory(), 'report.jsonl');
    const args = ['import', 'folder', folder, '--client', 'acme', '--gallery', 'staff', '--report', report];
    const options = ['--create-gallery', '--duplicates', 'refuse'];
    const done = await wajah(settings, ...args, ...options);
    expect(done).toMatchObject({
      code: 1,
      out: expect.stringMatching(/enrolled +4[\s\S]*2 people enrolled/),
    });
    expect(done.err).toMatch(/broken: broken.jpg: image: .*JPEG[\s\S]*2 people are not enrolled/);
    expect(statusesOf(report).sort()).toEqual([
      'ani ani/1.jpg enrolled',
      'ani ani/2.jpg enrolled',
      'broken broken.jpg refused',
      'budi budi/1.jpg enrolled',
      'budi budi/2.jpg enrolled',
      'same same.jpg duplicate',
    ]);
    expect(reportOf(report).find(({ person }) => person === 'same')?.reason).toMatch(
      /the face looks like that of "budi"/,
    );
    const listed = await wajah(settings, 'gallery', 'list', 'acme');
    expect(listed.out).toMatch(/^staff +2 /m);
    const { out } = await wajah(settings, 'audit', 'list', '--event', 'administered', '--json');
    expect(JSON.parse(out)).toContainEqual(
      expect.objectContaining({
        facts: expect.objectContaining({ operation: 'import-people', facegallery_id: 'staff' }),
      }),
    );
    const elsewhere = args.map((arg) => (arg === 'staff' ? 'none' : arg));
    expect((await wajah(settings, ...elsewhere)).err).toMatch(/no gallery "none"; .*--create-gallery/);
    expect((await wajah(settings, ...args)).out).toMatch(/skipped +4[\s\S]*1 person enrolled/);
  });
});

describe('wajah import of two people under one id', () => {
  /** Pictures of one person that show two, with the wrong one first, and nobody's. */
  async function mixedFolder(): Promise<string> {
    const folder = temporaryDirectory();
    const write = (file: string, bytes: Buffer | string) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), bytes);
    };
    for (const [file, person, again] of [
      ['two/1.jpg', 'budi'],
      ['two/2.jpg', 'ani'],
      ['most/1.jpg', 'citra'],
      ['most/2.jpg', 'citra', true],
      ['most/3.jpg', 'ani'],
    ] as const)
      write(file, await bytesOf(person, again));
    write('#recycle/dewi/1.jpg', await bytesOf('ani'));
    write('notes.txt', 'x');
    return folder;
  }
  const reasonsOf = (report: string, status: string) =>
    reportOf(report)
      .filter((one) => one.status === status)
      .map(({ file, reason }) => `${file}: ${reason}`)
      .sort();

  it('is refused in a CSV file with names, lines and remedy; others are enrolled', async () => {
    const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
    await wajah(settings, 'client', 'create', 'acme');
    const folder = await staffFolder();
    writeFileSync(
      join(folder, 'people.csv'),
      'user_id;user_name;file\r\n3.17401E+15;Budi;budi\\1.jpg\r\n3.17401E+15;Ani;ani\\1.jpg\r\n7;Citra;ani\\2.jpg\r\n',
    );
    const target = ['--client', 'acme', '--gallery', 'staff', '--create-gallery'];
    const done = await wajah(settings, 'import', 'csv', join(folder, 'people.csv'), ...target);
    expect(done).toMatchObject({ code: 1, out: expect.stringMatching(/1 person enrolled/) });
    expect(done.out).toMatch(/different names under one user_id +2/);
    expect(done.err).toMatch(
      /"3\.17401E\+15" has different names: "Budi" \(line 2\), "Ani" \(line 3\); none of them is enrolled; .*format of the column to text/,
    );
    expect((await wajah(settings, 'gallery', 'list', 'acme')).out).toMatch(/^staff +1 /m);
    writeFileSync(join(folder, 'people.csv'), 'user_id,user_name,file\n7,Budi,budi/1.jpg\n');
    const later = await wajah(settings, 'import', 'csv', join(folder, 'people.csv'), ...target);
    expect(later).toMatchObject({ code: 1, out: expect.stringMatching(/0 people enrolled/) });
    expect(later.err).toMatch(
      /"7" is enrolled already with the name "Citra", and this is "Budi"; nothing was/,
    );
    writeFileSync(join(folder, 'people.csv'), 'user_id,user_name,file\n7,,budi/1.jpg\n');
    const unnamed = await wajah(settings, 'import', 'csv', join(folder, 'people.csv'), ...target);
    expect(unnamed).toMatchObject({ code: 0, out: expect.stringMatching(/skipped +1/) });
  });

  it('is refused in a folder with the similarity, in the store and over HTTP, unless it is forced', async () => {
    const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
    const server = await serve(settings);
    const acme = await newClient(settings, 'acme');
    const folder = await mixedFolder();
    const importFolder = async (...args: string[]) => {
      const report = join(temporaryDirectory(), 'report.jsonl');
      const ended = await wajah(settings, 'import', 'folder', folder, ...args, '--report', report);
      return { ...ended, report };
    };
    const into = (gallery: string) => ['--gallery', gallery, '--create-gallery'];
    const http = ['--url', server.url, '--token', acme.token, '--journal', join(folder, '.journal')];
    const listed = async (facegallery_id: string) =>
      (await post(server.url, acme.token, 'facegallery/list-faces', { facegallery_id }))['faces'];
    const pictures = async (facegallery_id: string, user_id: string) =>
      (await post(server.url, acme.token, 'facegallery/describe-face', { facegallery_id, user_id }))[
        'n_picture'
      ];

    const stored = await importFolder('--client', 'acme', ...into('stored'));
    expect(stored).toMatchObject({ code: 1, out: expect.stringMatching(/1 person enrolled/) });
    expect(stored.out).toMatch(
      /the face differs from the person's other pictures +3[\s\S]*it belongs to a system/,
    );
    expect(stored.err).toMatch(/1 person is not enrolled/);
    expect(reasonsOf(stored.report, 'refused')).toEqual([
      expect.stringMatching(
        /^most\/3.jpg: the face differs .*\(similarity 0\.\d{4} to the most similar one, most\/[12]\.jpg; threshold 0\.6250\); --force/,
      ),
      expect.stringMatching(
        /^two\/1.jpg: the pictures of this person do not show the same face .*none is enrolled/,
      ),
      expect.stringMatching(
        /^two\/2.jpg: the pictures of this person do not show the same face .*none is enrolled/,
      ),
    ]);
    expect(reasonsOf(stored.report, 'ignored')).toHaveLength(2);
    expect(await listed('stored')).toEqual([{ user_id: 'most', user_name: 'most' }]);
    expect(await pictures('stored', 'most')).toBe(2);

    const sent = await importFolder(...into('sent'), ...http);
    expect(sent).toMatchObject({ code: 1, out: expect.stringMatching(/1 person enrolled/) });
    expect(await listed('sent')).toEqual([{ user_id: 'most', user_name: 'most' }]);
    expect(await pictures('sent', 'most')).toBe(2);
    expect(reasonsOf(sent.report, 'refused')).toEqual([
      expect.stringMatching(
        /^most\/3.jpg: append: .*similarity of 0\.\d{4} at best, the threshold is 0\.6250/,
      ),
      expect.stringMatching(
        /^two\/1.jpg: 1 other picture of this person shows another face, and none is enrolled/,
      ),
      expect.stringMatching(/^two\/2.jpg: append: /),
    ]);

    const forced = await importFolder('--client', 'acme', ...into('forced'), '--force');
    expect(forced).toMatchObject({ code: 0, out: expect.stringMatching(/2 people enrolled/) });
    expect(await pictures('forced', 'two')).toBe(2);
    await importFolder(...into('sent'), ...http, '--force');
    expect(await pictures('sent', 'two')).toBe(2);
  });
});

it('wajah import follows the settings of the server, also of one that was stopped, and says so', async () => {
  const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
  const server = await serve({ ...settings, WAJAH_KEEP_FACE_CROPS: 'true', WAJAH_MIN_FACE_ENROL: '60' });
  const acme = await newClient(settings, 'acme');
  const importOf = async (person: PersonName) => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, `${person}.jpg`), await bytesOf(person));
    return wajah(settings, 'import', 'folder', folder, '--client', 'acme', '--gallery', 'acme@trial');
  };
  const crop = (url: string, user_id: string) =>
    post(url, acme.token, 'get-face-crop', { facegallery_id: 'acme@trial', user_id });
  const said =
    'The settings of the server are used: WAJAH_KEEP_FACE_CROPS=true (here false), WAJAH_MIN_FACE_ENROL=60 (here 100).\n';

  expect(await importOf('budi')).toMatchObject({ code: 0, err: expect.stringContaining(said) });
  expect(await crop(server.url, 'budi')).toMatchObject({ status: '200' });
  await server.stop('SIGTERM');
  expect(await importOf('ani')).toMatchObject({ code: 0, err: expect.stringContaining(said) });
  const again = await serve(settings);
  expect(await crop(again.url, 'ani')).toMatchObject({ status: '200' });
  // The server has other settings now.
  const third = await importOf('citra');
  expect(third).toMatchObject({ code: 0, err: expect.not.stringContaining('settings of the server') });
  expect(await crop(again.url, 'citra')).toMatchObject({ error: 'noCropKept' });
});

it('wajah import keeps no crops in a gallery that has not chosen them, where the server leaves it to galleries', async () => {
  const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
  const ofServer = { ...settings, WAJAH_KEEP_FACE_CROPS: 'gallery' };
  const server = await serve(ofServer);
  const acme = await newClient(settings, 'acme');
  await server.stop('SIGTERM');
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'budi.jpg'), await bytesOf('budi'));
  const others = { ...settings, WAJAH_KEEP_FACE_CROPS: 'true' };
  const args = ['import', 'folder', folder, '--client', 'acme', '--gallery', 'acme@trial'];
  expect(await wajah(others, ...args)).toMatchObject({
    code: 0,
    err: expect.stringContaining('WAJAH_KEEP_FACE_CROPS=gallery (here true)'),
  });
  const { url } = await serve(ofServer);
  const asked = { facegallery_id: 'acme@trial', user_id: 'budi' };
  expect(await post(url, acme.token, 'get-face-crop', asked)).toMatchObject({ error: 'noCropKept' });
});

describe('wajah import beside a server', () => {
  it('enrols in its store and over HTTP, also after a kill; its calls find the people at once', async () => {
    const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
    const server = await serve(settings);
    const acme = await newClient(settings, 'acme');
    const folder = await staffFolder();
    const gallery = ['--gallery', 'acme@trial'];
    const about = (facegallery_id: string, user_id: string) =>
      post(server.url, acme.token, 'facegallery/describe-face', { facegallery_id, user_id });
    const importFolder = (...args: string[]) => wajah(settings, 'import', 'folder', folder, ...args);
    const dry = await importFolder('--client', 'acme', ...gallery, '--dry-run');
    expect(dry.out).toMatch(/valid +4[\s\S]*0 people enrolled/);
    expect(await acme.identify(server.url, 'budi')).toMatchObject({ status: '411' });
    const straight = await importFolder('--client', 'acme', ...gallery);
    expect(straight.out).toMatch(/2 people enrolled/);
    expect(await acme.identify(server.url, 'budi')).toMatchObject({ status: '200' });
    expect(await about('acme@trial', 'ani')).toMatchObject({ n_picture: 2 });

    const journal = join(temporaryDirectory(), 'journal');
    const http = ['--url', server.url, '--token', acme.token, '--journal', journal];
    const again = await importFolder(...gallery, ...http);
    expect(again.out).toMatch(/skipped +4/);
    const other = ['--gallery', 'other', '--create-gallery', '--duplicates', 'refuse'];
    // An earlier import has sent the first picture of budi.
    const first = temporaryDirectory();
    mkdirSync(join(first, 'budi'));
    writeFileSync(join(first, 'budi', '1.jpg'), await bytesOf('budi'));
    await wajah(settings, 'import', 'folder', first, ...other, ...http);
    const { createHash } = await import('node:crypto');
    writeFileSync(journal, `+${createHash('sha256').update('budi').digest('hex')}\n`);
    const resumed = await importFolder(...other, ...http);
    expect(resumed.out).toMatch(/enrolled +4[\s\S]*2 people enrolled/);
    expect(await about('other', 'budi')).toMatchObject({ n_picture: 2 });
    const wrong = await importFolder(...gallery, '--url', server.url, '--token', 'x');
    expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(/refuses the import.*401/) });
    // Nothing was sent: there is nothing to resume. The command ran in the root.
    expect(existsSync(join(root, 'wajah-import.journal'))).toBe(false);
  });

  it('reads a CSV file and an archive', async () => {
    const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
    await wajah(settings, 'client', 'create', 'acme');
    const folder = await staffFolder();
    const head = '\uFEFFuser_id,user_name,file,team,consent_reference,consent_until\r\n';
    const table = join(folder, 'people.csv');
    const write = (rows: string) => writeFileSync(table, head + rows);
    const target = ['--client', 'acme', '--gallery', 'staff', '--create-gallery'];
    write('1,Budi,budi/1.jpg,a,form 7,soon\r\n');
    const wrong = await wajah(settings, 'import', 'csv', table, ...target);
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /the row of 1, budi\/1.jpg: consent_until: found the text "soon"; allowed is a time/,
      ),
    });
    const until = '2126-01-01T00:00:00Z';
    write(
      `1,"Budi, S.",budi/1.jpg,a,form 7,${until}\r\n1,"Budi, S.",budi/2.jpg,a,,\r\n2,Siti,gone.jpg,b,,\r\n`,
    );
    const report = join(folder, 'report.csv');
    const csv = await wajah(settings, 'import', 'csv', table, ...target, '--report', report);
    expect(csv.out).toMatch(/1 person enrolled/);
    expect(readFileSync(report, 'utf8')).toMatch(
      /^file,person,status,reason,name\n[\s\S]*gone.jpg,2,refused,.*ENOENT/,
    );
    const archive = join(folder, 'staff.zip');
    writeFileSync(
      archive,
      zipOf({ 'staff/ani/1.jpg': await bytesOf('ani'), 'staff/notes.txt': Buffer.from('x') }),
    );
    const intoStaff = ['import', 'zip', archive, ...target, '--root', 'staff'];
    await wajah(settings, 'gallery', 'set-consent', 'acme', 'staff', 'required');
    expect((await wajah(settings, ...intoStaff)).err).toMatch(/ani: staff\/ani\/1.jpg: .*requires a consent/);
    await wajah(settings, 'gallery', 'set-consent', 'acme', 'staff', 'optional');
    expect((await wajah(settings, ...intoStaff)).out).toMatch(/1 person enrolled/);
    const known = await wajah(settings, 'person', 'export', 'acme', '1');
    expect(known.out).toMatch(/form 7[\s\S]*2126/);
  });
});

describe('wajah import compreface', () => {
  it('reads the API of CompreFace', async () => {
    const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
    await wajah(settings, 'client', 'create', 'acme');
    const folder = await staffFolder();
    // About half of the pixels that a folder's face needs.
    const faces = [{ x: 150, y: 150, size: 90 }];
    writeFileSync(join(folder, 'ani', '3.jpg'), await drawnPicture({ width: 300, height: 300, faces }));
    const compreface = await openCompreFace(folder, 'the-key');
    const into = (gallery: string) => ['--client', 'acme', '--gallery', gallery, '--create-gallery'];
    const target = [...into('staff'), '--api', compreface];
    const asFolder = await wajah(settings, 'import', 'folder', folder, ...into('folder'));
    expect(asFolder.err).toMatch(/ani: ani\/3.jpg: .* the minimum is 100 px/);
    const wrong = await wajah(settings, 'import', 'compreface', ...target, '--key', 'other');
    expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(/HTTP 401; is it the API key/) });
    const done = await wajah(settings, 'import', 'compreface', ...target, '--key', 'the-key');
    expect(done.out).toMatch(/enrolled +5[\s\S]*2 people enrolled/);
  });

  describe.skipIf(noPostgres)('with its database', () => {
    it('takes the stored pictures and says which examples have none', async () => {
      const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
      await wajah(settings, 'client', 'create', 'acme');
      const url = await newDatabase();
      const database = url.split('/').at(-1) ?? '';
      const hex = (await bytesOf('budi')).toString('hex');
      await (await PostgresServer.shared()).query(
        `CREATE TABLE subject (id uuid PRIMARY KEY, api_key text, subject_name text);
         CREATE TABLE img (id uuid PRIMARY KEY, content bytea);
         CREATE TABLE embedding (id uuid PRIMARY KEY, subject_id uuid, embedding float8[], calculator text, img_id uuid);
         INSERT INTO subject VALUES ('00000000-0000-0000-0000-000000000001', 'k1', 'Budi S'),
           ('00000000-0000-0000-0000-000000000002', 'k1', 'Ani');
         INSERT INTO img VALUES ('00000000-0000-0000-0000-000000000003', '\\x${hex}');
         INSERT INTO embedding VALUES
           ('00000000-0000-0000-0000-000000000004', '00000000-0000-0000-0000-000000000001', '{1}', 'a', '00000000-0000-0000-0000-000000000003'),
           ('00000000-0000-0000-0000-000000000005', '00000000-0000-0000-0000-000000000001', '{1}', 'b', '00000000-0000-0000-0000-000000000003'),
           ('00000000-0000-0000-0000-000000000006', '00000000-0000-0000-0000-000000000002', '{1}', 'a', NULL)`,
        database,
      );
      const target = ['--client', 'acme', '--gallery', 'staff', '--create-gallery', '--database', url];
      const done = await wajah(settings, 'import', 'compreface', ...target);
      expect(done.out).toMatch(/1 person enrolled/);
      expect(done.err).toMatch(/1 examples have no stored picture/);
      const wrong = await wajah(settings, 'import', 'compreface', ...target, '--key', 'k2');
      expect(wrong.err).toMatch(/no recognition service with subjects has this API key/);
      const empty = await newDatabase();
      const none = await wajah(settings, 'import', 'compreface', ...target.slice(0, -1), empty);
      expect(none.err).toMatch(/is it its database/);
    });
  });
});
