import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { Run, serve, wajahHere } from '../support/program.ts';
import { root } from '../support/sources.ts';

it.each([
  ['client', 'create', 'demo'],
  ['client', 'list'],
  ['token', 'list', 'demo'],
  ['audit', 'list'],
  ['keys', 'rotate-master', '--yes'],
  ['import', 'folder', '.', '--client', 'demo', '--gallery', 'staff', '--create-gallery'],
  ['migrate'],
])('wajah %s %s makes no installation in a directory that holds none', async (...command) => {
  const parent = temporaryDirectory();
  const [absent, empty] = [join(parent, 'absent'), join(parent, 'empty')];
  mkdirSync(empty);
  for (const directory of [absent, empty]) {
    const { code, err } = await wajahHere({ WAJAH_DATA_DIR: directory }, ...command);
    expect([code, err]).toEqual([
      1,
      `wajah: WAJAH_DATA_DIR: ${directory} holds no installation, and only \`wajah serve\` makes one; name the data directory of the server\n`,
    ]);
  }
  expect([existsSync(absent), readdirSync(empty)]).toEqual([false, []]);
});

it('the first start says that it makes an installation, where, and that the default holds another one', async () => {
  const folder = temporaryDirectory();
  const start = (settings: Record<string, string>) =>
    new Run(
      settings,
      [
        '-c',
        `cd '${folder}' && exec '${process.execPath}' '${join(root, 'packages/server/bin/wajah.js')}' serve`,
      ],
      ['/bin/sh'],
    );
  const usual = join(folder, 'data');
  const first = start({});
  await first.waitForOutput(/curl .*\n/);
  expect(first.err).toContain(`\nNew installation, with keys of its own, in ${usual} (WAJAH_DATA_DIR).\n`);
  await first.stop('SIGTERM');
  const again = start({});
  await again.waitForOutput(/listens on/);
  expect(again.err).not.toContain('New installation');
  await again.stop('SIGTERM');

  const other = join(folder, 'typo');
  const refused = await wajahHere({ WAJAH_DATA_DIR: other }, 'client', 'list');
  expect(refused.err).toContain(`${other} holds no installation`);
  const wrong = start({ WAJAH_DATA_DIR: other });
  await wrong.waitForOutput(/listens on/);
  expect(wrong.err).toContain(
    `New installation, with keys of its own, in ${other} (WAJAH_DATA_DIR). The installation in ${usual}, the default, is another one.\n`,
  );
  await wrong.stop('SIGTERM');
});

it('commands work beside a server that is started, and after it', async () => {
  const settings = { WAJAH_DATA_DIR: temporaryDirectory() };
  const server = await serve(settings);
  expect((await wajahHere(settings, 'client', 'create', 'door')).code).toBe(0);
  await server.stop('SIGTERM');
  expect((await wajahHere(settings, 'client', 'list')).out).toContain('door');
});
