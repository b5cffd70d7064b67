import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/sources.ts';
import { chromiumPath, desktop, launchChromium } from './chromium.ts';
import { type ConsoleServer, signedIn, startConsole } from './console-server.ts';

/** The folder of `npm run screenshots`; without it nothing is rendered. */
const wanted = process.env['SCREENSHOTS'];
const mostBytes = 150_000;

/** Screenshots for the documents, with drawn people only. */
describe.skipIf(!wanted || !chromiumPath)('pictures for the documents', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(join(root, wanted!), { recursive: true });
    [server, browser] = await Promise.all([startConsole(), launchChromium()]);
  });

  const sharpened = (options: BrowserContextOptions) => ({ ...options, deviceScaleFactor: 1.5 });

  async function photograph(page: Page, name: string): Promise<void> {
    const path = join(root, wanted!, `${name}.webp`);
    await sharp(await page.screenshot())
      .webp({ quality: 82, effort: 6 })
      .toFile(path);
    expect(statSync(path).size).toBeLessThan(mostBytes);
  }

  it('recognise', async () => {
    await server.call('/face-api/facegallery/create-facegallery', { facegallery_id: 'office' });
    const names = { ani: 'Budi Santoso', budi: 'Sri Rahayu', darma: 'Darma Wijaya', eka: 'Eka Putra' };
    for (const [index, [name, user_name]] of Object.entries(names).entries()) {
      const image = server.base64(name);
      const person = { facegallery_id: 'office', user_id: `317400${index + 1}`, user_name, image };
      await server.call('/face-api/facegallery/enroll-face', person);
    }
    const { page } = await signedIn(browser, server, sharpened(desktop));
    await page.getByLabel('Gallery').selectOption('office');
    await page.getByLabel('Choose a picture: Recognise').setInputFiles(server.picture('group'));
    await page.locator('.candidates .person-face img').first().waitFor();
    await photograph(page, 'console-recognise');
  });

  it('measure', async () => {
    const { page } = await signedIn(browser, server, sharpened(desktop), '#/recognise/measure');
    await page.getByLabel('Choose a picture: Measure').setInputFiles(server.picture('group'));
    await page.getByRole('heading', { name: '3 faces detected' }).waitFor();
    await photograph(page, 'console-measure');
  });

  it('compare', async () => {
    const { page } = await signedIn(browser, server, sharpened(desktop), '#/recognise/compare');
    await page.getByLabel('Choose a picture: First picture').setInputFiles(server.picture('eka'));
    await page.getByLabel('Choose a picture: Second picture').setInputFiles(server.picture('eka-again'));
    await page.locator('.scale').waitFor();
    await photograph(page, 'console-compare');
  });

  it('a gallery', async () => {
    const { page } = await signedIn(browser, server, sharpened(desktop), '#/galleries/office');
    await page.locator('.person-face img').nth(3).waitFor();
    await photograph(page, 'console-gallery');
  });

  it('activity', async () => {
    const image = server.base64('nobody');
    for (const user_id of ['3174001', '3174002', '3174009']) {
      const call = { facegallery_id: 'office', user_id, image };
      await server.call('/face-api/facegallery/verify-face', call);
    }
    const { page } = await signedIn(browser, server, sharpened(desktop), '#/activity');
    // Activity is written every two seconds.
    const refusals = page.locator('.history li');
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Refresh' }).click();
          return refusals.count();
        },
        { interval: 500 },
      )
      .toBeGreaterThan(2);
    await photograph(page, 'console-activity');
  });
});
