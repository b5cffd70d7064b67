import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp } from '../support/program.ts';
import { root } from '../support/sources.ts';
import { chromiumPath, desktop, launchChromium, openPage, phone } from './chromium.ts';
import { type ConsoleStand, signedIn, startConsole } from './console-stand.ts';

/** `npm run screenshots` names the folder; a run of all tests makes none. */
const wanted = process.env['SCREENSHOTS'];
const mostBytes = 150_000;

/** Pictures of the pages for the documents; every person in them is drawn. */
describe.skipIf(!wanted || !chromiumPath)('pictures for the documents', () => {
  let stand: ConsoleStand;
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(join(root, wanted!), { recursive: true });
    [stand, browser] = await Promise.all([startConsole({ WAJAH_SPOOF_THRESHOLD: '0.83' }), launchChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await cleanUp();
  });

  const sharpened = (options: BrowserContextOptions) => ({ ...options, deviceScaleFactor: 1.5 });

  async function photograph(page: Page, name: string): Promise<void> {
    const path = join(root, wanted!, `${name}.webp`);
    await sharp(await page.screenshot())
      .webp({ quality: 82, effort: 6 })
      .toFile(path);
    expect(statSync(path).size).toBeLessThan(mostBytes);
    await page.context().close();
  }

  it('try it', async () => {
    const { page } = await signedIn(browser, stand, sharpened(desktop));
    await page.getByLabel('Choose pictures: Detect faces').setInputFiles(stand.picture('group'));
    await page.getByRole('heading', { name: '3 faces detected' }).waitFor();
    await page.getByRole('button', { name: 'Spoof score' }).focus();
    await photograph(page, 'console-try');
  });

  it('try it on a phone, in the dark', async () => {
    const options = { ...sharpened(phone), colorScheme: 'dark' } as const;
    const { page } = await signedIn(browser, stand, options);
    await page.getByLabel('Choose pictures: Detect faces').setInputFiles(stand.picture('darma'));
    await page.getByRole('heading', { name: '1 face detected' }).waitFor();
    await page.locator('.canvas').scrollIntoViewIfNeeded();
    await photograph(page, 'console-phone');
  });

  it('compare', async () => {
    const { page } = await signedIn(browser, stand, sharpened(desktop));
    await page.getByRole('button', { name: 'Compare two faces' }).click();
    await page.getByLabel('Choose a picture: First picture').setInputFiles(stand.picture('eka'));
    await page.getByLabel('Choose a picture: Second picture').setInputFiles(stand.picture('eka-again'));
    await page.locator('.scale').waitFor();
    await photograph(page, 'console-compare');
  });

  it('a gallery', async () => {
    const { page } = await signedIn(browser, stand, sharpened(desktop), '#/galleries/demo%40trial');
    const pictures = ['ani', 'budi', 'nobody'].map(stand.picture);
    await page.getByLabel('Choose pictures: Enrol people').setInputFiles(pictures);
    await page.getByRole('button', { name: 'Enrol 3 people' }).click();
    await page.getByText('2 enrolled, 1 refused.').waitFor();
    await page.getByRole('row').filter({ hasText: 'budi' }).waitFor();
    await photograph(page, 'console-gallery');
  });

  it('the API reference', async () => {
    const { page } = await openPage(browser, { ...sharpened(desktop), locale: 'en-GB' });
    await page.goto(`${stand.url}/docs#compareImages`);
    await page.locator('.operation[open] form').waitFor();
    await photograph(page, 'reference');
  });
});
