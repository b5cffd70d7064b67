import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { createInstallation, Run, type Settings, serve, wajah, wajahHere } from '../support/program.ts';
import { root } from '../support/sources.ts';

/** An installation by npm: the server, with all that it needs from the checkout. */
function npmInstallation(): string {
  const folder = realpathSync(temporaryDirectory());
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@wajah'), { recursive: true });
  mkdirSync(join(modules, '.bin'));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.') && name !== '@wajah')
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const name of readdirSync(join(root, 'node_modules/@wajah'))) {
    if (name !== 'server') symlinkSync(join(root, 'packages', name), join(modules, '@wajah', name));
  }
  for (const part of ['bin', 'dist', 'wasm', 'package.json'])
    cpSync(join(root, 'packages/server', part), join(modules, '@wajah/server', part), { recursive: true });
  symlinkSync('../@wajah/server/bin/wajah.js', join(modules, '.bin/wajah'));
  chmodSync(join(modules, '@wajah/server/bin/wajah.js'), 0o755);
  return folder;
}

/** Runs a program of a folder, without the name that other tests set. */
function inFolder(folder: string, program: string, args: string, settings: Settings = {}) {
  const unset = { WAJAH_COMMAND: '', WAJAH_DATA_DIR: join(folder, 'absent'), ...settings };
  return new Run(unset, ['-c', `cd '${folder}' && exec '${program}' ${args}`], ['/bin/sh']).finished;
}

describe('the name of the program in messages', () => {
  const link = join(root, 'node_modules/.bin/wajah');
  const named = (help: string) => /All settings: (.*) config --help/.exec(help)?.[1];

  it('is npx in the folder of the installation, which does not ask a registry, and the path elsewhere', async () => {
    expect(named((await inFolder(root, link, '--help')).out)).toBe('npx --no wajah');
    expect(named((await inFolder(join(root, 'docs'), link, '--help')).out)).toBe('npx --no wajah');
    expect(named((await inFolder(temporaryDirectory(), link, '--help')).out)).toBe(link);
    expect((await inFolder(root, link, 'nonsense')).err).toContain("unknown command 'nonsense'");
    const help = await inFolder(root, link, '--help');
    expect(help.out).toContain('npx --no wajah <command> --help. All settings: npx --no wajah config --help');
  });

  it('is the link of an installation for the machine', async () => {
    const folder = temporaryDirectory();
    symlinkSync(join(root, 'packages/server/bin/wajah.js'), join(folder, 'wajah'));
    expect(named((await inFolder(folder, join(folder, 'wajah'), '--help')).out)).toBe('wajah');
  });

  it('is what a launcher says, in the log, in the table of doctor and in what /ready says too', async () => {
    const settings = { WAJAH_COMMAND: 'docker exec faces wajah', WAJAH_DATA_DIR: temporaryDirectory() };
    const server = await serve(settings);
    expect(server.err).toContain('  more     docker exec faces wajah --help\n');
    const { command, notices } = (await (await fetch(`${server.url}/ready`)).json()) as {
      command: string;
      notices: string[];
    };
    expect(command).toBe('docker exec faces wajah');
    expect(notices[0]).toContain('"docker exec faces wajah models pull pad"');
    const { out, err } = await server.stop('SIGTERM');
    expect(`${out}${err}`).not.toMatch(/(?<!faces )wajah models/);
    const doctor = await inFolder(temporaryDirectory(), link, 'doctor', settings);
    expect(doctor.out).toContain('"docker exec faces wajah models pull pad"');
  });
});

describe('settings in files', () => {
  it('are those of .env in the folder of the installation, and of no other folder', async () => {
    const folder = npmInstallation();
    const program = join(folder, 'node_modules/.bin/wajah');
    writeFileSync(join(folder, '.env'), 'WAJAH_PORT=9001\nexport WAJAH_THRESHOLD="0.7"\nWAJAH_PROT=1\n');
    const elsewhere = temporaryDirectory();
    writeFileSync(join(elsewhere, '.env'), 'WAJAH_PORT=9002\n');
    const settings = { WAJAH_ENV_FILE: '', WAJAH_PORT: '' };
    const config = async (given: Settings) => {
      const { out } = await inFolder(elsewhere, program, 'config --json', given);
      const all = JSON.parse(out) as { name: string; value: string; source: string }[];
      return Object.fromEntries(all.map(({ name, value, source }) => [name, `${value} ${source}`]));
    };
    // A variable that is set, and be it empty, comes before the file.
    expect((await config(settings))['WAJAH_PORT']).toBe('8080 default');
    const found = await config({ ...settings, WAJAH_PORT: '9003' });
    expect(found['WAJAH_PORT']).toBe('9003 environment');
    expect(found['WAJAH_THRESHOLD']).toBe(`0.7 file ${join(folder, '.env')}`);
    const { err } = await inFolder(elsewhere, program, 'serve', { ...settings, WAJAH_PORT: 'x' });
    expect(err).toContain('WAJAH_PORT is "x"');
    const doctor = await inFolder(elsewhere, program, 'doctor', settings);
    expect(doctor.out).toContain('WAJAH_PROT');
  });
});

describe('wajah backup --keep', () => {
  it('keeps the newest files of its own names, and touches nothing else of the folder', async () => {
    const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
    await wajah(settings, 'client', 'create', 'acme');
    const folder = join(temporaryDirectory(), 'backups');
    const night = (...more: string[]) => wajahHere(settings, 'backup', folder, '--keep', '2', ...more);
    const first = await night();
    expect(first).toMatchObject({ code: 0, err: '' });
    const [made = ''] = readdirSync(folder);
    expect(made).toMatch(/^wajah-\d{8}T\d{6}Z\.backup$/);
    expect(first.out).toBe(
      `Wrote ${join(folder, made)} (0.0 MB).\n`.replace('0.0', /\((.*) MB/.exec(first.out)?.[1] ?? ''),
    );
    expect(statSync(folder).mode & 0o777).toBe(0o700);

    const foreign = [
      'wajah-2026-11-23.backup',
      'wajah-20200101T000000Z.db',
      'wajah-20200101T000000Z.backup.gpg',
      'notes',
    ];
    for (const name of foreign) writeFileSync(join(folder, name), name);
    mkdirSync(join(folder, 'wajah-20200101T000001Z.backup'));
    symlinkSync(join(folder, 'notes'), join(folder, 'wajah-20200101T000002Z.backup'));
    const older = [
      'wajah-20200103T000000Z.backup',
      'wajah-20200104T000000Z.backup',
      'wajah-20200105T000000Z.backup',
    ];
    for (const name of older) copyFileSync(join(folder, made), join(folder, name));
    // Of a clock that was wrong: it counts as one of the two.
    writeFileSync(join(folder, 'wajah-29990101T000000Z.backup'), '');
    rmSync(join(folder, made));
    expect((await night()).out).toContain(`Removed 3 older backups of ${folder}.`);
    const left = readdirSync(folder).filter((name) => /^wajah-\d{8}T\d{6}Z\.backup$/.test(name));
    const ours = left.filter((name) => !/000[12]Z/.test(name));
    expect(ours).toHaveLength(2);
    expect(ours).toContain('wajah-29990101T000000Z.backup');
    expect(left).toEqual(
      expect.arrayContaining(['wajah-20200101T000001Z.backup', 'wajah-20200101T000002Z.backup']),
    );
    for (const name of foreign) expect(readFileSync(join(folder, name), 'utf8')).toBe(name);
    const newest = ours.find((name) => !name.includes('2999')) ?? '';
    expect((await wajah(settings, 'backup', 'verify', join(folder, newest))).code).toBe(0);

    expect((await night('--plain')).out).toMatch(/Wrote .*Z\.db /);
    expect(existsSync(join(folder, 'wajah-20200101T000000Z.db'))).toBe(true);
    const refused = await wajahHere(settings, 'backup', join(folder, 'notes'), '--keep', '2');
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/--keep: .*notes is no folder/) });
  });
});

describe('a data directory', () => {
  it('in which others than its owner may write is refused', async () => {
    const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
    await createInstallation(settings);
    for (const mode of [0o777, 0o770]) {
      chmodSync(settings.WAJAH_DATA_DIR, mode);
      const { code, err } = await wajah(settings, 'serve');
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/(every user .*|its group) can write in it; run chmod 700/),
      ]);
    }
    chmodSync(settings.WAJAH_DATA_DIR, 0o755);
    await (await serve(settings)).stop('SIGTERM');
  });

  it.each([
    ['missing', (file: string) => rmSync(file)],
    ['empty', (file: string) => truncateSync(file)],
  ])('whose wajah.db is %s does not start anew', async (state, lose) => {
    const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
    await createInstallation(settings);
    const backup = join(temporaryDirectory(), 'backup');
    expect((await wajah(settings, 'backup', backup)).code).toBe(0);
    const names = readdirSync(settings.WAJAH_DATA_DIR).filter((name) => /-(wal|shm|reserve)$/.test(name));
    for (const name of names) rmSync(join(settings.WAJAH_DATA_DIR, name));
    lose(join(settings.WAJAH_DATA_DIR, 'wajah.db'));
    const { code, err } = await wajah(settings, 'serve');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`wajah.db is ${state} beside secret.key, signing-key.json`),
    ]);
    expect((await wajah(settings, 'client', 'list')).err).toContain('holds no installation');
    expect((await wajah(settings, 'doctor')).out).toContain(`wajah.db is ${state} beside`);
    expect(await wajah(settings, 'restore', backup)).toMatchObject({ code: 0 });
    await (await serve(settings)).stop('SIGTERM');
  });

  it('has one server, also where its lock.db is deleted', async () => {
    const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
    const server = await serve(settings);
    rmSync(join(settings.WAJAH_DATA_DIR, 'lock.db'));
    const second = await wajah(settings, 'serve');
    expect([second.code, second.err]).toEqual([
      1,
      expect.stringContaining(`is used by process ${server.pid} `),
    ]);
    expect(second.err).toContain('although its lock.db was deleted');
    expect((await wajahHere(settings, 'client', 'create', 'door')).code).toBe(0);
    const listed = await wajahHere(settings, 'client', 'list');
    expect(listed.out).toContain('door');
    expect((await wajahHere(settings, 'keys', 'rotate-master', '--yes')).err).toContain('is used by process');
    await server.stop('SIGTERM');
    await (await serve(settings)).stop('SIGTERM');
  });
});

it('a launcher leaves no core dumps, and names itself as a shell takes it', async () => {
  const folder = join(temporaryDirectory(), 'with blank');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  mkdirSync(join(folder, 'lib'));
  copyFileSync(join(root, 'deploy/tarball/wajah'), join(folder, 'bin/wajah'));
  writeFileSync(join(folder, 'lib/node'), '#!/bin/sh\nulimit -c; env | grep WAJAH_\n', { mode: 0o755 });
  const run = () =>
    new Run(
      { WAJAH_COMMAND: '' },
      ['-c', 'ulimit -c unlimited; exec "$0"', join(folder, 'bin/wajah')],
      ['/bin/sh'],
    ).finished;
  const { out } = await run();
  expect(out).toMatch(/^0\n/);
  expect(out).toContain(`WAJAH_COMMAND='${join(folder, 'bin/wajah')}'`);
  for (const name of ['wajah.service', 'wajah-backup.service']) {
    expect(readFileSync(join(root, 'deploy/debian', name), 'utf8')).toMatch(/^LimitCORE=0$/m);
  }
});

describe('npm run release', () => {
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts/release/release.mjs'), ...args], {
      encoding: 'utf8',
      // A registry that nobody answers at, as without network access.
      env: {
        PATH: process.env['PATH'],
        HOME: temporaryDirectory(),
        npm_config_registry: 'http://127.0.0.1:1/',
        npm_config_fetch_retries: '0',
      },
    });

  it('explains its options, and refuses others before it removes anything', () => {
    expect(release('--help')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('--pad <folder>'),
    });
    const kept = temporaryDirectory();
    writeFileSync(join(kept, 'kept'), '');
    for (const wrong of [['--nonsense'], ['--arch', 'x86'], ['--compression', '10'], ['stray']]) {
      const { status, stderr } = release('--out', kept, ...wrong);
      expect([wrong, status, stderr.trim().split('\n').length]).toEqual([wrong, 1, 1]);
      expect(stderr).toMatch(/^release: /);
    }
    expect(readdirSync(kept)).toEqual(['kept']);
  });

  it('says in a few lines that it needs network access', () => {
    const out = join(temporaryDirectory(), 'release');
    const { status, stderr } = release('--out', out, '--arch', 'x64', '--pad', 'none');
    expect(status).toBe(1);
    expect(stderr).toMatch(/A release needs network access/);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

it('.gitattributes keeps line ends, so that scripts run where git writes CRLF', () => {
  const folder = temporaryDirectory();
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  git('init', '--quiet');
  git('config', 'core.autocrlf', 'true');
  copyFileSync(join(root, '.gitattributes'), join(folder, '.gitattributes'));
  const bytes = Buffer.from([255, 216, 13, 10, 10, 0]);
  writeFileSync(join(folder, 'script.sh'), 'a\nb\n');
  writeFileSync(join(folder, 'face.jpg'), bytes);
  git('add', '.');
  rmSync(join(folder, 'script.sh'));
  rmSync(join(folder, 'face.jpg'));
  git('checkout', '--', '.');
  expect(readFileSync(join(folder, 'script.sh'), 'utf8')).toBe('a\nb\n');
  expect(readFileSync(join(folder, 'face.jpg'))).toEqual(bytes);
});
