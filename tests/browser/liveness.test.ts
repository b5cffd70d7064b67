import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cleanUp, temporaryDirectory } from '../support/program.ts';
import { seriousProblems } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage, phone } from './chromium.ts';
import { cameras, type Example, reached, recorder, startExample, told } from './example-page.ts';
import { fakeCamera } from './fake-camera.ts';

const MINUTES = 60_000;
// How fast a browser and a server on the same cores are is the machine's business.
vi.setConfig({ testTimeout: 4 * MINUTES, hookTimeout: 3 * MINUTES });

/** Where to put pictures of the pages, if anywhere. */
const album = process.env['SCREENSHOTS'];
async function photograph(page: Page, name: string): Promise<void> {
  if (!album) return;
  mkdirSync(album, { recursive: true });
  await page.screenshot({ path: join(album, `${name}.png`), fullPage: true });
}

describe.skipIf(!chromiumPath)('<wajah-liveness> in Chromium', () => {
  let example: Example;
  let live: Browser;
  beforeAll(async () => {
    example = await startExample();
    live = await launchChromium(await fakeCamera('head', temporaryDirectory()));
  });
  afterAll(async () => {
    await live?.close();
    await cleanUp();
  });

  /** The example page; `allowed`: whether the person lets it use the camera. */
  async function open(options: BrowserContextOptions = phone, { browser = live, allowed = true } = {}) {
    const { page, faults } = await openPage(browser, options);
    if (allowed) await page.context().grantPermissions(['camera']);
    await page.addInitScript(recorder);
    await page.goto(example.url);
    await reached(page, 'idle');
    return { page, faults };
  }

  it('passes who does what is asked, and the token enrols them', async () => {
    const { page, faults } = await open();
    await photograph(page, 'start-phone');
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start' }).click();
    await reached(page, 'running');
    await photograph(page, 'running-phone');
    expect(await seriousProblems(page)).toEqual([]);
    await reached(page, 'passed', 3 * MINUTES);
    const events = await told(page);
    const { liveness_token, results } = events.at(-1)!;
    expect(liveness_token?.split('.')).toHaveLength(3);
    const steps = events.filter(({ name }) => name === 'step').map(({ step }) => step);
    expect(results?.map(({ step, match }) => [step, match])).toEqual(steps.map((step) => [step, true]));
    expect(await cameras(page)).toEqual(['ended']);
    expect(await page.getByRole('heading', { name: 'Passed' }).isVisible()).toBe(true);
    await photograph(page, 'passed-phone');
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Enrol me' }).click();
    await page.getByText('Sri Rahayu is enrolled.').waitFor();
    const { faces } = await example.call('/face-api/facegallery/list-faces', {
      facegallery_id: 'demo@trial',
    });
    expect(faces).toEqual([{ user_id: '3174001', user_name: 'Sri Rahayu' }]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
