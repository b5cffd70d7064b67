import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { filmOf } from '../../packages/server/test/support/film.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { firstClient, serve } from '../support/program.ts';
import { problemsAt, seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage, phone } from './chromium.ts';
import { reached, recorder } from './example-page.ts';
import { cameraScript, drawnFilm, type Scene } from './film-camera.ts';

const MINUTES = 60_000;
vi.setConfig({ testTimeout: 8 * MINUTES });

const agents = {
  instagram:
    'Mozilla/5.0 (Linux; Android 14; SM-A546E Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 Instagram 350.0.0.45.109 Android',
  facebook:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/480.0.0.40.108]',
  line: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari Line/14.15.0',
  telegram:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 Telegram-Android/11.2.0',
  chrome:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
  safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1',
};

describe.skipIf(!chromiumPath)('the tries of a link, on a phone', () => {
  let url: string;
  let token: string;
  let browser: Browser;
  beforeAll(async () => {
    const server = await serve({
      WAJAH_DATA_DIR: join(temporaryDirectory(), 'data'),
      WAJAH_SPOOF_THRESHOLD: '1',
      WAJAH_UNCLEAR_SPOOF: 'accept',
    });
    url = server.url;
    token = (await firstClient(server)).token;
    browser = await launchChromium();
  });

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async function call(path: string, body: object, at = { url, token }): Promise<any> {
    const headers = { accesstoken: at.token, 'content-type': 'application/json' };
    return (await fetch(at.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  }
  const host = (fields: object = {}, at?: { url: string; token: string }) =>
    call('/liveness-api/create-session', { hosted: true, steps: 2, lang: 'en', ...fields }, at);

  /** The page of a link. @param script runs before it */
  async function open(address: string, options: BrowserContextOptions = {}, script = '') {
    const { page } = await openPage(browser, { ...phone, ...options });
    await page.addInitScript(recorder + script);
    await page.goto(address);
    await page.locator('wajah-liveness').waitFor();
    return page;
  }
  const show = async (page: Page, film: Scene[]) => page.evaluate(cameraScript(film));
  const start = (page: Page) => page.getByRole('button', { name: /^(Start|Mulai)$/ }).click();
  const again = (page: Page) => page.getByRole('button', { name: 'Try again' });
  const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

  it('are offered while there are some: who fails the first passes the second, and is led on then', async () => {
    const person = { facegallery_id: 'demo@trial', user_id: 'b-1' };
    const image = await (await filmOf('budi')).frame('face front', 7);
    await call('/face-api/facegallery/enroll-face', { ...person, user_name: 'Budi', image });
    const redirect_url = `${url}/docs?order=8`;
    const { url: address, session_id } = await host({ ...person, redirect_url });
    const page = await open(address);
    await show(page, await drawnFilm());
    await start(page);
    await reached(page, 'failed', 6 * MINUTES);
    await shown(page, 'does not match the expected person');
    await shown(page, 'Tries left: 2.');
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    expect(await page.getByRole('link', { name: 'Continue' }).count()).toBe(0);
    // A reload takes no try away, and gives none.
    await page.reload();
    await page.locator('wajah-liveness').waitFor();
    await show(page, await drawnFilm(undefined, 'budi'));
    await start(page);
    await reached(page, 'passed', 6 * MINUTES);
    expect(await page.getByRole('button', { name: 'Check again' }).count()).toBe(0);
    await page.waitForURL(new RegExp(`order=8&session_id=${session_id}`));
  });

  it('that are not judged have the whole time each, until there were too many; then the page says whom to ask', async () => {
    const hasty = await serve({
      WAJAH_DATA_DIR: join(temporaryDirectory(), 'data'),
      WAJAH_SESSION_SECONDS: '10',
    });
    const at = { url: hasty.url, token: (await firstClient(hasty)).token };
    const { url: address } = await host({ subject: 'person 1' }, at);
    const page = await open(address);
    const left: number[] = [];
    page.on('response', async (answer) => {
      if (answer.url().endsWith('begin-session')) left.push((await answer.json()).expires_in);
    });
    await show(page, await drawnFilm(['face front']));
    await start(page);
    for (let tries = 1; tries < 5; tries++) {
      await shown(page, /^The time ran out at step [12] of/);
      await again(page).click();
      await reached(page, 'running');
    }
    await shown(page, /^The time ran out at step [12] of/);
    await again(page).click();
    // The pause is longer than the link lives.
    await shown(page, /There were too many tries. Ask whoever sent this link for another one, in 1[01] min./);
    expect(await again(page).count()).toBe(0);
    expect(left.filter((seconds) => seconds === 10)).toHaveLength(5);
  });

  it('go on after a hidden page, a lost network and a reload, as the phone is turned', async () => {
    const { url: address, session_id } = await host({ subject: 'person 2' });
    const page = await open(address);
    const steps: string[] = [];
    page.on('response', async (answer) => {
      if (answer.url().endsWith('begin-session')) steps.push((await answer.json()).steps.join());
    });
    const turn = ({ width, height } = phone.viewport!) => page.setViewportSize({ width, height });
    const film = cameraScript(await drawnFilm(undefined, 'citra'), true);
    await page.evaluate(film);
    await start(page);
    await shown(page, /^Step 2 of/);
    const hide = (on: boolean) =>
      page.evaluate(`{
        Object.defineProperty(document, 'hidden', { value: ${on}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }`);
    await hide(true);
    await shown(page, 'The page was hidden. Try again');
    await hide(false);
    await again(page).click();
    await shown(page, /^Step 2 of/);
    await page.context().setOffline(true);
    await shown(page, 'The server could not be reached.');
    await page.context().setOffline(false);
    await page.reload();
    await page.locator('wajah-liveness').waitFor();
    await page.evaluate(film);
    await start(page);
    await shown(page, /^Step 2 of/);
    await turn({ width: 844, height: 390 });
    await shown(page, /^Step 3 of/);
    await turn();
    await reached(page, 'passed', 6 * MINUTES);
    const tries = new Set(steps).size;
    console.info(`challenges: ${tries} in ${steps.length} beginnings`);
    expect(steps.length).toBe(3);
    expect(await call('/liveness-api/get-session', { session_id })).toMatchObject({ state: 'passed' });
  });

  it('ask for a mask to be taken off before anything else', async () => {
    const masked = await sharp(await drawnFace({ mask: true }))
      // A lamp between the eyes, as glasses mirror it.
      .composite([
        {
          input: Buffer.from(
            '<svg width="26" height="26"><circle cx="13" cy="13" r="13" fill="#fff"/></svg>',
          ),
          left: 227,
          top: 263,
        },
      ])
      .jpeg()
      .toBuffer();
    const { url: address } = await host();
    const page = await open(address);
    const hints: string[] = [];
    await page.exposeFunction('hinted', (text: string) => hints.push(text));
    await page.evaluate(`(() => {
      const { shadowRoot } = document.querySelector('wajah-liveness');
      new MutationObserver(() => hinted(shadowRoot.querySelector('.hint')?.textContent ?? ''))
        .observe(shadowRoot, { subtree: true, childList: true, characterData: true });
    })()`);
    await show(page, [{ step: '', pictures: [masked.toString('base64')] }]);
    await start(page);
    await shown(page, 'Take off the mask: uncover your mouth');
    expect(hints.filter((text) => text.startsWith('A light is reflected'))).toEqual([]);
  });

  it('wait for a server that is away, and begin by themselves', async () => {
    const { url: address } = await host({ lang: 'id' });
    const { page } = await openPage(browser, phone);
    let away = true;
    await page.route('**/get-session', (route) => (away ? route.abort() : route.fallback()));
    await page.goto(address);
    await shown(page, 'Server tidak dapat dihubungi.');
    away = false;
    await page.locator('wajah-liveness').waitFor();
    await expect.poll(() => page.getByText('Server tidak dapat dihubungi.').count()).toBe(0);
  });

  it.each([
    ['instagram', 'Chrome'],
    ['telegram', 'Chrome'],
    ['facebook', 'Safari'],
    ['line', 'Safari'],
  ] as const)('are moved to a browser from the view of an app: %s', async (app, name) => {
    const { url: address } = await host({ lang: app === 'line' ? 'id' : 'en' });
    const hasApi = app === 'telegram' || app === 'facebook';
    const script = hasApi
      ? "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotAllowedError'); };"
      : "Object.defineProperty(navigator, 'mediaDevices', { value: undefined });";
    const page = await open(address, { userAgent: agents[app] }, script);
    await page.evaluate(
      "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } })",
    );
    await start(page);
    await shown(page, new RegExp(`(?:Open the page in|Buka halaman ini di) ${name}:`));
    await page.getByRole('button', { name: /^(Copy the link|Salin tautan)$/ }).click();
    await shown(page, /^(The link is copied|Tautan tersalin)$/);
    expect(await page.evaluate('copied')).toBe(address);
    const ways = page.getByRole('link', { name: 'Open in the browser' });
    if (name === 'Safari') expect(await ways.count()).toBe(0);
    else
      expect(await ways.getAttribute('href')).toMatch(
        new RegExp(`^intent:${address.replace('http:', '')}#Intent;scheme=http;`.replaceAll(/[?.]/g, '\\$&')),
      );
    await expect.poll(() => problemsAt(page, phone.viewport!)).toEqual([]);
  });

  it.each([
    ['chrome', 'NotAllowedError', 'en', /^The camera is not allowed. Try again, and allow it/],
    ['safari', 'NotAllowedError', 'id', /^Kamera tidak diizinkan. Coba lagi, dan izinkan/],
    ['chrome', 'NotFoundError', 'id', /^Kamera tidak ditemukan. .* buka di perangkat yang memilikinya/],
    ['safari', 'NotFoundError', 'en', /^No camera was found. .* open it on a phone/],
    ['safari', 'NotReadableError', 'en', /^The camera could not be opened. Close what else uses it/],
    ['chrome', 'NotReadableError', 'id', /^Kamera tidak dapat dibuka. .* program atau tab lain/],
  ] as const)(
    'say what the person can do, and are copied to another device: %s, %s, %s',
    async (agent, error, lang, text) => {
      const { url: address } = await host({ lang });
      const script = `navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', '${error}'); };`;
      const page = await open(address, { userAgent: agents[agent] }, script);
      await start(page);
      await shown(page, text);
      expect(await page.getByRole('link', { name: 'Open in the browser' }).count()).toBe(0);
      await page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } })",
      );
      await page.getByRole('button', { name: /^(Copy the link|Salin tautan)$/ }).click();
      await shown(page, /^(The link is copied|Tautan tersalin)$/);
      expect(await page.evaluate('copied')).toBe(address);
      await expect.poll(() => problemsAt(page, phone.viewport!)).toEqual([]);
    },
  );

  it('copy the address where there is no clipboard', async () => {
    const { url: address } = await host();
    const script = `Object.defineProperty(navigator, 'mediaDevices', { value: undefined });
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      addEventListener('copy', () => { globalThis.copied = true; });`;
    const page = await open(address, {}, script);
    await start(page);
    await shown(page, 'Open the page in Chrome, Edge, Firefox or Safari:');
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await shown(page, 'The link is copied');
    expect(await page.evaluate('copied')).toBe(true);
  });

  it('use the camera that the person chooses of two, also in the next try; where there is one, there is no choice', async () => {
    const computer = await launchChromium(2);
    const { url: address } = await host();
    const { page } = await openPage(computer, { ...desktop, permissions: ['camera'] });
    // A busy machine answers late, and the page then ends the try.
    const json = { status: '200', faces: [], image: { width: 640, height: 480 } };
    await page.route('**/hint-frame', (route) => route.fulfill({ json }));
    await page.goto(address);
    await start(page);
    const used = () =>
      page.evaluate<string>(
        "document.querySelector('wajah-liveness').shadowRoot.querySelector('video')?.srcObject?.getVideoTracks()[0].getSettings().deviceId",
      );
    const choice = page.getByRole('combobox', { name: 'Camera' });
    await choice.waitFor();
    const first = await used();
    const labels = await choice.getByRole('option').allTextContents();
    const known = await page.evaluate<string[]>(
      "navigator.mediaDevices.enumerateDevices().then((all) => all.flatMap(({ kind, label }) => (kind === 'videoinput' ? label : [])))",
    );
    expect(labels.toSorted()).toEqual(known.toSorted());
    expect(await choice.inputValue()).toBe(first);
    await expect.poll(() => problemsAt(page, desktop.viewport!)).toEqual([]);
    await choice.selectOption(labels[1]!);
    await expect.poll(used).not.toBe(first);
    await choice.waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await start(page);
    await choice.waitFor();
    expect(await choice.inputValue()).toBe(await used());
    expect(await used()).not.toBe(first);
    // Another program takes it: the other one can be chosen at once.
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.evaluate(`{
      const { mediaDevices } = navigator;
      const open = mediaDevices.getUserMedia.bind(mediaDevices);
      mediaDevices.getUserMedia = (wanted) =>
        wanted.video.deviceId.exact === '${first}' ? open(wanted) : Promise.reject(new DOMException('', 'NotReadableError'));
    }`);
    await start(page);
    await shown(page, /^The camera could not be opened/);
    await choice.selectOption({ value: first });
    await expect.poll(used).toBe(first);

    const { page: single } = await openPage(await launchChromium(1), { ...desktop, permissions: ['camera'] });
    await single.route('**/hint-frame', (route) => route.fulfill({ json }));
    await single.goto(address);
    await start(single);
    await shown(single, 'Bring your face into the oval');
    expect(await single.locator('select').count()).toBe(0);
  });
});
