import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { firstClient, serve, wajah } from '../support/program.ts';
import { root } from '../support/sources.ts';
import { fits, seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage, phone } from './chromium.ts';
import { choosePerson, goTo, hold, loaded, unexpectedErrors } from './console-server.ts';
import { cameraScript } from './film-camera.ts';
import { hasFilm, selfieFrames, selfieScenes } from './selfie-film.ts';

/** Drops pictures on the element that stands at the bottom of the page, beside every box. */
async function dropBeside(page: Page, ...files: string[]): Promise<void> {
  const given = files.map((file) => [file.split('/').at(-1), readFileSync(file).toString('base64')]);
  await page.evaluate(`(() => {
    const given = new DataTransfer();
    for (const [name, text] of ${JSON.stringify(given)}) {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      given.items.add(new File([bytes], name, { type: 'image/jpeg' }));
    }
    for (const type of ['dragover', 'drop']) {
      const event = new DragEvent(type, { dataTransfer: given, bubbles: true, cancelable: true });
      if (document.querySelector('h1').dispatchEvent(event)) throw new Error(type + ' is left to the browser');
    }
  })()`);
}

const sample = (name: string) => join(root, 'samples', `${name}.jpg`);

describe.skipIf(!chromiumPath)('the first minutes with the console', () => {
  const folder = temporaryDirectory();
  const settings = {
    WAJAH_DATA_DIR: join(folder, 'data'),
    WAJAH_SAMPLES: 'true',
    // A drawn face is no photograph: the networks would call it a print.
    WAJAH_SPOOF_THRESHOLD: '1',
    WAJAH_UNCLEAR_SPOOF: 'accept',
  };
  let url: string;
  let link: string;
  let browser: Browser;
  const picture = (name: string) => join(folder, `${name}.jpg`);
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    const [server] = await Promise.all([serve(settings), draw()]);
    url = server.url;
    const { file } = await firstClient(server);
    [, link = ''] = /SIGN_IN='(.+)'/.exec(readFileSync(file, 'utf8')) ?? [];
    browser = await launchChromium();
  });

  async function draw(): Promise<void> {
    const me = { person: 'eka', width: 640, height: 640 } as const;
    writeFileSync(picture('me'), await drawnFace(me));
    writeFileSync(picture('me-again'), await drawnFace({ ...me, tilt: 6, brightness: 0.9 }));
    copyFileSync(sample('team'), picture('team'));
  }

  const newLink = async () => (await wajah(settings, 'client', 'sign-in-link', 'demo')).out.trim();

  it("recognises one's own face by four actions: link, picture, name, next picture", async () => {
    const { page, errors } = await openPage(browser, { ...phone, locale: 'en-GB' });
    const began = performance.now();
    await page.goto(link);
    const choose = page.getByLabel('Choose a picture: Recognise');
    await choose.setInputFiles(picture('me'));
    const name = page.getByLabel('Who is this?');
    await name.waitFor();
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await fits(page);
    await name.fill('Eka Saputra');
    await name.press('Enter');
    await page.getByRole('heading', { level: 2, name: 'Eka Saputra', exact: true }).waitFor();
    await choose.setInputFiles(picture('me-again'));
    await page.getByRole('img', { name: /^me-again/ }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Eka Saputra', exact: true }).waitFor();
    const seconds = (performance.now() - began) / 1000;
    console.log(`from the link to the name of the second picture: ${seconds.toFixed(1)} s`);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it.runIf(hasFilm)('recognises a person before the camera of a phone, by their film', async () => {
    const scenes = selfieScenes(await selfieFrames(), ['face front'])!;
    const { page, errors } = await openPage(browser, { ...phone, locale: 'en-GB' });
    await page.goto(await newLink());
    const camera = page.getByRole('button', { name: 'Use the camera' });
    await camera.waitFor();
    await page.evaluate(cameraScript(scenes));
    const take = async () => {
      await camera.click();
      await page.getByRole('button', { name: 'Take the picture' }).click();
    };
    await take();
    const name = page.getByLabel('Who is this?');
    await name.fill('Wati Lestari');
    await fits(page);
    await name.press('Enter');
    const greeted = page.getByRole('heading', { level: 2, name: 'Wati Lestari', exact: true });
    await greeted.waitFor();
    const first = await page.getByRole('img', { name: /^camera-/ }).getAttribute('alt');
    // Names of pictures have the second.
    await page.waitForTimeout(1100);
    await take();
    await expect.poll(() => page.getByRole('img', { name: /^camera-/ }).getAttribute('alt')).not.toBe(first);
    await greeted.waitFor();
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('opens a link once, says so in both languages, and leaves no code in the address', async () => {
    const again = await newLink();
    const { page } = await openPage(browser, { ...desktop, locale: 'id-ID' });
    await page.goto(again);
    await page.getByRole('heading', { level: 1, name: 'Kenali' }).waitFor();
    expect(page.url()).not.toContain('sign-in');
    const { page: other, errors } = await openPage(browser, { ...phone, locale: 'en-GB' });
    await other.goto(again);
    await other.getByText('This link was used').waitFor();
    expect(other.url()).not.toContain('sign-in');
    await expect.poll(() => seriousViolations(other)).toEqual([]);
    await fits(other);
    await other.fill('input[name=client_id]', 'demo');
    await other.fill('input[name=password]', 'wrong');
    await other.keyboard.press('Enter');
    await other.getByText('Client ID or password is wrong.').waitFor();
    await expect.poll(() => other.getByRole('alert').count()).toBe(1);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('has drawn people to recognise, and sends a picture once', async () => {
    const { page, errors } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await page.goto(await newLink());
    // Real people are enrolled elsewhere.
    await expect.poll(() => page.getByLabel('Gallery').inputValue()).toBe('demo@trial');
    await page.getByRole('button', { name: 'Try it with drawn people' }).click();
    await expect.poll(() => page.getByLabel('Gallery').inputValue()).toBe('samples');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('-face')) sent.push(new URL(request.url()).pathname);
    });
    await page.getByRole('button', { name: 'Three people' }).click();
    const names = { name: 'Sri Rahayu, Budi Santoso, Darma Wijaya', exact: true };
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await expect
      .poll(async () =>
        (await page.getByRole('heading', { level: 2 }).first().textContent())?.split(', ').sort(),
      )
      .toEqual(names.name.split(', ').sort());
    expect(sent).toEqual(['/face-api/facegallery/identify-face']);
    await page.getByText('Request and answer').click();
    await expect.poll(() => page.getByRole('region', { name: 'Answer' }).textContent()).toContain('"below"');
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('takes a picture that is dropped anywhere, on each page, and keeps a list that is not sent', async () => {
    const { page, errors } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await page.goto(await newLink());
    await page.getByLabel('Gallery').selectOption('samples');
    await dropBeside(page, sample('sri-2'));
    await page.getByRole('heading', { level: 2, name: 'Sri Rahayu' }).waitFor();
    await page.goto(`${url}/console#/galleries/demo%40trial`);
    await page.getByLabel('Choose pictures: Enrol people').waitFor();
    await loaded(page);
    await dropBeside(page, picture('me'), picture('team'));
    await page.getByRole('button', { name: 'Enrol 2 people' }).waitFor();
    await dropBeside(page, sample('darma'));
    await page.getByRole('button', { name: 'Enrol 3 people' }).waitFor();
    await goTo(page, 'Tokens');
    await dropBeside(page, sample('darma'));
    await page.getByRole('heading', { level: 2, name: 'Darma Wijaya' }).waitFor();
    expect(page.url()).toContain('#/recognise');
    await page.goto(`${url}/console#/galleries/demo%40trial`);
    await page.getByRole('button', { name: 'Enrol 3 people' }).waitFor();
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('states one similarity for a pair in each question, and reads well on a phone', async () => {
    const { page, errors } = await openPage(browser, { ...phone, locale: 'en-GB' });
    await page.goto(await newLink());
    await page.getByLabel('Gallery').selectOption('samples');
    await page.getByLabel('Choose a picture: Recognise').setInputFiles(sample('sri-2'));
    await page.getByRole('heading', { level: 2, name: 'Sri Rahayu' }).waitFor();
    const similarity = (await page.locator('.candidate .numbers').first().textContent()) ?? '';
    expect(similarity).toMatch(/^0\.\d{4}$/);
    const name = page.locator('.overlay text').first();
    await expect.poll(async () => (await name.boundingBox())?.height).toBeGreaterThan(12);
    // Who is somebody else is behind a fold.
    await page.getByText(/^\d people who are less similar/).waitFor();
    await expect.poll(() => page.locator('.candidate:visible').count()).toBe(1);
    await page.getByText('it rises with the people of the gallery').waitFor();
    await fits(page);
    await page.getByRole('link', { name: 'Is it this person?' }).click();
    await choosePerson(page, 'Sri Rahayu');
    await page.getByText(`Similarity score ${similarity}`).first().waitFor();
    await page.getByRole('link', { name: 'Compare two' }).click();
    await page.getByLabel('Choose a picture: Second picture').setInputFiles(sample('sri-1'));
    await page.getByText(`Similarity score ${similarity}`).first().waitFor();
    await fits(page);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('scales a picture of many pixels and few bytes, and says nothing of what programs send', async () => {
    const { page } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await page.goto(await newLink());
    const wide = await sharp({ create: { width: 12_000, height: 6750, channels: 3, background: '#8aa' } })
      .jpeg()
      .toBuffer();
    const alert = page.getByRole('alert');
    const choose = page.getByLabel('Choose a picture: Recognise');
    await choose.setInputFiles({ name: 'wide.jpg', mimeType: 'image/jpeg', buffer: wide });
    await alert.getByText('412 · Face not detected').waitFor();
    await expect.poll(() => alert.textContent()).toContain('No face was found in the picture of 4000x2250');
    await page.goto(`${url}/console#/galleries/demo%40trial`);
    const small = await sharp(sample('sri-1')).resize(120).jpeg().toBuffer();
    const file = { name: 'small.jpg', mimeType: 'image/jpeg', buffer: small };
    await page.getByLabel('Choose pictures: Enrol people').setInputFiles(file);
    await page.getByRole('button', { name: 'Enrol 1 person' }).click();
    await page.getByRole('heading', { name: 'Face too small (1)' }).waitFor();
    await page
      .locator('.enrolees')
      .getByText(/^\d+ pixels$/)
      .waitFor();
    await expect.poll(() => page.locator('main').textContent()).not.toMatch(/image:|force_register/);
    await page.getByRole('button', { name: 'Enrol anyway' }).click();
    await page.getByText('1 enrolled, 0 refused.').waitFor();
  });

  it('keeps the chosen gallery over a reload, and no answer of a former picture', async () => {
    const { page } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await page.goto(await newLink());
    await page.getByLabel('Gallery').selectOption('demo@trial');
    await page.reload();
    await expect.poll(() => page.getByLabel('Gallery').inputValue()).toBe('demo@trial');
    await page.getByLabel('Gallery').selectOption('samples');
    await page.getByRole('button', { name: 'One face' }).click();
    await page.getByRole('heading', { level: 2, name: 'Sri Rahayu' }).waitFor();
    const release = await hold(page, 'identify-face');
    await page.getByLabel('Choose a picture: Recognise').setInputFiles(sample('selfie'));
    await expect.poll(() => page.getByRole('article').count()).toBe(0);
    release();
    await page.getByRole('heading', { level: 2, name: 'Budi Santoso' }).waitFor();
  });
});
