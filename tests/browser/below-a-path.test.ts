import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../packages/server/test/support/postgres.ts';
import { blocksOf } from '../support/doc-blocks.ts';
import { nginx, runNginx } from '../support/proxy.ts';
import { root } from '../support/sources.ts';
import { chromiumPath, launchChromium, openPage } from './chromium.ts';
import { type ConsoleServer, goTo, signIn, startConsole } from './console-server.ts';
import { reached } from './example-page.ts';
import { cameraScript, drawnFilm } from './film-camera.ts';

const MINUTES = 60_000;
vi.setConfig({ testTimeout: 8 * MINUTES });

/** The configuration of the page, below /wajah/ as the page says, and without TLS. */
function belowPath(port: number, server: string): string {
  const page = readFileSync(join(root, 'docs/operations/installing.md'), 'utf8');
  const printed = blocksOf(page).find(({ language }) => language === 'nginx')!.text;
  return printed
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(/ssl_.*\n/g, '')
    .replace('location /', 'location /wajah/')
    .replace('proxy_pass http://127.0.0.1:8080;', `proxy_pass ${server}/;`);
}

describe.skipIf(!chromiumPath || !nginx)('below a path of nginx', () => {
  let server: ConsoleServer;
  let browser: Browser;
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/wajah`;
    [server, browser] = await Promise.all([startConsole({ WAJAH_PUBLIC_URL: url }), launchChromium()]);
    runNginx(belowPath(port, server.url));
    await vi.waitFor(() => fetch(`${url}/health`), { timeout: 4 * MINUTES });
  });

  it('the console signs in, and its links lead to the reference and the documents', async () => {
    const { page, errors } = await openPage(browser, { locale: 'en-GB' });
    await page.goto(`${url}/`);
    await page.waitForURL(`${url}/console`);
    await signIn(page, server);
    await goTo(page, 'Recognise');
    await page.getByRole('link', { name: 'API reference' }).first().click();
    await page.waitForURL(`${url}/docs`);
    await page.locator('.operation').first().waitFor();
    await page.goto(`${url}/docs/guide`);
    await page.waitForURL(`${url}/docs/guide/`);
    await page.locator('article h1').waitFor();
    await page.goto(`${url}/docs/guide/id/tidak/ada.html`);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.skip')).position")).toBe(
      'absolute',
    );
    expect(errors.filter((error) => !/status of 404/.test(error))).toEqual([]);
    await page.locator('a.server').first().click();
    await page.waitForURL(`${url}/console`);
  });

  it('a hosted session is passed', async () => {
    const session = await server.call('/liveness-api/create-session', { hosted: true, steps: 2, lang: 'en' });
    expect(session['url']).toMatch(new RegExp(`^${url}/liveness\\?`));
    const { page, errors } = await openPage(browser);
    await page.goto(String(session['url']));
    await page.locator('wajah-liveness').waitFor();
    await page.evaluate(cameraScript(await drawnFilm()));
    await page.getByRole('button', { name: 'Start' }).click();
    await reached(page, 'passed', 6 * MINUTES);
    expect(errors).toEqual([]);
  });
});
