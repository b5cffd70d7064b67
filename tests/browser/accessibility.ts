import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page, ViewportSize } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules that count whatever their impact. The second is off by default. */
const alsoSerious = ['region', 'target-size', 'empty-table-header'];
const options = JSON.stringify({ rules: { 'target-size': { enabled: true } } });

/** The axe violations of the page that are serious or critical, and those of `alsoSerious`: rule and element. */
export async function seriousViolations(page: Page): Promise<string[]> {
  // Evaluated through the debugger, which the page's Content-Security-Policy does not block.
  await page.evaluate(axe);
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResults;
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || alsoSerious.includes(id))
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** Waits until nothing of a page is wider than its window. */
export const fits = (page: Page) => expect.poll(() => beyond(page)).toBeLessThanOrEqual(0);

const beyond = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

/** What is wrong with the look of a page in a size: pixels beyond the window, serious violations. */
export async function problemsAt(page: Page, viewport: ViewportSize): Promise<string[]> {
  await page.setViewportSize(viewport);
  await showWhole(page, viewport);
  // A list that is as tall as the window allows has grown with it.
  await showWhole(page, viewport);
  const pixels = await beyond(page);
  const tooWide = pixels > 0 ? [`${pixels} px too wide at ${viewport.width}`] : [];
  return [...tooWide, ...(await seriousViolations(page))];
}

/** A window as tall as the page: a bar at the foot covers what a scroll would uncover, and axe does not scroll. */
export async function showWhole(page: Page, { width, height }: ViewportSize): Promise<void> {
  const all = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.max(all, height) });
}
