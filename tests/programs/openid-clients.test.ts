// Clients of OpenID Connect that others have written sign people in, as docs/openid.md says.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { filmOf } from '../../packages/server/test/support/film.ts';
import { newClient } from '../../packages/server/test/support/liveness-sessions.ts';
import {
  callback,
  newApp,
  newBrowser,
  perform,
  startOpenid,
} from '../../packages/server/test/support/openid.ts';
import { freePort } from '../../packages/server/test/support/postgres.ts';
import { atEnd, temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { blocksOf } from '../support/doc-blocks.ts';
import { executableOf } from '../support/executable.ts';
import { root } from '../support/sources.ts';

const apache = executableOf(['/usr/sbin/apache2']);
const modules = '/usr/lib/apache2/modules';
const hasModule = existsSync(`${modules}/mod_auth_openidc.so`);
const python = '/usr/bin/python3';
const hasAuthlib = spawnSync(python, ['-c', 'import authlib, requests']).status === 0;

const blocks = blocksOf(readFileSync(join(root, 'docs/openid.md'), 'utf8'));
const blockWith = (text: string) => blocks.find((block) => block.text.includes(text))!.text;

/** What is put in where the page has the values of its example. */
const filled = (text: string, values: Readonly<Record<string, string>>) =>
  Object.entries(values).reduce((all, [example, value]) => all.replaceAll(example, value), text);

const ani = await filmOf('ani');

async function prepared(more: object) {
  const started = await startOpenid();
  const client = await newClient(started.server);
  await client.enrol('ani', await ani.frame('face front', 9));
  return { ...started, app: await newApp(started, client, more) };
}

/** Apache with the configuration of the page, and a page behind it. */
async function startApache(port: number, text: string): Promise<void> {
  // Its workers are another user, who must not be kept out.
  const folder = mkdtempSync('/tmp/wajah-apache-');
  chmodSync(folder, 0o755);
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'htdocs/staff'), { recursive: true });
  writeFileSync(join(folder, 'htdocs/staff/index.html'), 'the hours of work');
  const loaded = ['mpm_event', 'authz_core', 'authn_core', 'authz_user', 'headers', 'dir', 'auth_openidc'];
  const own = [
    `ServerRoot ${folder}`,
    `PidFile ${folder}/pid`,
    `Listen 127.0.0.1:${port}`,
    `ServerName localhost`,
    `ErrorLog ${folder}/error.log`,
    `DocumentRoot ${folder}/htdocs`,
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    ...loaded.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`),
    'DirectoryIndex index.html',
    'Header always set X-User "expr=%{REMOTE_USER}"',
  ];
  writeFileSync(join(folder, 'apache.conf'), `${[...own, text].join('\n')}\n`);
  const child = spawn(apache!, ['-f', join(folder, 'apache.conf'), '-DFOREGROUND'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  atEnd(() => void child.kill());
  await expect
    .poll(
      () =>
        fetch(`http://localhost:${port}/`).then(
          () => true,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(true);
}

describe.skipIf(!apache || !hasModule)('a site behind Apache with mod_auth_openidc', () => {
  it.each([
    ['that names the person', 'OIDCAuthRequestParams login_hint=ani', {}],
    ['of a kiosk, which names nobody', '', { identify: true }],
  ])('%s, shows its page to who has signed in', async (_, line, more) => {
    const port = await freePort();
    const site = `http://localhost:${port}`;
    const { issuer, app } = await prepared({ redirect_uris: [`${site}/staff/openid`], ...more });
    const text = filled(blockWith('OIDCProviderMetadataURL'), {
      'https://faces.example': issuer,
      'https://site.example': site,
      'app_…': app.id,
      'the secret': app.secret!,
      'a long random text': 'a passphrase of a test',
    });
    await startApache(port, `${text}\n${line}`);
    const browser = newBrowser();
    const visit = async (address: string | URL) => {
      const answer = await browser.open(address);
      const location = answer.headers.get('location');
      return { answer, next: location === null ? null : new URL(location, address) };
    };
    // Who is not recognised is led to a new session, and not to an error.
    const vain = newBrowser();
    const page = await vain.follow((await visit(`${site}/staff/`)).next!);
    const refused = await vain.open(page.href.replace(/\/page.*/, '/done'));
    const resumed = await vain.open(refused.headers.get('location')!);
    const answer = new URL(resumed.headers.get('location')!);
    expect([answer.pathname, answer.searchParams.get('error')]).toEqual(['/staff/openid', 'access_denied']);
    expect((await visit(answer)).next!.href).toMatch(`${issuer}/openid/auth?`);
    const { next } = await visit(`${site}/staff/`);
    expect(next!.href).toMatch(`${issuer}/openid/auth?`);
    const judged = await perform(browser, await browser.follow(next!), ani);
    expect(judged.liveness).toBe('passed');
    let place: URL | null = new URL(judged.redirect_url);
    let last: Response | undefined;
    for (let n = 0; place && n < 9; n++) ({ answer: last, next: place } = await visit(place));
    expect([last!.status, await last!.text()]).toEqual([200, 'the hours of work']);
    expect(last!.headers.get('x-user')).toMatch(/^ani(@|$)/);
    expect((await newBrowser().open(`${site}/staff/`)).status).toBe(302);
  });
});

describe.skipIf(!hasAuthlib)("a program with Python's authlib", () => {
  it('signs a person in, and verifies the ID token', async () => {
    const { issuer, app } = await prepared({});
    const script = join(temporaryDirectory(), 'sign_in.py');
    writeFileSync(
      script,
      filled(blockWith('OAuth2Session'), {
        'https://faces.example': issuer,
        'https://app.example/callback': callback,
        'app_…': app.id,
        'the secret': app.secret!,
        '3174001': 'ani',
      }),
    );
    const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    atEnd(() => void child.kill());
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const browser = newBrowser();
    const page = await browser.follow((await lines.next()).value as string);
    const judged = await perform(browser, page, ani);
    child.stdin.end(`${await browser.follow(judged.redirect_url)}\n`);
    expect(JSON.parse((await lines.next()).value as string)).toMatchObject({
      iss: issuer,
      sub: 'ani',
      name: 'name of ani',
      amr: ['face'],
    });
  });
});
