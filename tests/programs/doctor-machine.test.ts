import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Finding, textOf } from '../../packages/server/src/config/finding.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { createInstallation } from '../support/program.ts';
import { root } from '../support/sources.ts';

const isRoot = process.getuid?.() === 0;
const mayMount = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0;

/** How the built program is started: a shell command around `"$@"`. */
interface Around {
  readonly shell?: string;
  readonly nodeOptions?: readonly string[];
  readonly uid?: number;
}

function doctor(dataDir: string, { shell = 'exec "$@"', nodeOptions = [], uid }: Around = {}) {
  const file = join(root, 'packages/server/bin/wajah.js');
  const command = [process.execPath, ...nodeOptions, file, 'doctor', '--json'];
  const env = {
    PATH: process.env['PATH'],
    WAJAH_DATA_DIR: dataDir,
    WAJAH_PORT: '0',
  };
  const user = uid === undefined ? {} : { uid, gid: uid };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', shell, 'sh', ...command], {
    env,
    encoding: 'utf8',
    ...user,
  });
  return { status, stderr, findings: stdout.startsWith('[') ? (JSON.parse(stdout) as Finding[]) : [] };
}

function requireFinding(findings: readonly Finding[], severity: string, id: string, found: RegExp): void {
  expect(findings.map((one) => [one.severity, one.id, textOf(one)])).toContainEqual([
    severity,
    id,
    expect.stringMatching(found),
  ]);
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
    requireFinding(findings, 'doubtful', 'file_descriptors', /^900: .*raise the hard limit/);
  });

  it('finds a data directory that this user may not write', () => {
    const folder = temporaryDirectory();
    chmodSync(folder, 0o755);
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir, { mode: isRoot ? 0o700 : 0o500 });
    const { status, findings } = doctor(dataDir, isRoot ? { uid: 65534 } : {});
    expect(status).toBe(1);
    requireFinding(findings, 'bad', 'data_directory', /may not write .*; run as its owner, or chown it/);
  });

  it.runIf(mayMount)('finds a data directory that is mounted read-only', () => {
    const dataDir = temporaryDirectory();
    const shell = `mount -t tmpfs -o ro none ${dataDir} && exec "$@"`;
    const { status, findings } = doctor(dataDir, { shell: `exec unshare --mount sh -c '${shell}' sh "$@"` });
    expect(status).toBe(1);
    requireFinding(findings, 'bad', 'data_directory', /mounted read-only; remount it/);
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
});
