import type { Browser, BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { seriousViolations } from './accessibility.ts';
import { chromiumPath, launchChromium, openPage, phone } from './chromium.ts';
import { elementScreenshot } from './element-screenshots.ts';
import { cameras, type Example, eventsOf, reached, recorder, startExample } from './example-page.ts';
import { cameraScript, drawnFilm, type Scene } from './film-camera.ts';
import { hasFilm, selfieFrames, selfieScenes } from './selfie-film.ts';

const MINUTES = 60_000;
// Browser and server share the cores of the test machine.
vi.setConfig({ testTimeout: 10 * MINUTES });

const element = "document.querySelector('wajah-liveness')";

describe.skipIf(!chromiumPath)('<wajah-liveness> on the example page, in Chromium', () => {
  let example: Example;
  let browser: Browser;
  beforeAll(async () => {
    [example, browser] = await Promise.all([startExample(), launchChromium()]);
  });

  /** Opens the example page with a film before its camera. */
  async function open(film: Scene[], options: BrowserContextOptions = phone, { url } = example) {
    const { page, errors } = await openPage(browser, options);
    await page.addInitScript(recorder);
    await page.goto(url);
    if (film.length > 0) await page.evaluate(cameraScript(film));
    await reached(page, 'idle');
    return { page, errors };
  }

  it('passes a person who does the steps, and enrols them with the token', async () => {
    const { page, errors } = await open(await drawnFilm());
    const submitted = page.waitForRequest(/liveness\/submit$/, { timeout: 6 * MINUTES });
    await page.getByRole('button', { name: 'Start' }).click();
    // Frames were sent before, and only their digests now, but for frontal ones, of which one is kept.
    const sent: { step: string; image?: string; digest?: string }[] = (await submitted).postDataJSON().frames;
    // The first was taken before the session began.
    for (const [at, { step, ...frame }] of sent.entries()) {
      const sentAs = step === 'face front' ? 'image' : 'digest';
      expect(Object.keys(frame).toSorted()).toEqual(at === 0 ? [sentAs] : [sentAs, 'captured_at'].toSorted());
    }
    await reached(page, 'passed', 6 * MINUTES);
    const events = await eventsOf(page);
    const { liveness_token, results } = events.at(-1)!;
    // The backend keeps it.
    expect(liveness_token).toBeUndefined();
    const steps = events.filter(({ name }) => name === 'step').map(({ step }) => step);
    expect(steps).toHaveLength(4);
    expect(results?.map(({ step, match }) => [step, match])).toEqual(steps.map((step) => [step, true]));
    await expect.poll(() => cameras(page)).toEqual(['ended']);
    await expect.poll(() => page.getByRole('heading', { name: 'Passed' }).isVisible()).toBe(true);
    await elementScreenshot(page, 'passed');
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Enrol me' }).click();
    await page.getByText('Sri Rahayu is enrolled.').waitFor();
    const { faces } = await example.call('/face-api/facegallery/list-faces', {
      facegallery_id: 'demo@trial',
    });
    expect(faces).toEqual([{ user_id: expect.stringMatching(/^[\da-f-]{36}$/), user_name: 'Sri Rahayu' }]);
    expect(errors).toEqual([]);
  });

  it('reports why a person who does nothing is refused, and allows another attempt', async () => {
    const { page, errors } = await open(await drawnFilm(['face front']));
    await page.clock.install();
    // Without detection every step is captured by a countdown.
    await page.evaluate(`${element}.removeAttribute('detect-url')`);
    await page.getByRole('button', { name: 'Start' }).click();
    const state = page.locator('wajah-liveness');
    await expect
      .poll(async () => {
        await page.clock.runFor(500);
        return state.getAttribute('data-state');
      })
      .toMatch(/sending|failed/);
    await reached(page, 'failed', 6 * MINUTES);
    const event = (await eventsOf(page)).at(-1)!;
    // The whole answer of the server, as of a session that passed.
    expect(event).toMatchObject({ liveness: 'failed', session_id: expect.any(String) });
    const { reasons = [], results = [], liveness_token } = event;
    expect(liveness_token).toBeUndefined();
    expect(reasons.some((reason) => reason.startsWith('step: '))).toBe(true);
    await expect.poll(() => page.getByRole('heading', { name: 'Not passed' }).isVisible()).toBe(true);
    await expect.poll(() => page.locator('.reasons').textContent()).toMatch(/Not detected: \w/);
    await expect.poll(() => page.locator('.steps li').count()).toBe(results.length);
    await expect.poll(() => page.getByRole('button', { name: 'Enrol me' }).isVisible()).toBe(false);
    await expect.poll(() => cameras(page)).toEqual(['ended']);
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await reached(page, 'running');
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await reached(page, 'idle');
    await expect.poll(() => cameras(page)).toEqual(['ended', 'ended']);
    expect(errors).toEqual([]);
  });

  it.skipIf(!hasFilm)('passes a real person, at the default threshold of attacks', async () => {
    const strict = await startExample({ WAJAH_SPOOF_THRESHOLD: '', WAJAH_SESSION_EXPRESSION: 'false' });
    const frames = await selfieFrames();
    const { page, errors } = await open([], phone, strict);
    // The film shows turns only. A visitor whose session is open is answered the same one; without the cookie, another.
    const post = (call: string, body: object) =>
      page.evaluate<{ session_id: string; steps: string[] }>(
        `fetch('/liveness/${call}', { method: 'POST', body: '${JSON.stringify(body)}' }).then((it) => it.json())`,
      );
    let scenes: Scene[] | undefined;
    for (let tries = 0; !scenes && tries < 30; tries++) {
      await page.context().clearCookies();
      const { session_id } = await post('create', {});
      const { steps } = await post('begin', { session_id });
      scenes = selfieScenes(frames, steps);
    }
    await page.evaluate(cameraScript(scenes!));
    await page.getByRole('button', { name: 'Start' }).click();
    await reached(page, 'passed', 6 * MINUTES);
    expect(errors).toEqual([]);
  });
});
