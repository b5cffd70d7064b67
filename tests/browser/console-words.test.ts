import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/sources.ts';
import { chromiumPath, desktop, launchChromium } from './chromium.ts';
import { type ConsoleServer, enrolled, loaded, signedIn, startConsole } from './console-server.ts';

/** Words of those who program and run a server, which personnel and guards need not know. */
const developers = {
  'en-GB':
    /\b(templates?|clients?|tokens?|crops?|APIs?|endpoints?|scopes?|JSON|embeddings?|model packs?|quotas?|WAJAH_\w+)\b/gi,
  id: /\b(templat\w*|template|klien|token\w*|API|endpoint|cakupan|JSON|embedding|paket model|kuota|WAJAH_\w+)\b/gi,
};

/** What personnel open in the first hour, and what a guard looks at. */
const pages = [
  '#/galleries',
  '#/galleries/demo@trial',
  '#/galleries/one',
  '#/galleries/one/people/p-1',
  '#/galleries/one/settings',
  '#/galleries/one/expected',
  '#/galleries/live',
  '#/recognise',
  '#/recognise/measure',
  '#/recognise/door',
];

const shownBy = (page: Page) => page.locator('main').innerText();

describe.skipIf(!chromiumPath)('words of the console', () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await startConsole();
    await enrolled(server, 'one', { 'p-1': 'ani' });
    const of = { facegallery_id: 'one' };
    const people = [{ user_id: '1', user_name: 'Sri' }];
    await server.call('/face-api/facegallery/set-expected', { ...of, people });
    await server.call('/face-api/facegallery/link-expected', { ...of, user_ids: ['1'] });
    const live = { facegallery_id: 'live', require_liveness: true };
    await server.call('/face-api/facegallery/create-facegallery', live);
  });

  it.each(Object.entries(developers))('are of who reads them, in %s', async (locale, words) => {
    const { page } = await signedIn(await launchChromium(), server, { ...desktop, locale });
    for (const address of pages) {
      await page.evaluate(`location.hash = '${address}'`);
      await loaded(page);
      expect(locale).toContain(await page.evaluate('document.documentElement.lang'));
      const shown = await shownBy(page);
      expect(shown.length, address).toBeGreaterThan(100);
      expect([address, ...new Set(shown.match(words))]).toEqual([address]);
    }
  });

  it('ask of several strangers once each, behind a fold', async () => {
    const { page } = await signedIn(await launchChromium(), server, desktop, '#/recognise');
    await page.getByLabel('Gallery').selectOption('one');
    await page.getByLabel('Choose a picture: Recognise').setInputFiles(join(root, 'samples/team.jpg'));
    await page.getByRole('article', { name: 'Face 3' }).waitFor();
    const strangers = await page.getByText('Not identified').count();
    expect(strangers).toBeGreaterThan(1);
    expect(await page.getByRole('button', { name: 'Enrol' }).count()).toBe(0);
    await page.locator('summary').getByText('Who is face 1?').click();
    await page.getByRole('textbox', { name: 'Who is face 1?' }).waitFor();
    expect((await shownBy(page)).match(developers['en-GB'])).toBeNull();
  });
});
