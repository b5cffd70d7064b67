import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { envelope } from '../../packages/server/src/http/plugins/envelope.ts';
import { requestState } from '../../packages/server/src/http/plugins/request-state.ts';
import { security } from '../../packages/server/src/http/plugins/security.ts';
import { staticPages } from '../../packages/server/src/http/plugins/static-pages.ts';
import { unroutedRequests } from '../../packages/server/src/http/plugins/unrouted.ts';
import { atEnd } from '../../packages/server/test/support/temporary.ts';
import { root } from '../support/sources.ts';
import { seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage, phone } from './chromium.ts';

describe.skipIf(!chromiumPath)('the documents as a site', () => {
  let app: FastifyInstance;
  let browser: Browser;
  let url = '';

  beforeAll(async () => {
    app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
    atEnd(() => app.close());
    await app.register(requestState);
    await app.register(envelope, {
      events: { refused: async () => {} },
      quotas: { take: async () => {}, takeIfLeft: async () => true, giveBack: async () => {} },
    });
    await app.register(security, { corsOrigins: [] });
    await app.register(unroutedRequests);
    await app.register(staticPages, {});
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
      .getByRole('link', { name: 'Statuses', exact: true })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Statuses' }).waitFor();
    await page.getByRole('link', { name: 'Bahasa Indonesia' }).click();
    await page.getByRole('heading', { level: 2, name: 'Dua perintah' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('fit a phone in the dark, and open from a disk with their search', async () => {
    const { page, errors } = await openPage(browser, { ...phone, colorScheme: 'dark' });
    await page.goto(`${url}/docs/guide/privacy.html`);
    await page.getByText('Pages', { exact: true }).click();
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await page.goto(pathToFileURL(join(root, 'packages/guide/site/accuracy.html')).href);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expect.poll(() => page.locator('.pages ul').first().isVisible()).toBe(false);
    await page.getByRole('searchbox').fill('liveness token');
    await page.locator('#results a', { hasText: 'The liveness token' }).first().click();
    await page.waitForURL(/liveness/);
    expect(errors).toEqual([]);
  });
});
