import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../packages/server/src/config/config.ts';
import { padPackMissing } from '../../packages/server/src/config/findings.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { wajah } from '../support/program.ts';
import { problemsAt } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage, phone } from './chromium.ts';
import {
  type ConsoleServer,
  chooseLanguage,
  enrolled,
  goTo,
  loaded,
  openMenu,
  signedIn,
  signIn,
  startConsole,
  unexpectedErrors,
} from './console-server.ts';

const languages = ['EN, English', 'ID, Indonesia'] as const;

/** Sizes, themes and languages. */
const looks = [phone, desktop].flatMap(({ viewport }) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    languages.map((language) => ({ viewport: viewport!, colorScheme, language })),
  ),
);

const tabbable = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((element) => !element.disabled && element.checkVisibility({ visibilityProperty: true }))`;

/** Targets under 24 × 24 px (WCAG 2.2, 2.5.8), but for links in a sentence and hidden file inputs, whose label is the target. */
const smallTargets = `${tabbable}
  .filter((element) => !element.closest('p:not(.row), .visually-hidden'))
  .map((element) => [element, element.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 23.5 || height < 23.5)
  .map(([element, { width, height }]) => element.outerHTML.slice(0, 80) + ' ' + width + 'x' + height)`;

/** Numbers the elements that Tab should reach, in the order of the document. */
const markStops = `(() => {
  const stops = ${tabbable};
  stops.forEach((element, number) => { element.dataset.stop = number; });
  return stops.length;
})()`;

const focusedStop = `(() => {
  const element = document.activeElement;
  const seen = element.matches('.visually-hidden') ? element.parentElement : element;
  const { left, top, width, height } = seen.getBoundingClientRect();
  const at = document.elementFromPoint(left + Math.min(width / 2, 40), top + Math.min(height / 2, 12));
  const covered = at === null || !(seen.contains(at) || at.contains(seen));
  return { stop: Number(element.dataset.stop ?? -1), text: element.outerHTML.slice(0, 80), covered };
})()`;

// Thirteen pages, each in every look: the browser shares the cores of the test machine.
vi.setConfig({ testTimeout: 10 * 60_000 });

describe.skipIf(!chromiumPath)('pages of the console', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startConsole(), launchChromium()]);
    await wajah(server.settings, 'client', 'create', `a-long-name-${'x'.repeat(90)}`);
  });

  /** Serious axe violations, elements wider than the window, and small targets. Ends on a desktop in English. */
  async function problems(page: Page, name: string): Promise<string[]> {
    const found: string[] = [];
    for (const { viewport, colorScheme, language } of looks) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await chooseLanguage(page, language);
      const look = `${viewport.width} px, ${colorScheme}, ${language.slice(0, 2)}`;
      const report = (text: string) => found.push(`${name}, ${look}: ${text}`);
      for (const problem of await problemsAt(page, viewport)) report(problem);
      for (const target of await page.evaluate<string[]>(smallTargets)) report(`small target: ${target}`);
    }
    await page.setViewportSize(desktop.viewport!);
    await chooseLanguage(page, languages[0]);
    return found;
  }

  /**
   * Walks through the page by Tab. @returns what cannot be reached, is reached out of order, or is covered when it has the focus
   */
  async function unreached(page: Page, name: string): Promise<string[]> {
    const count = await page.evaluate<number>(markStops);
    await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
    const found: string[] = [];
    let last = -1;
    // The browser stops at areas that scroll, too.
    for (let presses = 0; presses < 2 * count + 10 && last < count - 1; presses++) {
      await page.keyboard.press('Tab');
      const { stop, text, covered } = await page.evaluate<{ stop: number; text: string; covered: boolean }>(
        focusedStop,
      );
      if (stop < 0) continue;
      if (stop <= last) found.push(`${name}: ${text} comes after stop ${last} and is stop ${stop}`);
      if (covered) found.push(`${name}: ${text} is covered when it has the focus`);
      last = stop;
    }
    if (last !== count - 1) found.push(`${name}: Tab reaches stop ${last} of ${count - 1}`);
    return found;
  }

  it('fit phones and desktops, and have no serious accessibility problems', async () => {
    const { page, errors } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await page.goto(`${server.url}/console`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const found = await problems(page, 'sign in');
    await signIn(page, server);
    await page.getByText('Search for the faces of a picture').waitFor();
    found.push(...(await problems(page, 'recognise')));
    await page.getByRole('link', { name: 'Measure' }).click();
    await page.getByLabel('Choose a picture: Measure').setInputFiles(server.picture('group'));
    await page.getByRole('heading', { name: '3 faces detected' }).waitFor();
    found.push(...(await problems(page, 'measure')));
    await page.getByRole('link', { name: 'Compare two' }).click();
    await page.getByLabel('Choose a picture: Second picture').setInputFiles(server.picture('ani-again'));
    await page.locator('.scale').waitFor();
    found.push(...(await problems(page, 'compare')));
    await page.getByRole('link', { name: 'Is it this person?' }).click();
    await page.getByText('Choose a person').waitFor();
    found.push(...(await problems(page, 'is it')));
    for (const name of ['Galleries', 'Liveness', 'Activity', 'Tokens', 'Webhooks', 'Clients', 'System']) {
      await goTo(page, name);
      found.push(...(await problems(page, name)));
    }
    const { sentence, remedy } = padPackMissing(loadConfig({ WAJAH_UNCLEAR_SPOOF: 'accept' }));
    await page.getByText(sentence).waitFor();
    await page.getByText(remedy).waitFor();
    await page.getByRole('button', { name: 'Audit trail' }).click();
    await page.locator('.records li').first().waitFor();
    found.push(...(await problems(page, 'audit trail')));
    await page.getByRole('button', { name: 'Sign-in apps' }).click();
    await page.getByText('WAJAH_OPENID=true').waitFor();
    found.push(...(await problems(page, 'sign-in apps')));
    await page.goto(`${server.url}/docs#enrolFace`);
    await page.getByText('Send a call').click();
    await page.locator('.operation[open] form').waitFor();
    found.push(...(await problems(page, 'reference')));
    expect(found).toEqual([]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('of a gallery fit phones and desktops, and have no serious accessibility problems', async () => {
    await enrolled(server, 'looks', { ani: 'ani', budi: 'budi' });
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries');
    const found: string[] = [];
    for (const place of [
      'demo%40trial',
      'looks',
      'looks/people/ani',
      'looks/duplicates',
      'looks/thresholds',
    ]) {
      await page.goto(`${server.url}/console#/galleries/${place}`);
      await page.locator('main .card:visible').first().waitFor();
      await loaded(page);
      found.push(...(await problems(page, place)));
    }
    expect(found).toEqual([]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('are reached by Tab, in order and with nothing over the focus, on a phone', async () => {
    const small = { ...phone, viewport: { width: 390, height: 664 } };
    const { page, errors } = await openPage(browser, { ...small, locale: 'en-GB' });
    await page.goto(`${server.url}/console`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const found = await unreached(page, 'sign in');
    await page.locator('input[name=client_id]').focus();
    await page.keyboard.type(server.clientId);
    await page.keyboard.press('Tab');
    await page.keyboard.type(server.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Recognise' }).waitFor();
    const more = page.getByRole('button', { name: 'Set up' });
    await more.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Tokens' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Tokens' }).waitFor({ state: 'hidden' });
    for (const [name, address] of [
      ['Recognise', 'recognise/measure'],
      ['Recognise', 'recognise/compare'],
      ['Galleries', 'galleries'],
      ['Activity', 'activity'],
      ['API tokens', 'keys'],
      ['Clients', 'clients'],
      ['System', 'system'],
    ] as const) {
      await page.goto(`${server.url}/console#/${address}`);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await loaded(page);
      found.push(...(await unreached(page, name)));
    }
    expect(found).toEqual([]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  describe('the reference', () => {
    it('lists every endpoint of the document', async () => {
      const { page } = await openPage(browser, { ...desktop, locale: 'en-GB' });
      await page.goto(`${server.url}/docs`);
      await page.locator('.operation').first().waitFor();
      const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: object };
      const listed = async () => (await page.locator('.operation .path').allTextContents()).sort();
      await expect.poll(listed).toEqual(Object.keys(paths).sort());
      await page.getByLabel('Filter endpoints').fill('compare-images');
      await expect.poll(() => page.locator('.operation').count()).toBe(1);
    });

    it('begins with recognition, keeps its links in a narrow window, and unfolds cards of moderate height', async () => {
      const { page } = await openPage(browser, { ...desktop, locale: 'id-ID' });
      await page.goto(`${server.url}/docs#enrolFace`);
      await page.locator('#enrolFace[open]').waitFor();
      const first = page.locator('section:has(> .operation)').first();
      await expect.poll(() => first.locator('h2').textContent()).toBe('Mengenali');
      await expect.poll(() => first.locator('.path').first().textContent()).toMatch(/identify-face$/);
      await page.getByText('Mencari wajah sebuah gambar, atau setiap wajahnya, dalam galeri.').waitFor();
      const tallest = await page.locator('.operation').evaluateAll((cards) => {
        for (const card of cards) card.setAttribute('open', '');
        return new Promise<number>((done) => {
          setTimeout(() => done(Math.max(...cards.map((card) => card.clientHeight))), 500);
        });
      });
      console.info(`the tallest card of the reference: ${tallest} px`);
      expect(tallest).toBeLessThan(1200);
      await page.setViewportSize({ width: 700, height: 900 });
      for (const name of ['Dokumentasi', 'Konsol', 'openapi.json', 'Liveness'])
        await page.getByRole('link', { name, exact: true }).waitFor();
    });

    it('sends a call with the token of the session', async () => {
      const { page } = await openPage(browser, { ...desktop, locale: 'en-GB' });
      await page.goto(`${server.url}/docs#detectFaces`);
      const card = page.locator('#detectFaces');
      await card.getByText('Send a call').click();
      await expect.poll(() => card.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Sign in to send' }).click();
      await page.fill('input[name=client_id]', server.clientId);
      await page.fill('input[name=password]', server.password);
      await page.keyboard.press('Enter');
      await page.getByText('Signed in as demo').waitFor();
      await card.getByLabel('image (required)').setInputFiles(server.picture('ani'));
      await card.getByLabel('attributes (optional)').fill('["pose"');
      await card.getByRole('button', { name: 'Send' }).click();
      await card.getByRole('alert').getByText('attributes is not valid JSON.').waitFor();
      await card.getByLabel('attributes (optional)').fill('["pose"]');
      await card.getByRole('button', { name: 'Send' }).click();
      await card.getByText('HTTP 200', { exact: true }).waitFor();
      await expect.poll(() => card.locator('form ~ div pre').textContent()).toMatch(/"yaw": -?\d/);
    });

    it('asks before it sends what destroys, and names nobody by itself', async () => {
      await enrolled(server, 'office', { ani: 'ani' });
      const { page, errors } = await signedIn(browser, server, desktop);
      await page.goto(`${server.url}/docs#deleteGallery`);
      const card = page.locator('#deleteGallery');
      await card.getByText('Send a call').click();
      const field = card.getByLabel('facegallery_id (required)');
      await expect.poll(() => field.inputValue()).toBe('');
      await field.fill('office');
      await field.press('Enter');
      await card.getByRole('button', { name: 'Send' }).click();
      const dialog = page.getByRole('dialog', { name: /delete-facegallery\?$/ });
      await dialog.getByText('facegallery_id: office').waitFor();
      expect(await problemsAt(page, desktop.viewport!)).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      const galleries = async () =>
        (await server.call('/face-api/facegallery/describe-facegalleries', {}))['facegalleries'];
      expect(JSON.stringify(await galleries())).toContain('"office"');
      await card.getByRole('button', { name: 'Send' }).click();
      await dialog.getByRole('button', { name: 'Send' }).click();
      await card.getByText('HTTP 200', { exact: true }).waitFor();
      expect(JSON.stringify(await galleries())).not.toContain('"office"');
      expect(unexpectedErrors(errors)).toEqual([]);
    });

    it('shows commands that work when pasted', async () => {
      const { page } = await signedIn(browser, server, desktop);
      const answer = page.waitForResponse('**/oauth/client/token');
      await openMenu(page);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await signIn(page, server);
      const { access_token } = (await (await answer).json()) as { access_token: string };
      const folder = temporaryDirectory();
      copyFileSync(server.picture('ani'), join(folder, 'image.jpg'));
      for (const [id, expected] of [
        ['detectFaces', /"yaw":/],
        ['getCounters', /"n_api_hits":/],
        ['listFaces', /"faces":\[\]/],
        ['createGallery', /"facegallery_id":"office"/],
      ] as const) {
        await page.goto(`${server.url}/docs#${id}`);
        const command = (await page.locator(`#${id} section[aria-label=curl] pre`).textContent()) ?? '';
        const env = { PATH: process.env['PATH'], TOKEN: access_token };
        const { stdout } = await promisify(execFile)('bash', ['-c', command], { cwd: folder, env });
        expect(stdout).toMatch(expected);
      }
    });
  });
});
