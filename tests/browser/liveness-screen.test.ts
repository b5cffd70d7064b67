import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { root } from '../support/sources.ts';
import { seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage, phone } from './chromium.ts';
import { elementScreenshot } from './element-screenshots.ts';
import { cameras, eventsOf, reached, recorder } from './example-page.ts';
import { cameraScript } from './film-camera.ts';

const element = "document.querySelector('wajah-liveness')";
const sizes = [
  { width: 390, height: 664 },
  { width: 844, height: 390 },
  { width: 1366, height: 657 },
  { width: 1440, height: 900 },
] as const;

const last = async (page: Page) => (await eventsOf(page)).at(-1);

const camerasEnded = (page: Page) =>
  expect.poll(async () => new Set(await cameras(page))).toEqual(new Set(['ended']));

/** Detections of a picture of 640 × 480. */
const faces = {
  none: [],
  front: [{ box: { x: 240, y: 130, width: 160, height: 190 }, yaw: 0, pitch: 0 }],
  near: [{ box: { x: 180, y: 70, width: 280, height: 340 }, yaw: 0, pitch: 0 }],
};

/** The element with answers of a server that the test gives, and with a clock that the test moves. */
describe.skipIf(!chromiumPath)('the screen of <wajah-liveness>', () => {
  let browser: Browser;
  /** Two that differ, as the server is not asked again about a view that stays empty. */
  let pictures: string[];
  beforeAll(async () => {
    browser = await launchChromium();
    const drawn = [await drawnFace({ person: 'ani' }), await drawnFace({ person: 'budi' })];
    pictures = drawn.map((picture) => picture.toString('base64'));
  });

  /** The example page without a backend. */
  async function open(options: BrowserContextOptions = phone) {
    const { page, errors } = await openPage(browser, options);
    await page.clock.install();
    await page.addInitScript(recorder);
    await page.route('**', (route) => {
      const { pathname } = new URL(route.request().url());
      const [, folder, name] = /^\/(capture\/)?(.*)$/.exec(pathname)!;
      const path = join(root, 'packages/capture', folder ? 'dist' : 'example', name || 'index.html');
      return pathname.startsWith('/liveness/') ? route.abort() : route.fulfill({ path });
    });
    await page.goto('http://127.0.0.1:8080/');
    await page.evaluate(cameraScript([{ step: 'face front', pictures }]));
    await reached(page, 'idle');
    await page.evaluate(`{
      globalThis.said = [];
      new MutationObserver(() => {
        for (const { textContent } of ${element}.shadowRoot.querySelectorAll('[role=status]')) said.push(textContent);
      }).observe(${element}.shadowRoot, { subtree: true, childList: true, characterData: true });
    }`);
    return { page, errors };
  }

  /** Opens a session of these steps; the server detects `globalThis.found`, and judges with `globalThis.judge`. */
  const connect = (page: Page, steps: readonly string[], more: object = {}) =>
    page.evaluate(`{
      globalThis.found = [];
      ${element}.transport = {
        createSession: async () => (${JSON.stringify({ session_id: 's', steps, expires_in: 900, ...more })}),
        submitSession: () => new Promise((resolve) => { globalThis.judge = resolve; }),
        detect: async () => ({ faces: found, image: { width: 640, height: 480 } }),
      };
    }`);
  const find = (page: Page, seen: object) => page.evaluate(`{ globalThis.found = ${JSON.stringify(seen)}; }`);

  /** Waits until screen readers were told. */
  const told = (page: Page, text: string) => expect.poll(() => page.evaluate('said')).toContain(text);

  /** Lets the time of the page pass in small steps until something is shown. */
  const until = (page: Page, selector: string) =>
    expect
      .poll(async () => {
        await page.clock.runFor(250);
        return page.locator(selector).count();
      })
      .toBeGreaterThan(0);

  /** The parts that do not lie within the viewport as a whole, at any size. */
  async function hiddenParts(page: Page, selectors: readonly string[]): Promise<string[]> {
    const hidden: string[] = [];
    for (const { width, height } of sizes) {
      await page.setViewportSize({ width, height });
      const outside = await page.evaluate<string[]>(`${JSON.stringify(selectors)}.filter((selector) => {
        const box = ${element}.shadowRoot.querySelector(selector).getBoundingClientRect();
        const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
        return !inside || box.width === 0 || innerWidth !== ${width};
      })`);
      const covered = await page.evaluate<boolean>(`(() => {
        const box = (selector) => ${element}.shadowRoot.querySelector(selector).getBoundingClientRect();
        return box('.hint').bottom > box('.rim').top;
      })()`);
      if (covered) hidden.push(`.rim is covered at ${width} × ${height}`);
      hidden.push(...outside.map((selector) => `${selector} at ${width} × ${height}`));
    }
    return hidden;
  }

  it('shows everything at every size, and helps more the longer a step takes', async () => {
    const { page, errors } = await open({ viewport: sizes[0] });
    await connect(page, ['face front', 'face left', 'face front']);
    await elementScreenshot(page, 'start');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('No face found: bring your face into the oval').waitFor();
    const parts = ['.instruction', '.time', '.rim', '.hint', '.cancel'];
    await expect.poll(() => hiddenParts(page, parts)).toEqual([]);
    await elementScreenshot(page, 'no-face');
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await find(page, faces.front);
    await page.getByText('Turn your head to your left', { exact: true }).waitFor();
    await told(page, 'Step 2 of 3: Turn your head to your left');
    await page.clock.fastForward(5000);
    await page.getByText('You are still looking straight ahead').first().waitFor();
    await page.clock.fastForward(1500);
    await told(page, 'You are still looking straight ahead');
    await elementScreenshot(page, 'what-is-seen');
    await page.clock.fastForward(7000);
    await page.getByText('Like this:').waitFor();
    await expect.poll(() => hiddenParts(page, [...parts, '.movement'])).toEqual([]);
    await elementScreenshot(page, 'movement');
    await expect.poll(() => seriousViolations(page)).toEqual([]);

    await page.clock.fastForward(900_000);
    await reached(page, 'error');
    await page.getByText('The time ran out at step 2 of 3: Turn your head to your left.').first().waitFor();
    await expect.poll(() => last(page)).toMatchObject({ error: { code: 'expired', step: 'face left' } });
    await expect.poll(() => page.evaluate(`${element}.shadowRoot.activeElement.localName`)).toBe('h2');
    await elementScreenshot(page, 'expired');
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await reached(page, 'running');
    await page.keyboard.press('Escape');
    await reached(page, 'idle');
    await camerasEnded(page);
    expect(errors).toEqual([]);
  });

  it('says that judging takes long, and shows developers what the server measured', async () => {
    const { page, errors } = await open();
    await connect(page, ['face front', 'eyes closed']);
    await page.evaluate(
      `${element}.transport.detect = undefined; ${element}.setAttribute('diagnostics', '')`,
    );
    await page.getByRole('button', { name: 'Start' }).click();
    // Each step has a countdown.
    await until(page, '.number:not([hidden])');
    await elementScreenshot(page, 'countdown');
    await until(page, '[data-state="sending"]');
    await expect.poll(() => page.getByRole('progressbar').isVisible()).toBe(true);
    await page.clock.fastForward(6000);
    await page.getByText('This takes a little longer than usual.').first().waitFor();
    await elementScreenshot(page, 'sending');
    const verdict = {
      liveness: 'failed',
      reasons: ['step: steps[1]: do "eyes closed" clearly'],
      diagnostics: [{ name: 'step', detail: 'no frame shows "eyes closed"' }],
      results: [
        { step: 'face front', match: true, yaw: 1.2 },
        { step: 'eyes closed', match: false, left_eye: 'open', left_eye_score: 0.98 },
      ],
    };
    await page.evaluate(`judge(${JSON.stringify(verdict)})`);
    await reached(page, 'failed');
    const reason = 'Not detected: Eyes closed. Do each step clearly and hold it for a moment.';
    await expect.poll(() => page.locator('.reasons li').allTextContents()).toEqual([reason]);
    await expect
      .poll(() => page.locator('.diagnostics li').allTextContents())
      .toEqual([
        ...verdict.reasons,
        'step: no frame shows "eyes closed"',
        'face front: match true, yaw 1.2',
        'eyes closed: match false, left_eye open, left_eye_score 0.98',
      ]);
    await elementScreenshot(page, 'failed');
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('explains the remedy if there is no camera or it is not allowed, in the language of the page', async () => {
    const { page } = await open();
    const refuse = (name: string) =>
      page.evaluate(
        `navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', '${name}'); }`,
      );
    await connect(page, ['face front']);
    await refuse('NotAllowedError');
    await page.getByRole('button', { name: 'Start' }).click();
    await reached(page, 'error');
    await page
      .getByText(/^The camera is not allowed/)
      .first()
      .waitFor();
    await elementScreenshot(page, 'denied');
    await expect.poll(() => last(page)).toMatchObject({ error: { code: 'camera-denied' } });
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await refuse('NotFoundError');
    await page.getByRole('button', { name: 'Indonesia' }).click();
    await page.evaluate(`void ${element}.start()`);
    await reached(page, 'error');
    await page
      .getByText(/^Kamera tidak ditemukan/)
      .first()
      .waitFor();
    await expect.poll(() => last(page)).toMatchObject({ error: { code: 'camera-none' } });
  });

  it('says who can allow the camera: of a frame the page that embeds it, without https whoever sent the link', async () => {
    const { page } = await open(desktop);
    // Another origin, as that of a shop that embeds the check.
    const embed = async (allow: string) => {
      await page.evaluate(`{
        const frame = Object.assign(document.createElement('iframe'), { src: 'http://localhost:8080/', allow: '${allow}' });
        document.body.replaceChildren(frame);
      }`);
      const frame = page.frameLocator('iframe');
      await frame.getByRole('button', { name: 'Start' }).click();
      return frame;
    };
    await (await embed(''))
      .getByText('The page that embeds this check must allow it the camera')
      .first()
      .waitFor();
    // With its permission there is none on this machine.
    await (await embed('camera')).getByText('No camera was found').first().waitFor();
    await page.goto('http://shop.example/');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('This page was opened without https').first().waitFor();
    await expect.poll(() => last(page)).toMatchObject({ error: { code: 'insecure' } });
    // Without https there is no clipboard.
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await page.getByText('The link is copied').waitFor();
    await page.getByRole('button', { name: 'Indonesia' }).click();
    await page.evaluate(`void ${element}.start()`);
    await page.getByText('Mintalah tautan yang diawali https').first().waitFor();
  });

  it('speaks each of five steps, and lets it stand for 0.8 seconds before a frame of it is taken', async () => {
    const { page } = await open();
    const poses = { 'face front': [0, 0], 'face left': [25, 0], 'face right': [-25, 0], 'face up': [0, 25] };
    await connect(page, [...Object.keys(poses), 'face front']);
    // The person has done each step before it is shown, and the server answers at once.
    await page.evaluate(`{
      const poses = ${JSON.stringify(poses)};
      globalThis.shown = [];
      addEventListener('step', ({ detail: { step } }) => {
        const [yaw, pitch] = poses[step];
        globalThis.found = [{ ...${JSON.stringify(faces.front[0])}, yaw, pitch }];
        shown.push(Date.now());
      });
    }`);
    await page.getByRole('button', { name: 'Start' }).click();
    await until(page, '[data-state="sending"]');
    const times = await page.evaluate<number[]>('shown');
    expect(times).toHaveLength(5);
    for (const [at, time] of times.slice(1).entries()) expect(time - times[at]!).toBeGreaterThanOrEqual(800);
    const said = (await page.evaluate<string[]>('said')).filter((text) => text.startsWith('Step '));
    expect([...new Set(said)].map((text) => text.slice(0, 11))).toEqual(
      [1, 2, 3, 4, 5].map((step) => `Step ${step} of 5`),
    );
  });

  it('switches the camera off however the session ends, and says why it ended', async () => {
    const { page } = await open(desktop);
    const start = () => page.evaluate(`void ${element}.start()`);
    const ended = async (code: string) => {
      await reached(page, code === 'cancelled' ? 'idle' : 'error');
      await expect.poll(() => last(page)).toMatchObject({ name: 'failed', reasons: [], error: { code } });
      await camerasEnded(page);
    };
    await connect(page, ['face front']);
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

    // Neither an answer nor an error of the page's own transport is waited for after an abort.
    await page.evaluate(`${element}.transport = { createSession: () => new Promise(() => {}) }`);
    await start();
    await expect.poll(() => last(page)).toMatchObject({ name: 'ready' });
    await page.evaluate(`${element}.stop()`);
    await ended('cancelled');
    const refusal = "{ status: '403', detail: 'the quota is used up' }";
    await page.evaluate(`${element}.transport = { createSession: async () => (${refusal}) }`);
    await start();
    await ended('refused');
    await page.getByText('Answer of the server: the quota is used up (403)', { exact: true }).waitFor();

    await page.evaluate(`${element}.transport = undefined`);
    await start();
    await ended('network');

    await connect(page, ['face front']);
    await start();
    await reached(page, 'running');
    await page.evaluate(`window.removed = ${element}; removed.remove()`);
    await camerasEnded(page);
    await page.evaluate('document.body.append(removed)');
    await reached(page, 'idle');
  });

  it('takes its language and its colours from the page', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Indonesia' }).click();
    await page.getByRole('button', { name: 'Mulai' }).waitFor();
    const colour = () =>
      page.evaluate(`getComputedStyle(${element}.shadowRoot.querySelector('.card')).backgroundColor`);
    const light = await colour();
    await page.evaluate(`${element}.setAttribute('theme', 'dark')`);
    await expect.poll(colour).not.toBe(light);
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await page.evaluate(`${element}.style.setProperty('--wajah-surface', 'rgb(1, 2, 3)')`);
    await expect.poll(colour).toBe('rgb(1, 2, 3)');
  });
});
