import { accessSync, constants } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const places = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where a Chromium is installed; undefined: nowhere, so tests that need one are skipped. */
export const chromiumPath: string | undefined = places.find((path) => {
  if (!path) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

if (!chromiumPath) console.warn('no Chromium is installed: tests in a browser are skipped');

/** @param camera a video that stands in for the camera; without one there is none */
export function launchChromium(camera?: string): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath!,
    args: [
      // Chromium's sandbox does not run as root, as which containers of tests often do.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...(camera
        ? ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${camera}`]
        : []),
    ],
  });
}

/** Sizes that pages are looked at in. */
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};
export const desktop: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

/** A page, and what went wrong on it: errors in its console, exceptions, calls to anywhere but where it came from. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; faults: string[] }> {
  // Animations take a processor that the server needs, and show another picture each time.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(180_000);
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (request.isNavigationRequest() || !protocol.startsWith('http')) return;
    if (origin !== new URL(page.url()).origin) faults.push(`calls ${origin}`);
  });
  return { page, faults };
}
