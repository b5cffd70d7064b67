import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { desktop, phone } from './chromium.ts';

/** The folder of screenshots at four sizes in light and dark; without it none are taken. */
const folder = process.env['SCREENSHOTS'];
const sizes = {
  phone: phone.viewport!,
  small: { width: 390, height: 664 },
  low: { width: 844, height: 390 },
  laptop: { width: 1366, height: 657 },
  desktop: desktop.viewport!,
};

export async function elementScreenshot(page: Page, name: string): Promise<void> {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const before = page.viewportSize()!;
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize(before);
}
