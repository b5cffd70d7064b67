import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page, ViewportSize } from 'playwright-core';

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

/** A window as tall as the page: a bar at the foot covers what a scroll would uncover, and axe does not scroll. */
export async function showWhole(page: Page, { width, height }: ViewportSize): Promise<void> {
  const all = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.max(all, height) });
}
