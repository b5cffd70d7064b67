import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { Run, type Settings, serve, wajahHere } from '../support/program.ts';
import { copyProgram } from '../support/program-copy.ts';

it.each([
  ['client', 'create', 'demo'],
  ['client', 'list'],
  ['token', 'list', 'demo'],
  ['audit', 'list'],
  ['keys', 'rotate-master', '--yes'],
  ['import', 'folder', '.', '--client', 'demo', '--gallery', 'staff', '--create-gallery'],
  ['migrate'],
  ['backup', '/nowhere/wajah.backup'],
  ['reembed', '--to', 'plus'],
  ['migrate-store', '--from', 'data', '--to', 'postgres://nobody@127.0.0.1:1/none'],
])('wajah %s %s makes no installation in a directory that holds none', async (...command) => {
  const parent = temporaryDirectory();
  const [absent, empty] = [join(parent, 'absent'), join(parent, 'empty')];
  mkdirSync(empty);
  for (const directory of [absent, empty]) {
    const { code, err } = await wajahHere({ WAJAH_DATA_DIR: directory }, ...command);
    expect(code).toBe(1);
    // Other servers may run on this machine.
    expect(err).toMatch(
      new RegExp(
        `^wajah: ${directory} holds no installation(, and only \`wajah serve\` makes one; name the data directory of the server \\(WAJAH_DATA_DIR\\)|; there is one in .*: set WAJAH_DATA_DIR to that of your server)\n$`,
      ),
    );
  }
  expect([existsSync(absent), readdirSync(empty)]).toEqual([false, []]);
});

it('a first start is ready once the secrets of its first client are written, and not before', async () => {
  const dataDir = temporaryDirectory();
  const run = new Run({ WAJAH_DATA_DIR: dataDir, WAJAH_SAMPLES: 'true' }, ['serve']);
  const url = await run.waitForOutput(/listens on (http:\S+)/);
  for (;;) {
    const ready = await fetch(`${url}/ready`);
    if (ready.status === 200) break;
    expect(await ready.json()).toMatchObject({ checks: { start: false }, detail: 'not ready: start' });
  }
  expect(existsSync(join(dataDir, 'first-client.env'))).toBe(true);
});

/** Runs a copy of the program in a folder. */
function runIn(cwd: string, script: string, settings: Settings, ...args: string[]): Run {
  const line = 'cd "$0" && exec "$@"';
  return new Run(settings, [process.execPath, script, ...args], ['/bin/sh', '-c', line, cwd]);
}

/** The settings in force of a copy of the program that runs in another folder. */
async function placesOf(script: string, settings: Settings): Promise<Record<string, string>> {
  const { out, err } = await runIn(temporaryDirectory(), script, settings, 'config', '--json').finished;
  expect(err).toBe('');
  const rows = JSON.parse(out) as { name: string; value: string }[];
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

describe('relative paths of settings are of the installation, from wherever a command runs:', () => {
  it.each([
    ['a checkout', undefined, ''],
    ['a project that npm installed the program in', 'node_modules', ''],
    ['a project of pnpm', 'node_modules/.pnpm/@wajah+server/node_modules', ''],
    ['an archive', 'lib/node_modules', ''],
    ['npm for the machine', 'lib/node_modules', '.wajah'],
  ])('%s', async (kind, modules, inside) => {
    const { folder, script } = copyProgram(modules);
    if (kind === 'an archive') writeFileSync(join(folder, 'lib/node'), '');
    const home = inside === '' ? temporaryDirectory() : folder;
    const own = join(folder, inside);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, '.env'), 'WAJAH_SECRET_KEY_FILE=./key\n');
    writeFileSync(join(own, 'key'), 'ab'.repeat(32), { mode: 0o600 });
    const places = await placesOf(script, {
      HOME: home,
      WAJAH_ENV_FILE: '',
      WAJAH_DATA_DIR: 'kept/data',
      WAJAH_ENGINE_LAUNCHER: 'bin/less /usr/bin/env',
    });
    expect(places).toMatchObject({
      WAJAH_DATA_DIR: join(own, 'kept/data'),
      WAJAH_SECRET_KEY: '(hidden)',
      WAJAH_ENGINE_LAUNCHER: `${join(own, 'bin/less')}, /usr/bin/env`,
    });
  });
});

it('the first start makes an installation, and a second one by accident is not made', async () => {
  const { folder, script } = copyProgram();
  const elsewhere = temporaryDirectory();
  const usual = join(folder, 'data');
  const first = runIn(elsewhere, script, {}, 'serve');
  await first.waitForOutput(/curl .*\n/);
  expect(first.err).toContain(`\nNew installation, with keys of its own, in ${usual} (WAJAH_DATA_DIR)`);
  const port = await first.waitForOutput(/listens on http:\/\/127\.0\.0\.1:(\d+)/);

  // A backup of each night runs in the home of its user.
  const backup = await runIn(elsewhere, script, {}, 'backup', 'kept', '--keep', '2').finished;
  expect(backup).toMatchObject({ code: 0, err: '' });
  expect(readdirSync(join(elsewhere, 'kept'))).toEqual([expect.stringMatching(/^wajah-.*\.backup$/)]);

  const other = join(elsewhere, 'typo');
  const known = (first: string) => new RegExp(`${first}.* ${usual}, the default`);
  const refused = await runIn(elsewhere, script, { WAJAH_DATA_DIR: other }, 'client', 'list').finished;
  expect(refused.err).toMatch(known(`${other} holds no installation; there is one in`));
  const doctor = await runIn(elsewhere, script, { WAJAH_DATA_DIR: other }, 'doctor').finished;
  expect(doctor.out).toMatch(known(`look +data_directory +${other} holds no installation; there is one in`));
  const taken = await runIn(elsewhere, script, { WAJAH_DATA_DIR: other, WAJAH_PORT: port }, 'serve').finished;
  expect(taken.err).toMatch(/Cannot listen on 127\.0\.0\.1:\d+: the port is taken/);
  expect(existsSync(other)).toBe(false);
  await first.stop('SIGTERM');

  const again = runIn(elsewhere, script, {}, 'serve');
  await again.waitForOutput(/listens on/);
  expect(again.err).not.toContain('New installation');
  await again.stop('SIGTERM');
  const wanted = runIn(elsewhere, script, { WAJAH_DATA_DIR: other }, 'serve');
  await wanted.waitForOutput(/listens on/);
  expect(wanted.err).toMatch(
    known(`New installation, .*, in ${other} \\(WAJAH_DATA_DIR\\)\\. There is another one in`),
  );
  await wanted.stop('SIGTERM');
});

it('a command names the directory of a server that runs with another one', async () => {
  const directory = temporaryDirectory();
  const server = await serve({ WAJAH_DATA_DIR: directory });
  const { err } = await wajahHere({ WAJAH_DATA_DIR: `${directory}-typo` }, 'client', 'list');
  expect(err).toContain(`${directory}, of a running server`);
  await server.stop('SIGTERM');
});

it('commands work beside a server that is started', async () => {
  const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
  const server = await serve(settings);
  expect((await wajahHere(settings, 'client', 'create', 'door')).code).toBe(0);
  expect((await wajahHere(settings, 'client', 'list')).out).toContain('door');
  await server.stop('SIGTERM');
});
