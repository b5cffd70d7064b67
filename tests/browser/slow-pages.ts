import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Route } from 'playwright-core';

/** A number: pages are slow, with other delays for each number. It provokes tests that do not wait; see docs/dev/debugging.md. */
const seed = process.env['TEST_SLOW_PAGES'];
const longestDelayMs = 1500;
const cpuSlowdown = 6;

let state = Number(seed);
/** From 0 to 1 (mulberry32). */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** Delays each answer to a page, those of its routes too, and slows its scripts down. */
export async function slowDown(page: Page): Promise<void> {
  if (!seed) return;
  const delay = () => sleep(random() * longestDelayMs);
  const given = page.route.bind(page);
  page.route = (url, handler, options) =>
    given(
      url,
      async (route, request) => {
        await delay();
        return handler(route, request);
      },
      options,
    );
  await page.context().route('**', async (route: Route) => {
    await delay();
    // The page may be closed by now.
    await route.fallback().catch(() => {});
  });
  const debug = await page.context().newCDPSession(page);
  await debug.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
}
