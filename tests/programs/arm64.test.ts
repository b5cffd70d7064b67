// Left out of npm test, unless it is named.
import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { createWajahClient } from '../../packages/client/src/index.ts';
import { openEngineInThread } from '../../packages/engine/src/index.ts';
import { innerProduct } from '../../packages/engine/src/similarity.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { arm64System, canEmulateArm64, QEMU } from '../support/emulated-arm64.ts';
import { firstClient, Run } from '../support/program.ts';
import { root } from '../support/sources.ts';

const run = promisify(execFile);
const pictures = ['sri-1.jpg', 'sri-2.jpg'].map((name) => join(root, 'samples', name));
const limits = { maxBytes: 1 << 24, maxPixels: 50e6 };

/** Prints the template of each picture. */
const script = `
import { readFileSync } from 'node:fs';
const [engineFile, cacheDir, ...pictures] = process.argv.slice(2);
const { openEngineInThread } = await import(engineFile);
const engine = await openEngineInThread({ cacheDir, image: ${JSON.stringify(limits)} });
for (const picture of pictures) {
  const request = { attributes: ['embedding'], maxFaces: 1, search: 'fast' };
  const { faces } = await engine.analyze(readFileSync(picture), request);
  console.log(JSON.stringify([...faces[0].embedding]));
}
await engine.close();
`;

describe.skipIf(!canEmulateArm64)('the installation for arm64, in an emulator', () => {
  let [tree, emulator]: [string, string[]] = ['', []];
  beforeAll(async () => {
    const scripts = join(root, 'scripts/release');
    const { packPackages } = await import(join(scripts, 'npm-packages.mjs'));
    const { makeTree } = await import(join(scripts, 'tree.mjs'));
    const folder = temporaryDirectory();
    await packPackages(join(folder, 'npm'), join(folder, 'stage'), 'none');
    tree = join(folder, 'tree');
    makeTree(tree, join(folder, 'stage'), 'arm64');
    emulator = [QEMU, '-L', arm64System()];
  }, 1_800_000);

  it('computes the templates that this processor computes', async () => {
    const folder = temporaryDirectory();
    const file = join(folder, 'templates.mjs');
    writeFileSync(file, script);
    const engineFile = join(tree, 'lib/node_modules/@wajah/engine/dist/index.js');
    const [program = '', ...options] = [...emulator, join(tree, 'lib/node')];
    const { stdout } = await run(program, [...options, file, engineFile, folder, ...pictures]);
    const emulated = stdout
      .trim()
      .split('\n')
      .map((line) => Float32Array.from(JSON.parse(line)));

    const engine = await openEngineInThread({ cacheDir: join(root, '.cache'), image: limits });
    for (const [i, picture] of pictures.entries()) {
      const request = { attributes: ['embedding' as const], maxFaces: 1, search: 'fast' as const };
      const [face] = (await engine.analyze(readFileSync(picture), request)).faces;
      const [here, there] = [face?.embedding, emulated[i]];
      expect(here && there && innerProduct(here, there)).toBeGreaterThan(0.9995);
    }
    await engine.close();
  });

  it('serves: a person is enrolled and identified in another picture', async () => {
    const data = temporaryDirectory();
    const settings = {
      WAJAH_DATA_DIR: join(data, 'data'),
      WAJAH_CACHE_DIR: join(data, 'cache'),
      WAJAH_ENGINE_LAUNCHER: launcher(emulator),
    };
    const program = join(tree, 'lib/node_modules/@wajah/server/bin/wajah.js');
    const server = new Run(settings, ['serve'], [...emulator, join(tree, 'lib/node'), program]);
    const url = await server.waitForOutput(/listens on (http:\S+)/);
    const { token } = await firstClient(server);
    const gallery = createWajahClient({ url, token, timeoutMs: 300_000 }).gallery('demo@trial');
    const [first = '', other = ''] = pictures;
    await gallery.enrol({ user_id: '1', user_name: 'Sri', image: { path: first } });
    expect(await gallery.identify({ path: other })).toMatchObject({ user_name: 'Sri' });
    expect((await server.stop('SIGTERM')).code).toBe(0);
  });
});

/**
 * A program that starts workers in the emulator: the kernel does not start programs for arm64. It leaves out the shell that
 * limits their memory, five arguments, which is one of this processor.
 */
function launcher(emulator: readonly string[]): string {
  const file = join(temporaryDirectory(), 'launcher');
  writeFileSync(file, `#!/bin/sh\nshift 5\nexec ${emulator.join(' ')} "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}
