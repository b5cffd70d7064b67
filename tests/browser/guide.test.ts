import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../packages/contract/src/openapi.ts';
import { pagesApp } from '../../packages/server/test/support/pages-app.ts';
import { root } from '../support/sources.ts';
import { seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage, phone } from './chromium.ts';

describe.skipIf(!chromiumPath)('the documents as a site', () => {
  let app: FastifyInstance;
  let browser: Browser;
  let url = '';

  beforeAll(async () => {
    app = await pagesApp();
    app.get('/openapi.json', async () => openApiDocument('0.1.0'));
    [url, browser] = await Promise.all([app.listen({ port: 0, host: '127.0.0.1' }), launchChromium()]);
  });

  it('are found by a search with the keyboard, on a desktop in the light, under the policy of the server', async () => {
    const { page, errors } = await openPage(browser, { ...desktop, colorScheme: 'light' });
    await page.goto(`${url}/docs/guide`);
    await page.keyboard.press('/');
    await page.keyboard.type('limits of tries');
    await page.locator('#results li:first-child a', { hasText: 'Limits of tries' }).waitFor();
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/guide\/liveness\.html#limits-of-tries$/);
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'API', exact: true })
      .click();
    await page.getByRole('heading', { level: 2, name: 'Statuses' }).waitFor();
    await page.getByRole('link', { name: 'Bahasa Indonesia' }).click();
    await page.getByText('Halaman ini belum diterjemahkan').waitFor();
    await page.getByRole('link', { name: 'Ikhtisar', exact: true }).click();
    await page.getByRole('heading', { level: 2, name: 'Menjalankan server' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('fit a phone in the dark, and open from a disk with their search', async () => {
    const { page, errors } = await openPage(browser, { ...phone, colorScheme: 'dark' });
    await page.goto(`${url}/docs/guide/privacy.html`);
    await page.getByRole('button', { name: 'Pages' }).click();
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await page.goto(pathToFileURL(join(root, 'packages/guide/site/accuracy.html')).href);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expect.poll(() => page.locator('.pages ul').first().isVisible()).toBe(false);
    await page.getByRole('searchbox').fill('liveness token');
    await page.locator('#results a', { hasText: 'The liveness token' }).first().click();
    await page.waitForURL(/liveness/);
    expect(errors).toEqual([]);
  });

  it('show excerpts of what a search finds, with the words marked', async () => {
    const { page } = await openPage(browser, desktop);
    await page.goto(`${url}/docs/guide/id/`);
    await page.getByRole('searchbox').fill('kata sandi hilang');
    const first = page.locator('#results li').first();
    await first.getByText('Lost password').waitFor();
    await expect.poll(() => first.locator('p').textContent()).toMatch(/On the machine of the server/);
    await page.getByRole('searchbox').fill('certificate renews');
    await expect.poll(() => first.locator('mark').allTextContents()).toContain('certificate');
  });

  it('keep theme and language between site, console and API reference, and answer a wrong address with a page', async () => {
    const { page, errors } = await openPage(browser, { ...desktop, colorScheme: 'light', locale: 'en-GB' });
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    await page.goto(`${url}/docs`);
    await page.getByRole('button', { name: 'Dark', exact: true }).click();
    await page.getByRole('button', { name: 'ID, Indonesia' }).click();
    await page.getByRole('banner').getByRole('link', { name: 'Dokumentasi' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ikhtisar' }).waitFor();
    await expect.poll(theme).toBe('dark');
    await page.getByRole('button', { name: 'Tampilan: Gelap' }).click();
    await page.goto(`${url}/docs/guide/id/nowhere.html`);
    await page.getByRole('heading', { level: 1, name: 'Halaman ini tidak ada' }).waitFor();
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor();
    await page.locator('button[aria-pressed="true"]', { hasText: 'EN' }).waitFor();
    await expect.poll(theme).not.toBe('dark');
    expect(errors.filter((error) => !/status of 404/.test(error))).toEqual([]);
  });

  it('do not move while they load, on a desktop and on a phone', async () => {
    for (const size of [desktop, phone]) {
      const { page } = await openPage(browser, size);
      await page.addInitScript(`globalThis.moved = 0;
        new PerformanceObserver((list) => { for (const { value } of list.getEntries()) moved += value; })
          .observe({ type: 'layout-shift', buffered: true });`);
      for (const name of ['accuracy', 'index', 'api']) {
        await page.goto(`${url}/docs/guide/${name}.html`);
        await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))');
        await page.evaluate('new Promise((done) => setTimeout(done, 300))');
        const moved = await page.evaluate<number>('moved');
        console.info(`${name}, ${size.viewport?.width} px: layout moved by ${moved.toFixed(4)}`);
        expect([name, moved < 0.02]).toEqual([name, true]);
      }
    }
  });

  it('follow the accessibility rules on every page of the list', async () => {
    const { page } = await openPage(browser, { ...desktop, colorScheme: 'dark' });
    await page.goto(`${url}/docs/guide/`);
    const pages = await page.locator('.pages a').evaluateAll((links) => links.map((link) => String(link)));
    const found: string[] = [];
    for (const address of pages) {
      await page.goto(address);
      found.push(...(await seriousViolations(page)).map((problem) => `${address}: ${problem}`));
    }
    expect(pages.length).toBeGreaterThan(20);
    expect(found).toEqual([]);
  });
});
