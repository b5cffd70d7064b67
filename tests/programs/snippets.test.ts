import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { endpoints } from '@wajah/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { type Film, filmOf } from '../../packages/server/test/support/film.ts';
import { atEnd, temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { startTestApp, type TestApp } from '../../packages/server/test/support/test-app.ts';
import { compileRetrofit } from '../support/retrofit.ts';
import { root } from '../support/sources.ts';
import { syntaxFaults } from '../support/syntax.ts';

const source = (name: string) => join(root, 'docs/programs', name);

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
const installed = Object.entries(programs).filter(([, { needs }]) => has(needs));

/** Paths whose first call is refused before it reaches the server, with the HTTP status. */
const busy: Readonly<Record<string, number>> = {
  '/oauth/client/token': 429,
  '/face-api/facegallery/identify-face': 503,
};

/** A proxy before a server, as one that limits calls. @returns its URL, and a function that lets it refuse again */
async function startBusyProxy(target: string) {
  const refused = new Set<string>();
  const proxy = createServer((incoming, outgoing) => {
    const { url: path = '', method, headers } = incoming;
    const refusal = refused.has(path) ? undefined : busy[path];
    if (refusal !== undefined) {
      refused.add(path);
      incoming.resume();
      outgoing.writeHead(refusal, { 'Retry-After': '1' }).end('<h1>Busy</h1>');
      return;
    }
    const forwarded = request(target + path, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  return { url: await listening(proxy), refused };
}

async function listening(server: Server): Promise<string> {
  atEnd(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs a program. @param opens receives the link of the liveness session while the program waits */
async function runProgram(
  [executable = '', ...args]: string[],
  cwd: string,
  settings: Record<string, string>,
  opens: (link: URL) => Promise<void> = async () => {},
) {
  const child = spawn(executable, args, { cwd, env: { ...process.env, ...settings } });
  let [out, err] = ['', ''];
  let opened: Promise<void> | undefined;
  child.stdout.on('data', (chunk) => {
    out += chunk;
    const link = /^open: (\S+)\n/m.exec(out)?.[1];
    if (link !== undefined) opened ??= opens(new URL(link));
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'close');
  await opened;
  return { code, out, err };
}

describe('the programs of docs/api.md, on a server with drawn faces', () => {
  let server: TestApp;
  let film: Film;
  let folder = '';
  let proxy: Awaited<ReturnType<typeof startBusyProxy>>;
  const commands = new Map<string, string[]>();

  beforeAll(async () => {
    // Drawn heads are no photographs.
    server = await startTestApp({ WAJAH_SPOOF_THRESHOLD: '1', WAJAH_UNCLEAR_SPOOF: 'accept' });
    proxy = await startBusyProxy(await server.app.listen({ host: '127.0.0.1', port: 0 }));
    folder = temporaryDirectory();
    film = await filmOf('ani');
    writeFileSync(join(folder, 'sri-1.jpg'), await drawnFace({ person: 'ani' }));
    writeFileSync(join(folder, 'sri-2.jpg'), await drawnFace({ person: 'ani', tilt: 6, brightness: 0.9 }));
    writeFileSync(join(folder, 'darma.jpg'), await drawnFace({ person: 'darma' }));
    for (const [name, { command }] of installed) commands.set(name, await command(folder));
  });

  /** Does the steps on the page of the session. */
  async function perform(link: URL): Promise<void> {
    const [session_id, secret] = link.hash.slice(1).split('.');
    const { body } = await server.call(secret, endpoints.beginLivenessSession, { session_id });
    const frames = await film.frames(body.steps);
    await server.call(secret, endpoints.submitLivenessSession, { session_id, frames });
  }

  const missing = Object.keys(programs).filter((name) => !installed.some(([other]) => other === name));
  if (missing.length > 0)
    console.info(`not run, as their languages are not installed: ${missing.join(', ')}`);

  it.each(installed.map(([name]) => name))('%s is right at the first run and at the second', async (name) => {
    await server.forgetFrames();
    const { id, password } = await server.client();
    const settings = { URL: proxy.url, CLIENT: id, PASSWORD: password };
    proxy.refused.clear();
    const first = await runProgram(commands.get(name)!, folder, settings, perform);
    expect([first.code, first.out, first.err]).toEqual([
      0,
      output('now', ['passed', 'verified live: true']),
      '',
    ]);
    expect([...proxy.refused].sort()).toEqual(Object.keys(busy).sort());
    const second = await runProgram(commands.get(name)!, folder, { ...settings, WAIT: '1' });
    expect([second.code, second.out, second.err]).toEqual([0, output('before', ['waiting']), '']);
  });

  const output = (enrolled: string, [state, ...more]: string[]) =>
    expect.stringMatching(
      new RegExp(
        `^${[
          `enrolled: ${enrolled}`,
          'verified: true',
          'sri-2.jpg: Sri Rahayu',
          'darma.jpg: not recognised',
          'open: http://127.0.0.1:\\d+/liveness#[\\w.-]+',
          `liveness: ${state}`,
          ...more,
        ].join('\n')}\n$`,
      ),
    );

  it('end with the refusal of a wrong password, and where nothing answers', async () => {
    const silent = await listening(createServer(() => {}));
    const settings = { CLIENT: 'nobody', PASSWORD: 'wrong' };
    await Promise.all(
      [...commands].map(async ([name, command]) => {
        const refused = await runProgram(command, folder, { ...settings, URL: proxy.url });
        expect([name, refused.code === 0, refused.out]).toEqual([name, false, '']);
        expect(refused.err, name).toMatch(/401 \S/);
        const unanswered = await runProgram(command, folder, { ...settings, URL: silent });
        expect([name, unanswered.code === 0, unanswered.out]).toEqual([name, false, '']);
      }),
    );
  });

  it('end where the server imitates the public cloud, whose answers are not those they read', async () => {
    const cloud = await startTestApp({ WAJAH_COMPAT: 'risetai' });
    const url = await cloud.app.listen({ host: '127.0.0.1', port: 0 });
    const { id, password } = await cloud.client();
    for (const [name, command] of commands) {
      const refused = await runProgram(command, folder, { URL: url, CLIENT: id, PASSWORD: password });
      expect([name, refused.code === 0, refused.out]).toEqual([name, false, '']);
      expect(refused.err, name).toMatch(/no answer of Wajah: .*risetai|HTTP 200/);
    }
  });
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
