import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, desktop, launchChromium, openPage } from './chromium.ts';
import { type ConsoleServer, loaded, startConsole } from './console-server.ts';

/** Bytes that the page and what it loaded took on the wire, headers included; zero-sized ones came from a cache. */
const transferred = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map(({ name, transferSize }) => [new URL(name).pathname, transferSize])`;

/** Name, address, what shows that it is drawn, and the most kB. Over plain HTTP Chromium asks for gzip, not Brotli. */
const pages = [
  ['sign in', '/console', 'button[type=submit]', 70],
  ['API reference', '/docs', '.operation', 82],
  ['documents', '/docs/guide/', 'article h1', 20],
] as const;

describe.skipIf(!chromiumPath)('a first visit transfers at most', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startConsole(), launchChromium()]);
  });

  it.each(pages)('%s, %s (%s): %i kB', async (name, path, shown, most) => {
    const { page, errors } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await page.goto(server.url + path);
    await page.locator(shown).first().waitFor();
    await loaded(page);
    const files = await page.evaluate<[string, number][]>(transferred);
    const kB = files.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000;
    console.info(`${name}: ${kB.toFixed(1)} kB in ${files.length} files`);
    expect(files.filter(([, bytes]) => bytes === 0)).toEqual([]);
    expect(kB).toBeLessThanOrEqual(most);
    expect(errors).toEqual([]);
  });
});
