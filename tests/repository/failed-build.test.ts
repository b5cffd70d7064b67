import { execFile } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { root } from '../support/sources.ts';

it('a run of tests whose build fails says so, and not that there are no test files', async () => {
  const folder = temporaryDirectory();
  const files = {
    'compile.mjs': "console.error('a.ts(1,1): error'); process.exitCode = 2;",
    'setup.ts': `import { runNode } from '${root}/tests/support/build.ts';
      export const setup = () => {
        console.log('folder', process.env['TMPDIR']);
        runNode('${relative(root, join(folder, 'compile.mjs'))}');
      };`,
    'vitest.config.ts': `export default { test: {
      globalSetup: ['${root}/tests/support/run-folder.ts', './setup.ts'], experimental: { fsModuleCache: true } } };`,
    'some.test.ts': "import { it } from 'vitest'; it('runs', () => {});",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const env = { PATH: process.env['PATH'], TMPDIR: folder, NO_COLOR: '1' };
  const run = await new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, [vitest, 'run', 'some'], { cwd: folder, env }, (error, out, err) =>
      resolve({ code: error?.code, said: out + err }),
    );
  });
  expect(run.said).toContain('a.ts(1,1): error');
  expect(run.said).not.toContain('No test files found');
  expect(run).toMatchObject({ code: 1, said: expect.stringMatching(/compile\.mjs failed.*no test was run/) });
  const [, left = ''] = /^folder (.*wajah-run-.*)$/m.exec(run.said) ?? [];
  expect([left === '', existsSync(left)]).toEqual([false, false]);
});
