import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { createInstallation, serve, wajah } from '../support/program.ts';
import { root } from '../support/sources.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65534;

/** Runs the built program as another user. */
function run(dataDir: string, args: readonly string[]) {
  const program = join(root, 'packages/server/bin/wajah.js');
  const env = {
    PATH: process.env['PATH'],
    WAJAH_DATA_DIR: dataDir,
    WAJAH_PORT: '0',
    WAJAH_ENV_FILE: '/dev/null',
  };
  const options = { env, encoding: 'utf8', uid: nobody, gid: nobody } as const;
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], options);
  return { status, stderr };
}

const commands = [
  ['client', 'list'],
  ['backup', '/tmp/never.backup'],
  ['restore', '/dev/null'],
  ['migrate'],
  ['serve'],
] as const;

describe.runIf(isRoot)('another user than the owner of a data directory', () => {
  let folder: string;
  let dataDir: string;
  beforeAll(async () => {
    folder = temporaryDirectory();
    dataDir = join(folder, 'data');
    await createInstallation({ WAJAH_DATA_DIR: dataDir });
    chmodSync(folder, 0o755);
  });

  it.each([0o700, 0o755])('is told so in one line, mode %o', (mode) => {
    chmodSync(dataDir, mode);
    for (const args of commands) {
      const { status, stderr } = run(dataDir, args);
      const said = stderr.replace(/^Wajah \S+ is starting …\n/, '');
      expect([status, said], args[0]).toEqual([
        1,
        expect.stringMatching(/^wajah: .*(may not|permission denied).*run (this command )?as .*\n$/),
      ]);
    }
  });

  it('is told so of a signing key of another user', () => {
    const own = join(folder, 'own');
    cpSync(dataDir, own, { recursive: true });
    for (const name of ['', ...readdirSync(own)]) chownSync(join(own, name), nobody, nobody);
    chownSync(join(own, 'signing-key.json'), 0, 0);
    expect(run(own, ['serve']).stderr).toMatch(/^wajah: EACCES: permission denied, open '.*signing-key/m);
  });

  it('is told so beside a running server', async () => {
    chmodSync(dataDir, 0o755);
    const server = await serve({ WAJAH_DATA_DIR: dataDir });
    const { stderr } = run(dataDir, ['client', 'list']);
    expect(stderr).toMatch(/^wajah: WAJAH_DATA_DIR: user 65534 may not write .*run as its owner.*\n$/);
    await server.stop('SIGTERM');
  });
});

it('a copy of the data directory of a running server is not taken for it', async () => {
  const dataDir = temporaryDirectory();
  const server = await serve({ WAJAH_DATA_DIR: dataDir });
  const copy = join(temporaryDirectory(), 'copy');
  mkdirSync(copy, { mode: 0o700 });
  cpSync(dataDir, copy, { recursive: true, filter: (file) => !file.endsWith('.sock') });
  const made = await wajah({ WAJAH_DATA_DIR: copy }, 'client', 'create', 'ofcopy');
  expect(made).toMatchObject({ code: 0 });
  const { out } = await wajah({ WAJAH_DATA_DIR: dataDir }, 'client', 'list');
  expect(out).not.toContain('ofcopy');
  await server.stop('SIGTERM');
});
