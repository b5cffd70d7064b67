import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace, type PersonName } from '../../packages/engine/test/drawn/drawn-face.ts';
import { newDatabase, noPostgres, PostgresServer } from '../../packages/server/test/support/postgres.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { openCompreFace } from '../support/compreface.ts';
import { newClient, picture, post } from '../support/enrolling.ts';
import { firstClient, Run, serve, wajah } from '../support/program.ts';
import { root } from '../support/sources.ts';

const people = ['budi', 'ani'] as const satisfies readonly PersonName[];
const bytesOf = async (person: PersonName, again = false) =>
  Buffer.from(await picture(person, again), 'base64');

const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
let server: Awaited<ReturnType<typeof serve>>;
let acme: Awaited<ReturnType<typeof newClient>>;
beforeAll(async () => {
  server = await serve(settings);
  acme = await newClient(settings, 'acme');
});

let galleries = 0;
const newGallery = () => `gallery-${++galleries}`;
/** Options of an import into a gallery, which is created. */
const into = (gallery: string, journal = join(temporaryDirectory(), 'journal')) => [
  ...['--gallery', gallery, '--create-gallery', '--url', server.url, '--token', acme.token],
  ...['--journal', journal],
];
const run = (...args: string[]) => wajah(settings, 'import', ...args);
const listed = async (facegallery_id: string) =>
  (await post(server.url, acme.token, 'facegallery/list-faces', { facegallery_id }))['faces'];
const galleriesOf = async (token: string) => {
  const { facegalleries } = await post(server.url, token, 'facegallery/describe-facegalleries', {});
  return facegalleries as { facegallery_id: string; created_at: string }[];
};
const about = (facegallery_id: string, user_id: string) =>
  post(server.url, acme.token, 'facegallery/describe-face', { facegallery_id, user_id });

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
  it('enrols a folder, says why others are refused, and skips people the next time', async () => {
    const folder = await staffFolder();
    writeFileSync(join(folder, 'broken.jpg'), 'no picture');
    writeFileSync(join(folder, 'same.jpg'), await drawnFace({ person: 'budi', tilt: 3 }));
    const name = 'ne\nw.jpg';
    writeFileSync(join(folder, name), await bytesOf('citra'));
    const report = join(temporaryDirectory(), 'report.jsonl');
    const gallery = newGallery();
    const args = ['folder', folder, ...into(gallery), '--report', report, '--duplicates', 'refuse'];
    const done = await run(...args, '--parallel', '1');
    expect(done).toMatchObject({
      code: 1,
      out: expect.stringMatching(/enrolled +4[\s\S]*2 people enrolled/),
    });
    expect(done.err).toMatch(/broken: broken.jpg: .*JPEG[\s\S]*3 people are not enrolled/);
    expect(statusesOf(report).sort()).toEqual([
      'ani ani/1.jpg enrolled',
      'ani ani/2.jpg enrolled',
      'broken broken.jpg refused',
      'budi budi/1.jpg enrolled',
      'budi budi/2.jpg enrolled',
      'ne\nw ne\nw.jpg refused',
      'same same.jpg duplicate',
    ]);
    const reasonOf = (who: string) => reportOf(report).find(({ person }) => person === who)?.reason;
    expect(reasonOf('same')).toMatch(/"budi"/);
    expect(reasonOf('ne\nw')).toMatch(/^user_id: /);
    expect(await listed(gallery)).toHaveLength(2);
    expect(await acme.identify(server.url, 'budi')).toMatchObject({ status: '411' });
    const again = await run(...args);
    expect(again.out).toMatch(/skipped +4[\s\S]*0 people enrolled/);
    const elsewhere = ['--gallery', 'none', '--url', server.url, '--token', acme.token];
    expect((await run('folder', folder, ...elsewhere)).err).toMatch(
      /refuses the import: facegallery_id: .*create it first \(status 416\)/,
    );
  });

  it('reads and sends nothing in a dry run', async () => {
    const folder = await staffFolder();
    const gallery = newGallery();
    const dry = [...into(gallery), '--dry-run'];
    const valid = {
      code: 0,
      out: expect.stringMatching(/valid +4[\s\S]*2 people with pictures; none was sent/),
    };
    const done = await run('folder', folder, ...dry);
    expect(done).toMatchObject({
      ...valid,
      err: expect.stringMatching(/no gallery "gallery-\d+" yet; it would be created/),
    });
    await post(server.url, acme.token, 'facegallery/create-facegallery', { facegallery_id: gallery });
    expect(await run('folder', folder, ...dry)).toMatchObject(valid);
    expect(await listed(gallery)).toEqual([]);
  });

  it('refuses in a dry run what the server would refuse before it looks for faces', async () => {
    const folder = temporaryDirectory();
    const face = await bytesOf('budi');
    for (const [name, bytes] of [
      ['heic.jpg', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
      ['empty.jpg', ''],
      ['half.jpg', face.subarray(0, face.length / 2)],
      ['text.jpg', 'no picture'],
      ['a\u200bb.jpg', face],
      ['good.jpg', face],
    ] as const)
      writeFileSync(join(folder, name), bytes);
    const report = join(temporaryDirectory(), 'report.jsonl');
    const args = ['folder', folder, ...into(newGallery()), '--report', report];
    const dry = await run(...args, '--dry-run');
    expect(dry).toMatchObject({ code: 1, out: expect.stringMatching(/1 person with pictures/) });
    const said = reportOf(report).sort((a, b) => (a.file < b.file ? -1 : 1));
    expect(said.map(({ file, status }) => `${file} ${status}`)).toEqual([
      'a\u200bb.jpg refused',
      'empty.jpg refused',
      'good.jpg valid',
      'half.jpg refused',
      'heic.jpg refused',
      'text.jpg refused',
    ]);
    writeFileSync(report, '');
    expect((await run(...args)).out).toMatch(/1 person enrolled/);
    const real = reportOf(report).sort((a, b) => (a.file < b.file ? -1 : 1));
    expect(real.map(({ status }) => status)).toEqual(
      said.map(({ status }) => status.replace('valid', 'enrolled')),
    );
    for (const at of [0, 1, 3, 4, 5]) expect(said[at]?.reason).toBe(real[at]?.reason);
    expect(dry.out).toMatch(/user_id is refused +1/);
  });

  describe('in a dry run', () => {
    /** What a dry run says, and then the import itself. */
    const bothOf = async (args: string[]) => {
      const runs = [];
      for (const more of [['--dry-run'], []]) {
        const report = join(temporaryDirectory(), 'report.jsonl');
        const journal = ['--journal', join(temporaryDirectory(), 'journal')];
        const ended = await run(...args, ...journal, '--report', report, ...more);
        // A dry run leaves nothing to go on with.
        const err = ended.err.replace(/^Stopped\. .*\n/m, '');
        runs.push({ ...ended, err, said: readFileSync(report, 'utf8') ? reportOf(report) : [] });
      }
      return runs as [(typeof runs)[0], (typeof runs)[0]];
    };
    const setting = (what: string, gallery: string) =>
      wajah(settings, 'gallery', what, 'acme', gallery, 'required');
    const created = async () => {
      const gallery = newGallery();
      await post(server.url, acme.token, 'facegallery/create-facegallery', { facegallery_id: gallery });
      return gallery;
    };
    const at = (gallery: string, token = acme.token) => [
      ...['--gallery', gallery, '--url', server.url, '--token', token],
    ];

    it('says of a gallery that requires liveness, or a token that may not enrol or create, what the import says', async () => {
      const folder = await staffFolder();
      const live = await created();
      await setting('set-liveness', live);
      const scoped = async (scopes: string) => {
        const made = await wajah(settings, 'token', 'create', 'acme', '--scopes', scopes, '--json');
        return (JSON.parse(made.out) as { token: string }).token;
      };
      const [reader, enroller] = [await scoped('read'), await scoped('read,enrol')];
      for (const [args, status] of [
        [at(live), 421],
        [at(await created(), reader), 403],
        [[...at(newGallery(), enroller), '--create-gallery'], 403],
        [at(newGallery()), 416],
      ] as const) {
        const [dry, real] = await bothOf(['folder', folder, ...args]);
        expect(dry.err).toContain(`(status ${status})`);
        expect([dry.code, dry.err]).toEqual([real.code, real.err]);
      }
    });

    it('refuses whom the import refuses for want of a consent, or for its times', async () => {
      const folder = await staffFolder();
      const required = await created();
      await setting('set-consent', required);
      const table = join(folder, 'people.csv');
      const head = 'user_id,file,consent_reference,consent_purpose,consent_given_at,consent_until\n';
      const rows = [
        '1,budi/1.jpg,,,,',
        '2,ani/1.jpg,form 1,,,',
        '2,ani/2.jpg,form 1,,,',
        '3,ani/2.jpg,form 2,,,2026-01-01T00:00:00Z',
        '4,budi/2.jpg,form 3,,2126-01-01T00:00:00Z,',
        '5,budi/2.jpg,,work,,',
      ];
      writeFileSync(table, `${head}${rows.join('\n')}\n`);
      for (const args of [at(required), [...at(newGallery()), '--create-gallery']]) {
        // Reports are written as people are done: two at once have no order.
        const [dry, real] = await bothOf(['csv', table, ...args, '--parallel', '1']);
        const refusals = ({ said }: typeof dry) => said.filter(({ status }) => status === 'refused');
        expect(refusals(dry)).toEqual(refusals(real));
        expect(refusals(dry)).toHaveLength(args.includes('--create-gallery') ? 3 : 4);
        expect(dry.out).toMatch(/consent_until is refused +1/);
      }
    });

    it('counts how many people and galleries the client may still have', async () => {
      const folder = await staffFolder();
      const small = await newClient(settings, 'small');
      const quota = (...args: string[]) => wajah(settings, 'client', 'set-quota', 'small', ...args);
      await quota('--faces', '1');
      const target = [...at('second', small.token), '--create-gallery', '--parallel', '1'];
      const dry = await run('folder', folder, ...target, '--dry-run');
      expect(dry).toMatchObject({
        code: 1,
        out: expect.stringMatching(/valid +2[\s\S]*1 person with pictures/),
      });
      expect(dry.err).toMatch(
        /budi: budi\/1.jpg: n_face: the number of faces .* is used up; ask the operator/,
      );
      await quota('--faces', '0');
      const [used, real] = await bothOf(['folder', folder, ...at('small@trial', small.token)]);
      expect([used.code, used.err]).toEqual([real.code, real.err]);
      await quota('--faces', '-1', '--galleries', '1');
      const [none, realOne] = await bothOf(['folder', folder, ...target]);
      expect(none).toMatchObject({ code: 1, err: expect.stringMatching(/n_facegallery.*ask the operator/) });
      expect(realOne).toMatchObject({
        code: 1,
        err: expect.stringMatching(/n_facegallery.*ask the operator/),
      });
    });

    it('says who is enrolled and suspended, whom --replace does not enrol either', async () => {
      const folder = await staffFolder();
      const gallery = await created();
      await run('folder', folder, ...at(gallery));
      await wajah(settings, 'person', 'suspend', 'acme', 'budi', '--gallery', gallery);
      for (const { said, out } of await bothOf(['folder', folder, ...at(gallery)])) {
        expect(out).toMatch(/is enrolled already +2[\s\S]*enrolled already, and suspended.* +2/);
        expect(said.find(({ person }) => person === 'budi')).toMatchObject({
          status: 'skipped',
          reason: 'this user_id is enrolled already, and suspended: it matches nobody until it is resumed',
        });
      }
      const [dry, real] = await bothOf(['folder', folder, ...at(gallery), '--replace']);
      for (const { said } of [dry, real])
        expect(said.filter(({ status }) => status === 'refused')).toMatchObject([
          { person: 'budi', reason: expect.stringMatching(/suspended since/) },
          { person: 'budi' },
        ]);
    });
  });

  it('resumes: a person whose pictures were not all sent is enrolled again', async () => {
    const folder = await staffFolder();
    const gallery = newGallery();
    const journal = join(temporaryDirectory(), 'journal');
    const first = temporaryDirectory();
    mkdirSync(join(first, 'budi'));
    writeFileSync(join(first, 'budi', '1.jpg'), await bytesOf('budi'));
    await run('folder', first, ...into(gallery, journal));
    expect(existsSync(journal)).toBe(false);
    const { created_at } = (await galleriesOf(acme.token)).find((one) => one.facegallery_id === gallery)!;
    const head = `Journal of an import into the gallery "${gallery}", created ${created_at}, of ${server.url}`;
    writeFileSync(journal, `${head}\n+${createHash('sha256').update('budi').digest('hex')}\n`);
    const again = ['folder', folder, ...into(gallery, journal)];
    expect((await run(...again, '--dry-run')).out).toMatch(/valid +4/);
    const resumed = await run(...again, '--duplicates', 'refuse');
    expect(resumed.out).toMatch(/enrolled +4[\s\S]*2 people enrolled/);
    expect(await about(gallery, 'budi')).toMatchObject({ n_picture: 2 });
  });

  it('says at Ctrl-C how it goes on, and goes on', async () => {
    const folder = await staffFolder();
    const table = join(folder, 'people.csv');
    const rows = Array.from({ length: 40 }, (_, i) => `p${i},,budi/1.jpg\n`);
    writeFileSync(table, `user_id,user_name,file\n${rows.join('')}`);
    const gallery = newGallery();
    const [report, journal] = ['report.jsonl', 'journal'].map((file) => join(temporaryDirectory(), file));
    const args = ['csv', table, ...into(gallery, journal), '--report', report!];
    const first = new Run(settings, ['import', ...args]);
    await expect.poll(() => reportOf(report!)).not.toEqual([]);
    process.kill(first.pid, 'SIGSTOP');
    const second = await run(...args);
    for (const signal of ['SIGCONT', 'SIGINT'] as const) process.kill(first.pid, signal);
    expect(second).toMatchObject({ code: 1, err: expect.stringMatching(/is that of an import that runs;/) });
    expect(await first.finished).toMatchObject({
      code: 130,
      err: expect.stringContaining(`The same command goes on, with the journal ${journal}.`),
    });
    expect(await run(...args)).toMatchObject({ code: 0, out: expect.stringMatching(/skipped/) });
    expect(await listed(gallery)).toHaveLength(40);
    expect([journal!, `${journal}.lock`].filter((file) => existsSync(file))).toEqual([]);
  });

  it('says that it waits for a server that is away', async () => {
    const away = await serve({ WAJAH_DATA_DIR: temporaryDirectory() });
    const { token } = await firstClient(away);
    const table = join(await staffFolder(), 'people.csv');
    const rows = Array.from({ length: 40 }, (_, i) => `p${i},budi/1.jpg\n`);
    writeFileSync(table, `user_id,file\n${rows.join('')}`);
    const [report, journal] = ['report.jsonl', 'journal'].map((file) => join(temporaryDirectory(), file));
    const to = ['--url', away.url, '--token', token, '--gallery', 'g', '--create-gallery'];
    const importing = new Run(settings, [
      'import',
      'csv',
      table,
      ...to,
      '--journal',
      journal!,
      '--report',
      report!,
    ]);
    await expect.poll(() => reportOf(report!)).not.toEqual([]);
    process.kill(away.pid, 'SIGKILL');
    await importing.waitForOutput(/(Waiting for the server, up to five minutes: .+)/);
    process.kill(importing.pid, 'SIGINT');
    expect(await importing.finished).toMatchObject({ code: 130 });
  });

  it('goes on after a quota was used up, and only with the import that the journal is of', async () => {
    const folder = await staffFolder();
    const table = join(folder, 'people.csv');
    writeFileSync(table, 'user_id,file\na,budi/1.jpg\nb,ani/1.jpg\n');
    const small = await newClient(settings, 'limited');
    const [gallery, other] = [newGallery(), newGallery()];
    const journal = join(temporaryDirectory(), 'journal');
    const of = (name: string, url = server.url, { token } = small) => [
      ...['csv', table, '--gallery', name, '--url', url, '--token', token],
      ...['--journal', journal, '--create-gallery', '--parallel', '1'],
    ];
    await wajah(settings, 'client', 'set-quota', 'limited', '--faces', '1');
    const stopped = await run(...of(gallery));
    expect(stopped).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /Once the cause is mended, the same command goes on, with the journal .*\n.*used up.*\(status 403\)/,
      ),
    });
    for (const args of [
      of(other),
      of(gallery, server.url, acme),
      [...of(gallery), '--replace'],
      ['csv', table, '--gallery', gallery, '--client', 'limited', '--journal', journal],
    ])
      for (const more of [['--dry-run'], []]) {
        const refused = await run(...args, ...more);
        expect(refused.code).toBe(1);
        expect(refused.err).toMatch(
          /is the journal of an import into the gallery "gallery-\d+", created .*Z, of http.*, and this import is into the gallery .*; go on with that one first, or name another file/,
        );
      }
    expect((await galleriesOf(small.token)).map((one) => one.facegallery_id)).not.toContain(other);
    expect((await galleriesOf(acme.token)).map((one) => one.facegallery_id)).not.toContain(gallery);
    await wajah(settings, 'client', 'set-quota', 'limited', '--faces', '9');
    const made = await wajah(
      settings,
      'token',
      'create',
      'limited',
      '--scopes',
      'read,enrol,manage',
      '--json',
    );
    const token = (JSON.parse(made.out) as { token: string }).token;
    const last = await run(...of(gallery, `${server.url}/`, { ...small, token }));
    expect(last).toMatchObject({ code: 0, out: expect.stringMatching(/skipped +1\s+enrolled +1/) });
    expect(existsSync(journal)).toBe(false);
  });

  it('names who stays enrolled where --replace takes no picture', async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'budi.jpg'), await bytesOf('budi'));
    const gallery = newGallery();
    await run('folder', folder, ...into(gallery));
    for (const name of ['budi', 'nobody']) writeFileSync(join(folder, `${name}.jpg`), 'no picture');
    const done = await run('folder', folder, ...into(gallery), '--replace');
    expect(done).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /1 person is not enrolled, and 1 person is still enrolled with the former face \(budi\): no picture/,
      ),
    });
  });

  it('writes to no file that is another’s, and deletes none', async () => {
    const folder = await staffFolder();
    const table = join(folder, 'people.csv');
    writeFileSync(table, 'user_id,file\nbudi,budi/1.jpg\n');
    writeFileSync(join(folder, 'empty'), '');
    const gallery = newGallery();
    const bytes = (name: string) => readFileSync(join(folder, name)).toString('hex');
    for (const [option, name, says] of [
      ['--journal', 'people.csv', /people.csv is no journal of an import/],
      ['--journal', 'budi/2.jpg', /2.jpg is no journal of an import/],
      ['--journal', 'empty', /empty is no journal of an import/],
      ['--report', 'people.csv', /people.csv is there already, and is no report of an import as CSV/],
      ['--report', 'budi/2.jpg', /2.jpg is there already, and is no report of an import in JSON lines/],
    ] as const) {
      const before = bytes(name);
      const refused = await run('csv', table, ...into(gallery), option, join(folder, name));
      expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(says) });
      expect(bytes(name)).toBe(before);
    }
    expect((await galleriesOf(acme.token)).map((one) => one.facegallery_id)).not.toContain(gallery);
  });

  it('leaves nothing behind when the token is wrong, or nothing answers', async () => {
    const folder = await staffFolder();
    const wrong = ['--gallery', 'acme@trial', '--url', server.url, '--token', 'x'];
    expect(await run('folder', folder, ...wrong)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/refuses the import.*401/),
    });
    for (const [url, says] of [
      ['http://127.0.0.1:9', /127.0.0.1:9 does not answer/],
      [server.url.replace('http:', 'https:'), /does not answer \(it speaks no TLS; is it http:/],
      [server.url.replace('http://', ''), /--url: found "127.*allowed is http:/],
      [`${server.url}/face-api`, /--url is the address before \/face-api/],
    ] as const) {
      const lost = await run('folder', folder, '--gallery', 'x', '--url', url, '--token', acme.token);
      expect(lost).toMatchObject({ code: 1, err: expect.stringMatching(says) });
      expect(lost.err).not.toMatch(/ at /);
    }
    // Nothing was sent: there is nothing to resume. The command ran in the root.
    expect(existsSync(join(root, 'wajah-import.journal'))).toBe(false);
    expect((await run('folder', join(folder, 'none'), ...into(newGallery()))).err).toMatch(
      /none cannot be read \(ENOENT\); name a folder/,
    );
  });
});

describe('wajah import into this installation', () => {
  it('enrols by the running server, which finds the people at once, and without one', async () => {
    const folder = await staffFolder();
    const local = (gallery: string) => ['--client', 'acme', '--gallery', gallery, '--create-gallery'];
    const gallery = newGallery();
    const journal = ['--journal', join(temporaryDirectory(), 'journal')];
    const done = await run('folder', folder, ...local(gallery), ...journal);
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/2 people enrolled/) });
    expect(await about(gallery, 'ani')).toMatchObject({ n_picture: 2 });
    const unknown = await run('folder', folder, '--client', 'nobody', '--gallery', gallery, ...journal);
    expect(unknown).toMatchObject({ code: 1, err: expect.stringMatching(/nobody|client/) });
    const unnamed = await run('folder', folder, '--gallery', gallery);
    expect(unnamed.err).toMatch(/--client is missing.*--url and --token/);
    expect((await run('folder', folder, ...into(gallery), '--client', 'acme')).err).toMatch(
      /not used with --url/,
    );

    const other = { WAJAH_DATA_DIR: temporaryDirectory() };
    await wajah(other, 'client', 'create', 'acme');
    const alone = await wajah(other, 'import', 'folder', folder, ...local('staff'), ...journal);
    expect(alone).toMatchObject({ code: 0, out: expect.stringMatching(/2 people enrolled/) });
    expect((await wajah(other, 'gallery', 'list', 'acme')).out).toMatch(/^staff +2 /m);
  });
});

it('wajah person erase --file erases leavers, and says who was not found', async () => {
  const gallery = newGallery();
  const folder = await staffFolder();
  await run('folder', folder, ...into(gallery));
  const file = join(temporaryDirectory(), 'leavers.csv');
  writeFileSync(file, 'sep=;\r\nuser_name;user_id\r\nAni;ani\r\nNobody;nob\u009body\r\nAni again;ani\r\n');
  const erase = (...args: string[]) => wajah(settings, 'person', 'erase', 'acme', ...args);
  expect(await erase()).toMatchObject({
    code: 1,
    err: expect.stringMatching(/<user_id> is missing \(or --file\)/),
  });
  expect((await erase('ani', '--file', file)).err).toMatch(/--file is not used with <user_id>/);
  expect((await erase('--file', file)).err).toMatch(
    /Nothing was changed: ".*\b2 people of .*leavers\.csv.*" needs the answer y, or --yes/,
  );
  expect(await listed(gallery)).toHaveLength(2);
  const done = await erase('--file', file, '--yes');
  expect(done.code).toBe(1);
  expect(done.out).toMatch(/^ani: \d+ galler(y|ies), record \d+, \w+\n$/);
  expect(done.err).toMatch(
    /1 of 2 people of .*leavers.csv are erased\.[\s\S]*1 not found in any gallery of acme: nob\\u009body\./,
  );
  expect(await listed(gallery)).toMatchObject([{ user_id: 'budi' }]);
  writeFileSync(file, 'budi\n');
  const last = await erase('--file', file, '--yes', '--json');
  expect(JSON.parse(last.out)).toMatchObject([{ user_id: 'budi', receipt: { hash: expect.any(String) } }]);
  expect(last.code).toBe(0);
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
    const folder = await staffFolder();
    const gallery = newGallery();
    const csv = (rows: string) => {
      writeFileSync(join(folder, 'people.csv'), rows);
      return run('csv', join(folder, 'people.csv'), ...into(gallery));
    };
    const done = await csv(
      'user_id;user_name;file\r\n3.17401E+15;Budi;budi\\1.jpg\r\n3.17401E+15;Ani;ani\\1.jpg\r\n7;Citra;ani\\2.jpg\r\n',
    );
    expect(done).toMatchObject({ code: 1, out: expect.stringMatching(/1 person enrolled/) });
    expect(done.out).toMatch(/different names under one user_id +2/);
    expect((await csv('user_id;file\r\n')).err).toMatch(/Nothing to import: there is no picture, and no row/);
    const dates = await csv('user_id;file\r\n2024-01-01;budi\\1.jpg\r\n');
    expect(dates.err).toMatch(/\(a date or a time\); .* if the id is meant so, use --ids-as-written\n/);
    const file = join(folder, 'people.csv');
    expect(await run('csv', file, ...into(newGallery()), '--ids-as-written')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/1 person enrolled/),
    });
    expect(done.err).toMatch(
      /"3\.17401E\+15" has different names: "Budi" \(line 2\), "Ani" \(line 3\); none of them is enrolled; .*format of the column to text/,
    );
    expect(await listed(gallery)).toEqual([{ user_id: '7', user_name: 'Citra' }]);
    const later = await csv('user_id,user_name,file\n7,Budi,budi/1.jpg\n');
    expect(later).toMatchObject({ code: 1, out: expect.stringMatching(/0 people enrolled/) });
    expect(later.err).toMatch(
      /"7" is enrolled already with the name "Citra", and this is "Budi"; nothing was/,
    );
    const unnamed = await csv('user_id,user_name,file\n7,,budi/1.jpg\n');
    expect(unnamed).toMatchObject({ code: 0, out: expect.stringMatching(/skipped +1/) });
  });

  it('is refused in a folder with the similarity, unless it is forced', async () => {
    const folder = await mixedFolder();
    const gallery = newGallery();
    const importFolder = async (...args: string[]) => {
      const report = join(temporaryDirectory(), 'report.jsonl');
      const ended = await run('folder', folder, ...into(gallery), ...args, '--report', report);
      return { ...ended, report };
    };
    const pictures = async (user_id: string) => (await about(gallery, user_id))['n_picture'];
    const sent = await importFolder();
    expect(sent).toMatchObject({ code: 1, out: expect.stringMatching(/1 person enrolled/) });
    expect(sent.out).toMatch(
      /the face differs from the person's other pictures +3[\s\S]*it belongs to a system/,
    );
    expect(sent.err).toMatch(/1 person is not enrolled/);
    expect(await listed(gallery)).toEqual([{ user_id: 'most', user_name: 'most' }]);
    expect(await pictures('most')).toBe(2);
    expect(reasonsOf(sent.report, 'refused')).toEqual([
      expect.stringMatching(
        /^most\/3.jpg: The face .*similarity of 0\.\d{4} at best, the threshold is 0\.6250.*--force/,
      ),
      expect.stringMatching(
        /^two\/1.jpg: 1 other picture of this person shows another face \(two\/2.jpg\), and none is enrolled.*--force/,
      ),
      expect.stringMatching(/^two\/2.jpg: The face and /),
    ]);
    expect(reasonsOf(sent.report, 'ignored')).toHaveLength(2);
    await importFolder('--force');
    expect(await pictures('two')).toBe(2);
  });
});

it('wajah import csv records consents, and reports as CSV', async () => {
  const folder = await staffFolder();
  const gallery = newGallery();
  const head = '\uFEFFuser_id,user_name,file,team,consent_reference,consent_until\r\n';
  const table = join(folder, 'people.csv');
  const importRows = (rows: string, ...args: string[]) => {
    writeFileSync(table, head + rows);
    return run('csv', table, ...into(gallery), ...args);
  };
  const wrong = await importRows('1,Budi,budi/1.jpg,a,form 7,soon\r\n');
  expect(wrong).toMatchObject({
    code: 1,
    err: expect.stringMatching(/1: line 2: consent_until: found the text "soon"; allowed is a time/),
  });
  const until = '2126-01-01T00:00:00Z';
  const report = join(folder, 'report.csv');
  const rows = `1,"Budi, S.",budi/1.jpg,a,form 7,${until}\r\n1,"Budi, S.",budi/2.jpg,a,,\r\n2,Siti,gone.jpg,b,,\r\n`;
  const csv = await importRows(rows, '--report', report);
  expect(csv.out).toMatch(/1 person enrolled/);
  expect(readFileSync(report, 'utf8')).toMatch(
    /^\uFEFFfile,person,status,reason,name\n[\s\S]*gone.jpg,2,refused,there is no gone.jpg/,
  );
  await wajah(settings, 'gallery', 'set-consent', 'acme', gallery, 'required');
  expect((await importRows('3,Ani,ani/1.jpg,a,,\r\n')).err).toMatch(/3: ani\/1.jpg: .*consent/);
  expect((await wajah(settings, 'person', 'export', 'acme', '1')).out).toMatch(/form 7[\s\S]*2126/);
});

describe('wajah import compreface', () => {
  it('reads the API of CompreFace', async () => {
    const folder = await staffFolder();
    const compreface = await openCompreFace(folder, 'the-key');
    const target = [...into(newGallery()), '--api', compreface];
    const wrong = await run('compreface', ...target, '--key', 'other');
    expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(/HTTP 401; is it the API key/) });
    for (const [api, says] of [
      [compreface.replace('http://', ''), /--api: found "127.*allowed is http:/],
      [compreface.replace('http:', 'https:'), /it does not answer \(it speaks no TLS; is it http:/],
    ] as const)
      expect((await run('compreface', ...target, '--api', api, '--key', 'the-key')).err).toMatch(says);
    rmSync(join(folder, 'ani', '2.jpg'));
    const done = await run('compreface', ...target, '--key', 'the-key');
    expect(done.out).toMatch(/enrolled +3[\s\S]*2 people enrolled/);
    expect(done.err).toMatch(/ani: [-\w]+: HTTP 404; the list names it, and it is not there\n/);
  });

  describe.skipIf(noPostgres)('with its database', () => {
    it('takes the stored pictures and says which examples have none', async () => {
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
      const target = [...into(newGallery()), '--database', url];
      const done = await run('compreface', ...target);
      expect(done.out).toMatch(/1 person enrolled/);
      expect(done.err).toMatch(/1 examples have no stored picture/);
      const wrong = await run('compreface', ...target, '--key', 'k2');
      expect(wrong.err).toMatch(/no recognition service with subjects has this API key/);
      const empty = await newDatabase();
      const none = await run('compreface', ...target.slice(0, -1), empty);
      expect(none.err).toMatch(/is it its database/);
    });
  });
});
