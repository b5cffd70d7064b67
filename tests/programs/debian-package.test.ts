import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createWajahClient } from '../../packages/client/src/index.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { Run } from '../support/program.ts';
import { root } from '../support/sources.ts';

const has = (program: string) =>
  ['/usr/sbin', '/usr/bin'].some((folder) => existsSync(join(folder, program)));
const isPossible =
  process.getuid?.() === 0 && process.arch === 'x64' && has('debootstrap') && has('dpkg-deb');

const picture = (name: string) => ({ path: join(root, 'samples', name) });

/** A system of its own: Debian with its essential packages only. Its service manager does not run. */
class System {
  readonly folder = temporaryDirectory();

  constructor() {
    // Its users read from here.
    chmodSync(this.folder, 0o755);
    execFileSync('debootstrap', ['--variant=minbase', 'bookworm', this.folder], { stdio: 'pipe' });
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** Runs a command as root of this system. @returns its standard output */
  run(...command: string[]): string {
    return execFileSync('unshare', [...this.#inside, ...command], { encoding: 'utf8', stdio: 'pipe' });
  }

  /** @returns what the installation prints */
  install(deb: string): string {
    cpSync(deb, this.path('wajah.deb'));
    return this.run('dpkg', '--install', '/wajah.deb');
  }

  /** Runs a command line as root in a folder of this system. */
  shell(folder: string, command: string) {
    const inside = [...this.#inside, '/bin/sh', '-c', `cd '${folder}' && ${command}`];
    const { stdout, stderr, status } = spawnSync('unshare', inside, {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    return { out: stdout, err: stderr, code: status };
  }

  /** Starts the service by the command of its unit, as its user. */
  async serve() {
    appendSetting(this.path('etc/wajah/wajah.env'), 'WAJAH_PORT=0');
    const run = new Run({}, ['serve'], ['unshare', ...this.#inside, '/usr/bin/wajah']);
    const url = await run.waitForOutput(/listens on (http:\S+)[\s\S]*--help\n\n/);
    return { url, run, stop: () => run.stop('SIGTERM') };
  }

  /** What is mounted inside ends with the command. */
  get #inside(): string[] {
    const script = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"';
    return ['--mount', 'sh', '-c', script, this.folder];
  }
}

function appendSetting(file: string, setting: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(setting)) writeFileSync(file, `${text}${setting}\n`);
}

/** Rights of the processes of a system, in hexadecimal. */
function capabilitiesInside(folder: string): string[] {
  const inside = readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/root`) === folder;
    } catch {
      // It has ended.
      return false;
    }
  });
  expect(inside.length).toBeGreaterThan(1);
  return inside.map((pid) => /CapEff:\s*(\w+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '');
}

const launched = 'var/lib/wajah/launched';

/** A launcher of the operator's, which notes the rights that it passes on. */
function setLauncher(system: System): void {
  const script = `#!/bin/sh\numask 022\ngrep CapEff /proc/self/status >>/${launched}\nexec "$@"\n`;
  writeFileSync(system.path('usr/local/bin/launch'), script, { mode: 0o755 });
  appendSetting(system.path('etc/wajah/wajah.env'), 'WAJAH_ENGINE_LAUNCHER=/usr/local/bin/launch');
}

/** Root works with its own files, in a folder that nobody else can enter, beside a server and without one. */
function commandsOfRoot(system: System): void {
  const data = system.path('var/lib/wajah');
  const owner = statSync(data).uid;
  rmSync(system.path('root/staff'), { recursive: true, force: true });
  mkdirSync(system.path('root/staff'), { mode: 0o700 });
  for (const name of ['sri-1.jpg', 'darma.jpg'])
    cpSync(join(root, 'samples', name), system.path('root/staff', name));
  writeFileSync(
    system.path('root/staff/people.csv'),
    'user_id,user_name,file\n11,Sri,sri-1.jpg\n12,Darma,darma.jpg\n',
    { mode: 0o600 },
  );
  const imported = system.shell(
    '/root/staff',
    'wajah import csv people.csv --client demo --gallery demo@trial --replace --report report.csv',
  );
  expect([imported.err, imported.code]).toEqual([expect.any(String), 0]);
  expect(readFileSync(system.path('root/staff/report.csv'), 'utf8')).toContain('darma.jpg,12,enrolled');
  const backup = system.path('root/staff/x.backup');
  expect(system.shell('/root/staff', 'wajah backup x.backup && wajah backup verify x.backup')).toMatchObject({
    code: 0,
    err: '',
  });
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  expect(system.shell('/root/staff', 'wajah audit export trail.jsonl').code).toBe(0);
  const night = 'setpriv --reuid=wajah --regid=wajah --clear-groups wajah backup /var/backups/wajah --keep 1';
  expect(system.shell('/', night)).toMatchObject({ code: 0, err: '' });
  const refused = system.shell('/root', 'WAJAH_DATA_DIR=/tmp/none wajah client list');
  expect(refused.err).toContain('/tmp/none holds no installation');
  const other = system.shell('/', 'setpriv --reuid=65534 --clear-groups wajah client list');
  expect(other.err).toContain('sudo wajah client list');
  // What a command stores belongs to the service.
  for (const path of readdirSync(data, { recursive: true, encoding: 'utf8' }))
    expect([path, statSync(join(data, path)).uid]).toEqual([path, owner]);
}

/** A package of an earlier release, or else the same one, under an earlier version. */
function earlier(deb: string): string {
  const folder = temporaryDirectory();
  execFileSync('dpkg-deb', ['-R', deb, join(folder, 'content')]);
  const control = join(folder, 'content/DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, 'Version: 0.0.1'));
  execFileSync('dpkg-deb', ['-Znone', '-b', join(folder, 'content'), join(folder, 'earlier.deb')]);
  return join(folder, 'earlier.deb');
}

/** @returns the folder of a new release, quickly compressed */
function release(): string {
  const out = temporaryDirectory();
  const options = ['--out', out, '--arch', 'x64', '--pad', 'none', '--compression', '0'];
  execFileSync(process.execPath, [join(root, 'scripts/release/release.mjs'), ...options]);
  return out;
}

describe.skipIf(!isPossible)('the Debian package', () => {
  let system: System;
  let deb = '';
  beforeAll(() => {
    const out = process.env['WAJAH_TEST_RELEASE'] ?? release();
    deb = join(out, readdirSync(out).find((name) => name.endsWith('_amd64.deb')) ?? '');
    system = new System();
  }, 900_000);

  it('installs, serves, keeps people over an upgrade and a removal, and is purged without a trace', async () => {
    const settings = system.path('etc/wajah/wajah.env');
    const data = system.path('var/lib/wajah');
    const said = system.install(earlier(process.env['WAJAH_TEST_EARLIER_DEB'] ?? deb));
    expect(said).toContain('sudo cat /var/lib/wajah/first-client.env');
    expect(said).toContain('systemctl enable --now wajah-backup.timer');
    expect(statSync(settings).mode & 0o777).toBe(0o640);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    const first = await system.serve();
    await first.run.waitForOutput(/curl .*\n/);
    const [, token = ''] = /TOKEN='(.+)'/.exec(readFileSync(join(data, 'first-client.env'), 'utf8')) ?? [];
    const gallery = (url: string) => createWajahClient({ url, token }).gallery('demo@trial');
    await gallery(first.url).enrol({ user_id: '1', user_name: 'Sri', image: picture('sri-1.jpg') });
    await first.stop();
    const kept = readFileSync(settings, 'utf8');

    expect(system.install(deb)).not.toContain('first-client.env');
    expect(system.run('dpkg-query', '--status', 'wajah')).not.toContain('Version: 0.0.1');
    expect(readFileSync(settings, 'utf8')).toBe(kept);
    const second = await system.serve();
    expect(await gallery(second.url).identify(picture('sri-2.jpg'))).toMatchObject({
      user_id: '1',
    });
    // Neither the server nor what decodes pictures may read files of root.
    expect(new Set(capabilitiesInside(system.folder))).toEqual(new Set(['0000000000000000']));
    commandsOfRoot(system);
    await second.stop();
    setLauncher(system);
    commandsOfRoot(system);
    // Doctor finds what the service would, not what root can read.
    chmodSync(settings, 0o600);
    expect(system.shell('/', 'wajah doctor').out).toMatch(
      /^BAD +settings +.*wajah\.env cannot be read \(EACCES\)$/m,
    );
    chmodSync(settings, 0o644);
    expect(system.shell('/', 'wajah doctor').out).toMatch(/^BAD +settings +.*run chmod o-rwx on it$/m);
    chmodSync(settings, 0o640);
    expect(readFileSync(system.path(launched), 'utf8')).toMatch(/^(CapEff:\s0+\n)+$/);

    system.run('dpkg', '--remove', 'wajah');
    expect([existsSync(system.path('usr/bin/wajah')), existsSync(join(data, 'wajah.db'))]).toEqual([
      false,
      true,
    ]);
    expect(readFileSync(settings, 'utf8')).toContain(kept);

    system.run('dpkg', '--purge', 'wajah');
    expect(existsSync(data) || existsSync(settings)).toBe(false);
    expect(() => system.run('getent', 'passwd', 'wajah')).toThrow();
    // Backups outlive a purge, for root.
    const backups = statSync(system.path('var/backups/wajah'));
    expect([backups.uid, readdirSync(system.path('var/backups/wajah')).length]).toEqual([0, 1]);
  });
});
