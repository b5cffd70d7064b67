import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { Run, wajah } from '../support/program.ts';
import { root } from '../support/sources.ts';

/** The repository with its builds, whose sources a test may change. @returns its folder */
function copyOfRepository(): string {
  const folder = temporaryDirectory();
  const copied = [
    'package.json',
    'tsconfig.base.json',
    'tsconfig.json',
    'packages',
    'lab',
    'models',
    'scripts',
  ];
  const filter = (path: string) => !/\/(node_modules|cache)(\/|$)/.test(path.slice(root.length));
  for (const name of copied)
    cpSync(join(root, name), join(folder, name), { recursive: true, filter, preserveTimestamps: true });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@wajah'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@wajah') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(join(folder, 'packages', name), join(modules, '@wajah', name));
  }
  for (const name of ['lab', 'models']) symlinkSync(join(folder, name), join(modules, '@wajah', name));
  symlinkSync(join(root, 'lab/node_modules'), join(folder, 'lab/node_modules'));
  return folder;
}

it('npm run dev restarts the server after a change of a source, and ends all at SIGINT', async () => {
  const folder = copyOfRepository();
  const settings = { WAJAH_DATA_DIR: join(folder, 'data'), WAJAH_PORT: '0' };
  const dev = new Run(settings, [], [process.execPath, join(folder, 'scripts/dev.mjs')]);
  const first = await dev.waitForOutput(/listens on (http:\S+)/);
  const described = async (url: string) => {
    const { info } = (await (await fetch(`${url}/openapi.json`)).json()) as {
      info: { description: string };
    };
    return info.description;
  };
  const before = await described(first);

  const source = join(folder, 'packages/contract/src/openapi.ts');
  const changed = readFileSync(source, 'utf8').replace(before, 'A changed description.');
  // The compiler does not see changes of the first moments of its watch.
  const changing = setInterval(() => writeFileSync(source, changed), 2_000);
  onTestFinished(() => clearInterval(changing));
  await dev.waitForOutput(/restarting the server/);
  clearInterval(changing);
  // Of a busy machine it has seen several changes, each with a start: the last one stays.
  const latest = () => dev.waitForOutput(/restarting the server[\s\S]*listens on (http:\S+)/);
  await expect.poll(async () => described(await latest()).catch(() => 'none')).toBe('A changed description.');
  const second = await latest();

  expect(await dev.stop('SIGINT')).toMatchObject({ code: 0 });
  await expect(fetch(`${second}/health`)).rejects.toThrow();
  // The data directory is free again.
  expect(await wajah(settings, 'client', 'list')).toMatchObject({ code: 0 });
});
