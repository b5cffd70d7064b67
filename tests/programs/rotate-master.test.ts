// An operator who believes every sentence of `wajah keys rotate-master`, of backups and of refusals, to the letter.
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { newClient } from '../support/enrolling.ts';
import { installations } from '../support/installations.ts';
import { Run, type Settings, serve, wajah } from '../support/program.ts';

const [embedded, shared] = ['SQLite', 'PostgreSQL'].map((kind) => new Map(installations).get(kind as never));

type Client = Awaited<ReturnType<typeof newClient>>;

async function expectRecognised(
  settings: Settings,
  client: Pick<Client, 'verify' | 'identify'>,
): Promise<void> {
  const server = await serve(settings);
  expect(await client.verify(server.url, 'ani', 'ani')).toMatchObject({ status: '200', verified: true });
  expect(await client.identify(server.url, 'budi')).toMatchObject({ return: [{ user_id: 'budi' }] });
  await server.stop('SIGTERM');
  expect(await wajah(settings, 'audit', 'verify')).toMatchObject({ code: 0 });
}

async function enrolTwo(settings: Settings): Promise<Client> {
  const client = await newClient(settings, 'acme');
  const server = await serve(settings);
  await client.enrol(server.url, 'ani', 'ani');
  await client.enrol(server.url, 'budi', 'budi');
  expect((await wajah(settings, 'keys', 'rotate-master', '--yes')).code).toBe(1);
  await server.stop('SIGTERM');
  return client;
}

describe('an operator who believes every sentence: the key in the data directory', () => {
  it('everybody is recognised afterwards, also after restores of backups of before and after', async () => {
    const { settings } = await embedded!();
    const client = await enrolTwo(settings);
    const keyFile = join(settings.WAJAH_DATA_DIR, 'secret.key');
    const folder = temporaryDirectory();
    const [before, after, copy] = ['before.backup', 'after.backup', 'copied.key'].map((name) =>
      join(folder, name),
    );
    expect(await wajah(settings, 'backup', before!)).toMatchObject({ code: 0 });

    const refused = await wajah(settings, 'keys', 'rotate-master');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Nothing was changed') });
    // "copy that file first"
    copyFileSync(keyFile, copy!);
    const rotated = await wajah(settings, 'keys', 'rotate-master', '--yes');
    expect(rotated).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('2 people of 1 galleries'),
    });
    expect(readFileSync(keyFile, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(readFileSync(keyFile, 'utf8')).not.toBe(readFileSync(copy!, 'utf8'));
    expect(existsSync(`${keyFile}.former`)).toBe(false);
    await expectRecognised(settings, client);
    // "make a new backup now"
    expect(await wajah(settings, 'backup', after!)).toMatchObject({ code: 0 });

    const late = await wajah(settings, 'restore', before!, '--force');
    expect(late).toMatchObject({ code: 1, err: expect.stringContaining('another master key') });
    await expectRecognised(settings, client);
    expect(await wajah(settings, 'restore', after!, '--force')).toMatchObject({ code: 0 });
    await expectRecognised(settings, client);

    const elsewhere = { ...settings, WAJAH_DATA_DIR: join(folder, 'elsewhere') };
    mkdirSync(elsewhere.WAJAH_DATA_DIR, { mode: 0o700 });
    copyFileSync(copy!, join(elsewhere.WAJAH_DATA_DIR, 'secret.key'));
    expect(await wajah(elsewhere, 'restore', before!)).toMatchObject({ code: 0 });
    expect(await wajah(elsewhere, 'keys', 'rotate-master', '--yes')).toMatchObject({ code: 0 });
    rmSync(copy!);
    // Access tokens from before a restore may be refused elsewhere.
    copyFileSync(
      join(settings.WAJAH_DATA_DIR, 'signing-key.json'),
      join(elsewhere.WAJAH_DATA_DIR, 'signing-key.json'),
    );
    await expectRecognised(elsewhere, client);
  });

  it('a command that was killed is completed by itself, by a start, and by doctor named', async () => {
    const { settings } = await embedded!();
    const client = await enrolTwo(settings);
    const keyFile = join(settings.WAJAH_DATA_DIR, 'secret.key');
    const former = readFileSync(keyFile, 'utf8');
    // From the first moment to after its end.
    for (const ms of [0, 50, 100, 200, 300, 400, 500, 600, 700, 800, 1000, 1500]) {
      const run = new Run(settings, ['keys', 'rotate-master', '--yes']);
      await Promise.race([new Promise((resolve) => setTimeout(resolve, ms)), run.finished]);
      await run.stop('SIGKILL');
      const doctor = await wajah(settings, 'doctor');
      expect(doctor.out).not.toContain('is not the key');
    }
    await expectRecognised(settings, client);
    expect(await wajah(settings, 'keys', 'rotate-master', '--yes')).toMatchObject({ code: 0 });
    expect(readFileSync(keyFile, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(readFileSync(keyFile, 'utf8')).not.toBe(former);
    await expectRecognised(settings, client);
  });
});

describe.each([
  ['SQLite', embedded],
  ['PostgreSQL', shared],
])('an operator who believes every sentence: WAJAH_SECRET_KEY, %s', (_, install) => {
  it.skipIf(!install)(
    'no server starts with the former key, and everybody is recognised with the new one',
    async () => {
      const made = await install!();
      const former = { ...made.settings, WAJAH_SECRET_KEY: randomBytes(32).toString('hex') };
      const client = await enrolTwo(former);
      const file = join(temporaryDirectory(), 'new.key');
      const without = await wajah(former, 'keys', 'rotate-master', '--yes');
      expect(without).toMatchObject({ code: 1, err: expect.stringContaining('--new-key-file') });
      const args = ['keys', 'rotate-master', '--new-key-file', file, '--yes'];
      const wrong = { ...former, WAJAH_SECRET_KEY: randomBytes(32).toString('hex') };
      expect(await wajah(wrong, ...args)).toMatchObject({
        code: 1,
        err: expect.stringContaining('not the key'),
      });
      expect(existsSync(file)).toBe(false);
      const folder = former.WAJAH_DATA_DIR;
      const [beside, link] = [join(folder, 'secret.key'), join(temporaryDirectory(), 'link')];
      symlinkSync(folder, link);
      if (install === embedded)
        for (const inside of [beside, join(folder, 'next.key'), join(link, 'secret.key')]) {
          const refused = await wajah(former, 'keys', 'rotate-master', '--new-key-file', inside, '--yes');
          expect(refused).toMatchObject({
            code: 1,
            err: expect.stringMatching(/in the data directory.*name/),
          });
          expect(existsSync(inside)).toBe(false);
        }
      const present = join(temporaryDirectory(), 'present.key');
      writeFileSync(present, former.WAJAH_SECRET_KEY, { mode: 0o600 });
      const same = await wajah(former, 'keys', 'rotate-master', '--new-key-file', present, '--yes');
      expect(same).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/holds the present key/) });
      for (const ms of [0, 200, 400, 600]) {
        const run = new Run(former, args);
        await Promise.race([new Promise((resolve) => setTimeout(resolve, ms)), run.finished]);
        await run.stop('SIGKILL');
      }
      // Run again to its end, and once more.
      expect(await wajah(former, ...args)).toMatchObject({ code: 0, err: '' });
      const again = await wajah(former, ...args);
      expect(again).toMatchObject({ code: 0, out: expect.stringContaining('already') });
      expect(again.out).toContain(`Set WAJAH_SECRET_KEY to the content of ${file}`);

      const late = await wajah(former, 'client', 'list');
      expect(late).toMatchObject({ code: 1, err: expect.stringContaining('is the former master key') });
      expect((await wajah(former, 'doctor')).out).toContain('is the former master key');
      const next = { ...former, WAJAH_SECRET_KEY: readFileSync(file, 'utf8').trim() };
      await expectRecognised(next, client);
    },
  );
});
