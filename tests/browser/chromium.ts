import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';
import { TestRunner } from 'vitest';
import { atEnd } from '../../packages/server/test/support/temporary.ts';
import { executableOf } from '../support/executable.ts';
import { slowDown } from './slow-pages.ts';

const places = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of an installed Chromium; tests that need one are skipped when it is undefined. */
export const chromiumPath = executableOf(places);

if (!chromiumPath) console.warn('no Chromium is installed: tests in a browser are skipped');

/** Milliseconds. Only what hangs is to fail: other programs may have most of the machine. */
const patience = 180_000;

/**
 * A browser that is closed at the end of the test, or of the file.
 * @param camera path of a video that replaces the camera, or a number of cameras with a test picture; without it there is no
 *   camera
 */
export async function launchChromium(camera?: string | number): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: chromiumPath!,
    timeout: patience,
    args: [
      // Chromium's sandbox does not run as root, which is the usual user in test containers.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...(typeof camera === 'number' ? [`--use-fake-device-for-media-stream=device-count=${camera}`] : []),
      ...(typeof camera === 'string'
        ? ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${camera}`]
        : []),
    ],
  });
  atEnd(() => browser.close());
  return browser;
}

export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};
export const desktop: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

/** A page, until the test ends, with its errors: those in its console, exceptions, and requests to other origins. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; errors: string[] }> {
  // Animations take CPU time from the server and make screenshots differ.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  atEnd(async () => {
    if (TestRunner.getCurrentTest()?.result?.state === 'fail') await report(page);
    await context.close();
  });
  context.setDefaultTimeout(patience);
  await slowDown(page);
  trackRequests(context);
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (request.isNavigationRequest() || !protocol.startsWith('http')) return;
    if (origin !== new URL(page.url()).origin) errors.push(`calls ${origin}`);
  });
  return { page, errors };
}

/** What a failed test was looking at: a selector that was not found says little. */
async function report(page: Page): Promise<void> {
  const seen = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String);
  console.error(`The page of the failed test, ${page.url()}:\n${seen}`);
}

/** Milliseconds after the head of an answer. */
const unreadMs = 2000;

/** Requests that have no answer yet. */
const running = new WeakMap<BrowserContext, Set<Request>>();

function trackRequests(context: BrowserContext): void {
  const requests = new Set<Request>();
  running.set(context, requests);
  context.on('request', (request) => requests.add(request));
  context.on('requestfinished', (request) => requests.delete(request));
  context.on('requestfailed', (request) => requests.delete(request));
  // Chromium reports no end of an answer whose body nobody reads, as that of signing out.
  context.on('response', (response) => {
    setTimeout(() => requests.delete(response.request()), unreadMs).unref();
  });
}

/** Requests of a page that run, after two of its frames: effects of a rendering start theirs after its frame. */
export async function requestsOf(page: Page): Promise<number> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );
  return running.get(page.context())?.size ?? 0;
}
