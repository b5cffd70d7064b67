// Left out of npm test, unless it is named.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { filmOf } from '../../packages/server/test/support/film.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { startTestApp, type TestApp } from '../../packages/server/test/support/test-app.ts';
import { compileRetrofit } from '../support/retrofit.ts';
import { root } from '../support/sources.ts';
import { syntaxFaults } from '../support/syntax.ts';

const run = promisify(execFile);
const source = (name: string) => join(root, 'docs/programs', name);
const steps = ['face front', 'face left', 'face right', 'face up', 'face down', 'eyes closed', 'mouth open'];

/** Laravel's Http from Debian's packages; in an application Laravel itself does this. */
const laravel = `<?php
require '/usr/share/php/Illuminate/Support/autoload.php';
require '/usr/share/php/Illuminate/Http/autoload.php';
require '/usr/share/php/GuzzleHttp/autoload.php';
Illuminate\\Support\\Facades\\Facade::setFacadeApplication(
  new ArrayObject([Illuminate\\Http\\Client\\Factory::class => new Illuminate\\Http\\Client\\Factory]));
`;

/** The command of a program, and what shows that the machine can run it. @param folder where it runs */
const programs: Readonly<
  Record<string, { needs: readonly string[]; command(folder: string): Promise<string[]> | string[] }>
> = {
  'shell.sh': { needs: ['curl --version', 'jq --version'], command: () => ['sh', source('shell.sh')] },
  'php.php': {
    needs: ['php -r \'exit(function_exists("curl_init") ? 0 : 1);\''],
    command: () => ['php', source('php.php')],
  },
  'laravel.php': {
    needs: [
      'php -v',
      'test -e /usr/share/php/Illuminate/Http/autoload.php -a -e /usr/share/php/GuzzleHttp/autoload.php',
    ],
    command(folder) {
      writeFileSync(join(folder, 'laravel.php'), laravel);
      return ['php', '-d', `auto_prepend_file=${join(folder, 'laravel.php')}`, source('laravel.php')];
    },
  },
  'python.py': {
    needs: ["/usr/bin/python3 -c 'import requests'"],
    command: () => ['/usr/bin/python3', source('python.py')],
  },
  'go.go': { needs: ['go version'], command: () => ['go', 'run', source('go.go')] },
  'kotlin.kt': {
    needs: [
      'kotlinc -version',
      'javac -version',
      'test -e /usr/share/java/okhttp.jar -a -e /usr/share/java/gson.jar',
    ],
    command: (folder) => compileRetrofit(source('kotlin.kt'), folder),
  },
};

const has = (needs: readonly string[]) => needs.every((one) => spawnSync('sh', ['-c', one]).status === 0);

describe('the programs of docs/programs.md, on a server with drawn faces', () => {
  let server: TestApp;
  let folder = '';
  let url = '';

  beforeAll(async () => {
    // Drawn heads are no photographs.
    server = await startTestApp({ WAJAH_SPOOF_THRESHOLD: '1', WAJAH_UNCLEAR_SPOOF: 'accept' });
    url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    folder = temporaryDirectory();
    mkdirSync(join(folder, 'camera'));
    writeFileSync(join(folder, 'sri-1.jpg'), await drawnFace({ person: 'ani' }));
    writeFileSync(join(folder, 'sri-2.jpg'), await drawnFace({ person: 'ani', tilt: 6, brightness: 0.9 }));
    const film = await filmOf('ani');
    for (const step of steps) {
      for (const number of [1, 2, 3, 4, 5, 6, 7]) {
        const frame = Buffer.from(await film.frame(step, number), 'base64');
        writeFileSync(join(folder, `camera/${step} ${number}.jpg`), frame);
      }
    }
  });

  const missing = Object.keys(programs).filter((name) => !has(programs[name]?.needs ?? []));
  if (missing.length > 0)
    console.info(`not run, as their languages are not installed: ${missing.join(', ')}`);

  for (const [name, { needs, command }] of Object.entries(programs)) {
    it.runIf(has(needs))(`${name} enrols, verifies, identifies and runs a liveness session`, async () => {
      await server.forgetFrames();
      const { id, password } = await server.client();
      const [executable = '', ...args] = await command(folder);
      const env = { ...process.env, URL: url, CLIENT: id, PASSWORD: password };
      const { stdout } = await run(executable, args, { cwd: folder, env });
      expect(stdout).toBe('enrolled: 200\nverified: true\nidentified: Sri Rahayu\nliveness: passed\n');
    });
  }
});

describe('a program that is not run here', () => {
  it.each([
    ['dart.dart', 'dart'],
    ['kotlin.kt', 'kotlin'],
  ])('%s follows its grammar', async (name, language) => {
    const faults = await syntaxFaults(source(name), language);
    if (faults === null) console.info('the grammars could not be installed');
    else expect(faults).toEqual([]);
  });
});
