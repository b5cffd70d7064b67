import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { createInstallation } from '../support/program.ts';
import { root } from '../support/sources.ts';

const isRoot = process.getuid?.() === 0;
const mayMount = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0;

interface Finding {
  readonly what: string;
  readonly state: string;
  readonly found: string;
}

/** How the built program is started: a shell command around `"$@"`. */
interface Around {
  readonly shell?: string;
  readonly nodeOptions?: readonly string[];
  readonly program?: string;
  readonly uid?: number;
}

function doctor(
  dataDir: string,
  { shell = 'exec "$@"', nodeOptions = [], program = root, uid }: Around = {},
) {
  const file = join(program, 'packages/server/bin/wajah.js');
  const command = [process.execPath, ...nodeOptions, file, 'doctor', '--json'];
  const env = {
    PATH: process.env['PATH'],
    WAJAH_DATA_DIR: dataDir,
    WAJAH_PORT: '0',
    WAJAH_CACHE_DIR: join(root, '.cache'),
  };
  const user = uid === undefined ? {} : { uid, gid: uid };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', shell, 'sh', ...command], {
    env,
    encoding: 'utf8',
    ...user,
  });
  return { status, stderr, findings: stdout.startsWith('[') ? (JSON.parse(stdout) as Finding[]) : [] };
}

function requireFinding(findings: readonly Finding[], state: string, what: string, found: RegExp): void {
  expect(findings).toEqual(
    expect.arrayContaining([expect.objectContaining({ state, what, found: expect.stringMatching(found) })]),
  );
}

it('every command says which Node is needed', () => {
  const older = 'data:text/javascript,Object.defineProperty(process.versions, "node", { value: "18.20.4" })';
  const { status, stderr } = doctor(temporaryDirectory(), { nodeOptions: ['--import', older] });
  expect(status).toBe(1);
  expect(stderr).toBe('wajah: this is Node 18.20.4; Node 20.19 or newer is needed (24 is recommended).\n');
});

describe('wajah doctor on a machine that is not fit for it', () => {
  it('finds too few file descriptors', () => {
    const { status, findings } = doctor(temporaryDirectory(), { shell: 'ulimit -n 900; exec "$@"' });
    expect(status).toBe(0);
    requireFinding(findings, 'doubtful', 'file descriptors', /^900: .*raise the hard limit/);
  });

  it('finds a data directory that this user may not write', () => {
    const folder = temporaryDirectory();
    chmodSync(folder, 0o755);
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir, { mode: isRoot ? 0o700 : 0o500 });
    const { status, findings } = doctor(dataDir, isRoot ? { uid: 65534 } : {});
    expect(status).toBe(1);
    requireFinding(findings, 'bad', 'data directory', /may not write .*; run as its owner, or chown it/);
  });

  it.runIf(mayMount)('finds a data directory that is mounted read-only', () => {
    const dataDir = temporaryDirectory();
    const shell = `mount -t tmpfs -o ro none ${dataDir} && exec "$@"`;
    const { status, findings } = doctor(dataDir, { shell: `exec unshare --mount sh -c '${shell}' sh "$@"` });
    expect(status).toBe(1);
    requireFinding(findings, 'bad', 'data directory', /mounted read-only; remount it/);
  });

  it.runIf(mayMount)('finds a full disk', async () => {
    const dataDir = temporaryDirectory();
    const installed = temporaryDirectory();
    await createInstallation({ WAJAH_DATA_DIR: installed });
    const fill = `mount -t tmpfs -o size=32m,mode=700 none ${dataDir} && cp -a ${installed}/. ${dataDir} && dd if=/dev/zero of=${dataDir}/other bs=1M count=64 2>/dev/null; exec "$@"`;
    const { status, findings } = doctor(dataDir, { shell: `exec unshare --mount sh -c '${fill}' sh "$@"` });
    expect(status).toBe(1);
    requireFinding(findings, 'bad', 'disk', /^full .* nothing is stored; make room/);
  });

  it.runIf(canLink()).each([
    ['database driver', '@libsql', /cannot be loaded \(.*install the program on this machine, for \w+ \w+/],
    ['image decoder', '@img', /cannot be loaded \(.*install the program on this machine/],
    ['ONNX Runtime', 'onnxruntime-node/bin', /cannot be loaded \(.*install the program on this machine/],
  ])('finds that a native part is missing: %s', (what, scope, found) => {
    const { findings, status, stderr } = doctor(temporaryDirectory(), {
      program: installationWithout(scope),
    });
    expect(stderr).toMatch(/^wajah: doctor: 1 of \d+ must be repaired\n$/);
    expect(status).toBe(1);
    requireFinding(findings, 'bad', what, found);
  });
});

/** A folder whose files can be links to those of the checkout, outside of it: modules are looked for in parents too. */
const beside = '/var/tmp';

function canLink(): boolean {
  const link = join(beside, `wajah-link-${process.pid}`);
  const isLinked = spawnSync('ln', [join(root, 'package.json'), link]).status === 0;
  rmSync(link, { force: true });
  return isLinked;
}

/** A copy of the installation, by hard links, without the packages of a scope. */
function installationWithout(scope: string): string {
  const copy = mkdtempSync(join(beside, 'wajah-doctor-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  mkdirSync(join(copy, 'packages'));
  for (const folder of ['node_modules', 'packages/server', 'packages/engine', 'packages/contract']) {
    execFileSync('cp', ['-al', join(root, folder), join(copy, folder)]);
  }
  for (const name of ['console', 'guide'])
    symlinkSync(join(root, 'packages', name), join(copy, 'packages', name));
  rmSync(join(copy, 'node_modules', scope), { recursive: true, force: true });
  return copy;
}
