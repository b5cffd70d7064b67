import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { beforeEach, expect, it } from 'vitest';
import { pagesApp } from '../../../test/support/pages-app.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';

let folder: string;
let app: FastifyInstance;

beforeEach(async () => {
  folder = temporaryDirectory();
  app = await pagesApp({ folder, guide: join(folder, 'guide') });
});

async function build(): Promise<void> {
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<title>Console</title>');
  await writeFile(join(folder, 'docs.html'), '<title>API</title>');
  await writeFile(join(folder, 'liveness.html'), '<title>Liveness</title>');
  await mkdir(join(folder, 'capture'));
  await writeFile(join(folder, 'capture/index.js'), 'export {};');
  await writeFile(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'assets/main-1a2b3c.js'), 'export {};');
  await writeFile(join(folder, '.secret.json'), '{}');
  await mkdir(join(folder, 'guide/id'), { recursive: true });
  await writeFile(join(folder, 'guide/index.html'), '<title>Guide</title>');
  await writeFile(join(folder, 'guide/id/index.html'), '<title>Panduan</title>');
  await writeFile(join(folder, 'guide/404.html'), '<title>Not here</title><a href="./docs/guide/x">');
  await writeFile(join(folder, 'guide/id/404.html'), '<title>Tidak ada</title><a href="./docs/guide/x">');
}

const get = (url: string) => app.inject({ url });

/** Where a browser is led whose proxy serves the root below a path. */
const ledTo = (url: string, location: unknown) =>
  new URL(String(location), `http://proxy/wajah${url}`).href.replace('http://proxy/wajah', '');

it('serves the console, its pages and the API reference with Cache-Control no-cache', async () => {
  await build();
  const { statusCode, headers, body } = await get('/console?x=1.5');
  expect([statusCode, body]).toEqual([200, '<title>Console</title>']);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['cache-control']).toBe('no-cache');
  expect((await get('/docs')).body).toBe('<title>API</title>');
  expect((await app.inject({ method: 'HEAD', url: '/console' })).statusCode).toBe(200);
});

it.each([
  ['/console/', '/console'],
  ['/console/galleries/demo?x=1.5', '/console?x=1.5'],
  ['/docs/', '/docs'],
  ['/liveness/?lang=id', '/liveness?lang=id'],
])('leads from %s to %s, below a path too', async (from, to) => {
  await build();
  const { statusCode, headers } = await get(from);
  expect([statusCode, ledTo(from, headers.location)]).toEqual([302, to]);
});

it('serves the page of hosted sessions without a referrer, and the element to pages of all origins', async () => {
  await build();
  const { body, headers } = await get('/liveness?lang=id');
  expect([body, headers['referrer-policy']]).toEqual(['<title>Liveness</title>', 'no-referrer']);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
  const element = await get('/capture/index.js');
  expect(element.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  });
});

it('leads browsers from / to the console, and answers programs with 404', async () => {
  const root = (headers: Record<string, string>) => app.inject({ url: '/', headers });
  const browser = await root({ accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  expect([browser.statusCode, ledTo('/', browser.headers.location)]).toEqual([302, '/console']);
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
    const answer = await root(headers);
    expect([answer.statusCode, answer.json().status]).toEqual([404, '404']);
  }
});

it('forbids inline scripts, and allows the camera to its own pages only', async () => {
  await build();
  for (const url of ['/console', '/docs', '/console/assets/main-1a2b3c.js']) {
    const { headers } = await get(url);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).not.toContain('unsafe');
    expect(headers['permissions-policy']).toBe('camera=(self)');
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
});

it('allows caching of files with a hash in their name, and answers 304', async () => {
  await build();
  const asset = await get('/console/assets/main-1a2b3c.js');
  expect(asset.headers['content-type']).toMatch(/javascript/);
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await get('/console/icon.svg')).headers['cache-control']).toBe('no-cache');
  const headers = { 'if-none-match': String((await get('/console')).headers['etag']) };
  expect((await app.inject({ url: '/console', headers })).statusCode).toBe(304);
});

it('serves the documents below /docs/guide/, where their relative links lead to each other', async () => {
  await build();
  for (const [from, to] of [
    ['/docs/guide', '/docs/guide/'],
    ['/docs/guide?x=/', '/docs/guide/'],
    ['/docs/guide/id/', '/docs/guide/id/index.html'],
    ['/docs/guide/liveness', '/docs/guide/liveness.html'],
  ] as const) {
    const { statusCode, headers } = await get(from);
    expect([from, statusCode, ledTo(from, headers.location)]).toEqual([from, 302, to]);
  }
  const { body, headers } = await get('/docs/guide/');
  expect([body, headers['cache-control']]).toEqual(['<title>Guide</title>', 'no-cache']);
  expect(headers['content-security-policy']).toMatch(/script-src 'self'; style-src 'self'/);
  const cached = { 'if-none-match': String(headers['etag']) };
  expect((await app.inject({ url: '/docs/guide/', headers: cached })).statusCode).toBe(304);
  expect((await get('/docs/guide/id/index.html')).body).toBe('<title>Panduan</title>');
  for (const [url, title] of [
    ['/docs/guide/none.html', 'Not here'],
    ['/docs/guide/none/at/all.html', 'Not here'],
    ['/docs/guide/id/none.html', 'Tidak ada'],
  ] as const) {
    const answer = await app.inject({ url, headers: { accept: 'text/html,*/*;q=0.8' } });
    const [, found, link] = /<title>(.*)<\/title><a href="(.*)">/.exec(answer.body) ?? [];
    expect([answer.statusCode, found, ledTo(url, link)]).toEqual([404, title, '/docs/guide/x']);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

it.each([
  '/docs/guide/none.html',
  '/docs/guide/..%2f.secret.json',
  '/docs/guide/id/%2e%2e/.secret.json',
  '/console/assets/none.js',
  '/console/.secret.json',
  '/console/../package.json',
  '/consolex',
  '/console/..%2f..%2fpackage.json',
  '/console/assets/%2e%2e/.secret.json',
  '/console/a%00.js',
])('answers 404 in the envelope: %s', async (url) => {
  await build();
  const answer = await get(url);
  expect([answer.statusCode, answer.json().status]).toEqual([404, '404']);
  expect(answer.json().detail).not.toContain(folder);
  expect(answer.headers['cache-control']).toBe('no-store');
});

it('answers with the build command when the pages are not built', async () => {
  for (const url of ['/console', '/docs', '/capture/index.js']) {
    const answer = await get(url);
    expect([answer.statusCode, answer.json().status]).toEqual([404, '404']);
    expect(answer.json().detail).toContain('packages/console/build.mjs');
  }
  expect((await get('/docs/guide')).json().detail).toContain('npm run docs:site');
});
