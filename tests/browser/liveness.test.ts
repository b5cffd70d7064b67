import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { long } from '../../packages/server/test/support/long.ts';
import { cleanUp, temporaryDirectory } from '../support/program.ts';
import { seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage, phone } from './chromium.ts';
import { cameras, type Example, eventsOf, reached, recorder, startExample } from './example-page.ts';
import { fakeCamera } from './fake-camera.ts';

const MINUTES = 60_000;
// Browser and server share the cores of the test machine.
vi.setConfig({ testTimeout: 7 * MINUTES, hookTimeout: 3 * MINUTES });

/** The folder of screenshots at two sizes in light and dark; without it none are taken. */
const screenshots = process.env['SCREENSHOTS'];
async function screenshot(page: Page, name: string): Promise<void> {
  if (!screenshots) return;
  mkdirSync(screenshots, { recursive: true });
  for (const [size, { viewport }] of Object.entries({ desktop, phone })) {
    await page.setViewportSize(viewport!);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(screenshots, `${name}-${size}-${colorScheme}.png`) });
    }
  }
}

const element = "document.querySelector('wajah-liveness')";

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

  /** Opens the example page. @param allowed whether the camera is permitted */
  async function open(
    options: BrowserContextOptions = phone,
    { browser = live, allowed = true, url = example.url } = {},
  ) {
    const { page, errors } = await openPage(browser, options);
    if (allowed) await page.context().grantPermissions(['camera']);
    await page.addInitScript(recorder);
    await page.goto(url);
    await reached(page, 'idle');
    return { page, errors };
  }

  it('passes a person who does the steps, and enrols them with the token', async () => {
    const { page, errors } = await open();
    await screenshot(page, 'start');
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start' }).click();
    await reached(page, 'running');
    await screenshot(page, 'running');
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByText('Good', { exact: true }).waitFor();
    await screenshot(page, 'seen');
    await page.getByText('Step 2 of 4', { exact: true }).waitFor();
    await screenshot(page, 'turning');
    await reached(page, 'passed', 6 * MINUTES);
    const events = await eventsOf(page);
    const { liveness_token, results } = events.at(-1)!;
    expect(liveness_token?.split('.')).toHaveLength(3);
    const steps = events.filter(({ name }) => name === 'step').map(({ step }) => step);
    expect(results?.map(({ step, match }) => [step, match])).toEqual(steps.map((step) => [step, true]));
    expect(await cameras(page)).toEqual(['ended']);
    expect(await page.getByRole('heading', { name: 'Passed' }).isVisible()).toBe(true);
    await screenshot(page, 'passed');
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Enrol me' }).click();
    await page.getByText('Sri Rahayu is enrolled.').waitFor();
    const { faces } = await example.call('/face-api/facegallery/list-faces', {
      facegallery_id: 'demo@trial',
    });
    expect(faces).toEqual([{ user_id: '3174001', user_name: 'Sri Rahayu' }]);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('reports why a printed face is refused, and allows another attempt', async () => {
    const browser = await launchChromium(await fakeCamera('flat', temporaryDirectory()));
    const { page, errors } = await open(phone, { browser });
    // Without detection every step is captured by a countdown.
    await page.evaluate(`${element}.removeAttribute('detect-url')`);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('3', { exact: true }).waitFor();
    await screenshot(page, 'countdown');
    await reached(page, 'failed', 2 * MINUTES);
    const event = (await eventsOf(page)).at(-1)!;
    // The whole answer of the server, as of a session that passed.
    expect(event).toMatchObject({ liveness: 'failed', session_id: expect.any(String) });
    const { reasons = [], results = [], liveness_token } = event;
    expect(liveness_token).toBeUndefined();
    expect(reasons.some((reason) => /^(flat|step): /.test(reason))).toBe(true);
    expect(await page.getByRole('heading', { name: 'Not passed' }).isVisible()).toBe(true);
    const words = await page.locator('.reasons li').allTextContents();
    expect(words.join(' ')).toMatch(/looked flat|A step was not detected/);
    expect(await page.locator('.steps li').count()).toBe(results.length);
    expect(await page.getByRole('button', { name: 'Enrol me' }).isVisible()).toBe(false);
    expect(await cameras(page)).toEqual(['ended']);
    await screenshot(page, 'failed');
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await reached(page, 'running');
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await reached(page, 'idle');
    expect(await cameras(page)).toEqual(['ended', 'ended']);
    expect(errors).toEqual([]);
    await browser.close();
  });

  it('tells a person who prefers reduced motion before the first step that lights are required', async () => {
    const { page, errors } = await open();
    const session = { session_id: 's', steps: ['face front'], light_required: true };
    await page.evaluate(`${element}.transport = { createSession: async () => (${JSON.stringify(session)}) }`);
    await page.getByRole('button', { name: 'Start' }).click();
    await reached(page, 'error');
    await page.getByText(/^This check fills the screen .*another way/).waitFor();
    expect((await eventsOf(page)).map(({ name, error }) => error?.code ?? name)).toEqual([
      'ready',
      'reduced-motion',
    ]);
    expect(await cameras(page)).toEqual(['ended']);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it.skipIf(!long)('shows the lights of a session in order, and sends a frame of each', async () => {
    const lit = await startExample({ WAJAH_LIGHT_CHALLENGE: 'optional', WAJAH_RECORD_SESSIONS: 'true' });
    const { page, errors } = await open({ ...phone, reducedMotion: 'no-preference' }, { url: lit.url });
    await page.evaluate(`for (const name of ['light', 'consent']) ${element}.setAttribute(name, '')`);
    await page.evaluate(`{
      globalThis.colours = [];
      const cover = ${element}.shadowRoot;
      new MutationObserver(() => {
        const shown = cover.querySelector('[part="light"]:not([hidden])')?.style.backgroundColor;
        if (shown && shown !== colours.at(-1)) colours.push(shown);
      }).observe(cover, { subtree: true, childList: true, attributes: true });
    }`);
    const opened = page.waitForResponse(/liveness\/create$/);
    const submitted = page.waitForRequest(/liveness\/submit$/, { timeout: 6 * MINUTES });
    await page.getByRole('button', { name: 'Start' }).click();
    const { light } = await (await opened).json();
    const sent = (await submitted).postDataJSON();
    expect(light).toHaveLength(6);
    const rgb = ({ colour }: { colour: string }) => {
      const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
      return `rgb(${parts.join(', ')})`;
    };
    expect(await page.evaluate('colours')).toEqual(light.map(rgb));
    expect(sent.light_frames.map((frame: { light: number }) => frame.light)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(sent).toMatchObject({ consent: true, device: expect.stringMatching(/./) });
    // The camera of the test shows a film, which cannot answer; whether that is seen depends on the frames.
    await page.locator('[data-state="passed"], [data-state="failed"]').waitFor({ timeout: 3 * MINUTES });
    expect((await eventsOf(page)).at(-1)).toMatchObject({
      light: expect.stringMatching(/^(not_answered|cannot_tell)$/),
    });
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('explains the remedy if there is no camera or it is not allowed', async () => {
    const refused = await open(desktop, { allowed: false });
    await refused.page.getByRole('button', { name: 'Start' }).click();
    await reached(refused.page, 'error');
    expect((await eventsOf(refused.page)).at(-1)).toMatchObject({
      name: 'failed',
      error: { code: 'camera-denied' },
    });
    await refused.page.getByText(/^The camera is not allowed/).waitFor();
    await screenshot(refused.page, 'denied');
    expect(await seriousViolations(refused.page)).toEqual([]);
    await refused.page.context().close();

    const bare = await launchChromium();
    const { page } = await open(phone, { browser: bare });
    await page.evaluate("document.documentElement.lang = 'id'");
    await page.evaluate(`${element}.lang = 'id'`);
    await page.getByRole('button', { name: 'Mulai' }).click();
    await reached(page, 'error');
    await page.getByText(/^Kamera tidak ditemukan/).waitFor();
    expect((await eventsOf(page)).at(-1)?.error?.code).toBe('camera-none');
    await bare.close();
  });

  it('switches the camera off however the session ends, and says why it ended', async () => {
    const { page } = await open(desktop);
    const start = () => page.evaluate(`void ${element}.start()`);
    const ended = async (code: string) => {
      await reached(page, code === 'cancelled' ? 'idle' : 'error');
      expect((await eventsOf(page)).at(-1)).toMatchObject({ name: 'failed', reasons: [], error: { code } });
      expect(new Set(await cameras(page))).toEqual(new Set(['ended']));
    };
    await start();
    await reached(page, 'running');
    await page.evaluate(
      "for (const track of cameras) { track.stop(); track.dispatchEvent(new Event('ended')); }",
    );
    await ended('camera-lost');

    await start();
    await reached(page, 'running');
    await page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })");
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await ended('hidden');
    await page.evaluate('delete document.hidden');

    const own = (session: string) => `${element}.transport = { createSession: async () => (${session}) }`;
    // Neither an answer nor an error of the page's own transport is waited for after an abort.
    await page.evaluate(`${element}.transport = { createSession: () => new Promise(() => {}) }`);
    await start();
    await expect.poll(async () => (await eventsOf(page)).at(-1)?.name).toBe('ready');
    await page.evaluate(`${element}.stop()`);
    await ended('cancelled');
    await page.evaluate(own("{ session_id: 's', steps: ['face left'], expires_in: 3 }"));
    await start();
    await ended('expired');
    await page.evaluate(own("{ status: '403', detail: 'the quota is used up' }"));
    await start();
    await ended('refused');
    await page.getByText('Answer of the server: the quota is used up (403)', { exact: true }).waitFor();
    await page.evaluate(`${element}.transport = undefined`);

    await page.route('**/liveness/create', (route) => route.abort());
    await start();
    await ended('network');
    await page.unroute('**/liveness/create');

    await start();
    await reached(page, 'running');
    await page.evaluate(`window.removed = ${element}; removed.remove()`);
    expect(new Set(await cameras(page))).toEqual(new Set(['ended']));
    await page.evaluate('document.body.append(removed)');
    await reached(page, 'idle');
  });

  it('captures by a countdown when the server limits the rate', async () => {
    const { page } = await open();
    let asked = 0;
    await page.route('**/liveness/detect', (route) => {
      asked += 1;
      const body = JSON.stringify({ status: '429', status_message: 'Too many requests', detail: 'a limit' });
      return route.fulfill({ status: 429, headers: { 'Retry-After': '60' }, body });
    });
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('3', { exact: true }).waitFor();
    expect(asked).toBe(1);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await reached(page, 'idle');
    await page.context().close();
  });

  it('takes its language and its colours from the page', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Indonesia' }).click();
    expect(await page.getByRole('button', { name: 'Mulai' }).isVisible()).toBe(true);
    const colour = () =>
      page.evaluate(`getComputedStyle(${element}.shadowRoot.querySelector('.card')).backgroundColor`);
    const light = await colour();
    await page.evaluate(`${element}.setAttribute('theme', 'dark')`);
    const dark = await colour();
    expect(dark).not.toBe(light);
    expect(await seriousViolations(page)).toEqual([]);
    await page.evaluate(`${element}.style.setProperty('--wajah-surface', 'rgb(1, 2, 3)')`);
    expect(await colour()).toBe('rgb(1, 2, 3)');
    await page.context().close();
  });
});
