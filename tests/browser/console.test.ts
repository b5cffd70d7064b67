import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { rounds } from '../../packages/server/test/support/rounds.ts';
import { wajah } from '../support/program.ts';
import { seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, openPage, phone } from './chromium.ts';
import {
  type ConsoleServer,
  chooseLanguage,
  goTo,
  type Json,
  launchWithPicture,
  openMenu,
  signedIn,
  signIn,
  startConsole,
  unexpectedErrors,
} from './console-server.ts';

/** Name of the input with the focus at the moment in which the sign-in form appears. */
const focusWithForm = `new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('input[name=client_id]')) return;
    observer.disconnect();
    resolve(document.activeElement.getAttribute('name'));
  }).observe(document.body, { childList: true, subtree: true });
})`;

describe.skipIf(!chromiumPath)('the console in Chromium', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await startConsole();
    browser = await launchWithPicture(server, 'ani');
  });

  const choose = (page: Page, label: string, ...names: string[]) =>
    page.getByLabel(label, { exact: true }).setInputFiles(names.map((name) => server.picture(name)));

  /** Changes what the server answers to a call. */
  const answerWith = (page: Page, call: string, change: (answer: Json) => Json) =>
    page.route(`**/${call}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: change((await response.json()) as Json) });
    });

  it('signs in for the tabs of the browser, over a reload and between console and reference, until somebody signs out', async () => {
    const { page, errors } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await page.goto(`${server.url}/console`);
    await page.fill('input[name=client_id]', 'demo');
    await page.fill('input[name=password]', 'wrong');
    await page.keyboard.press('Enter');
    await page.getByText('Client ID or password is wrong.').waitFor();
    await signIn(page, server);
    await page.getByRole('heading', { level: 1, name: 'Recognise' }).waitFor();
    // Neither place has a whole token.
    const places = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, document.cookie])');
    expect(places).toMatch(/eyJ[\w-]+\.eyJ[\w-]+\\"/);
    expect(places).not.toMatch(/eyJ[\w-]+\.eyJ[\w-]+\./);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Recognise' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${server.url}/console`);
    await other.getByRole('heading', { level: 1, name: 'Recognise' }).waitFor();
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.getByText('Signed in as demo').waitFor();
    const kept = await page.evaluate<string>('sessionStorage.getItem("wajah.session")');
    const { token } = JSON.parse(kept) as { token: string };
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in to send' }).waitFor();
    await other.getByText('You are signed out, in all tabs of this browser.').waitFor();
    const left =
      'sessionStorage.length + Object.keys(localStorage).filter((key) => /session/.test(key)).length';
    await expect.poll(() => page.evaluate(left)).toBe(0);
    const counters = `${server.url}/face-api/client/get-counters`;
    const works = async () => (await fetch(counters, { headers: { accesstoken: token } })).status;
    await expect.poll(works).toBe(401);
    await page.goto(`${server.url}/`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(`${server.url}/console`);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('a link signs in for the tabs of the browser, also after the one that it opened is closed', async () => {
    const link = await wajah(server.settings, 'client', 'sign-in-link', 'demo');
    const { page } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    const context = page.context();
    await page.goto(link.out.trim());
    await page.getByRole('heading', { level: 1, name: 'Recognise' }).waitFor();
    const [second] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Galleries' }).click({ modifiers: ['Control'] }),
    ]);
    await second.getByRole('heading', { level: 1, name: 'Galleries' }).waitFor();
    await Promise.all([page.close(), second.close()]);
    const third = await context.newPage();
    await third.goto(`${server.url}/console`);
    await third.getByRole('heading', { level: 1, name: 'Recognise' }).waitFor();
    await third.close();
    // As the browser does when it ends.
    await context.clearCookies();
    const next = await context.newPage();
    await next.goto(`${server.url}/console`);
    await next.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('draws the faces found and explains each figure', async () => {
    const { page, errors } = await signedIn(browser, server, desktop, '#/recognise/measure');
    await page.getByText('Measure the faces of a picture').waitFor();
    await choose(page, 'Choose a picture: Measure', 'group');
    await page.getByRole('heading', { name: '3 faces detected' }).waitFor();
    await expect.poll(() => page.locator('.overlay rect.box').count()).toBe(3);
    await expect.poll(() => page.locator('.overlay .axis').count()).toBe(9);
    await expect
      .poll(() => page.locator('.overlay .dots').first().getAttribute('d'))
      .toMatch(/^(M[\d.-]+ [\d.-]+h0){468}$/);
    await expect.poll(() => page.getByRole('button', { name: 'Yaw' }).isVisible()).toBe(false);
    await page.getByText('Head pose').last().click();
    const term = page.getByRole('button', { name: 'Yaw' });
    const tip = page.getByRole('tooltip').filter({ hasText: 'frontal below 12' });
    await expect.poll(() => tip.isVisible()).toBe(false);
    await term.hover();
    await expect.poll(() => tip.isVisible()).toBe(true);
    await page.mouse.move(0, 0);
    await expect.poll(() => tip.isVisible()).toBe(false);
    await term.focus();
    await expect.poll(() => tip.isVisible()).toBe(true);
    await expect.poll(() => page.locator('.overlay [data-highlight=pose]').count()).toBe(3);
    await page.keyboard.press('Escape');
    await expect.poll(() => tip.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Face 2' }).click();
    await expect.poll(() => page.locator('.overlay .face.chosen').count()).toBe(1);
    await page.getByLabel('Face mesh').uncheck();
    await expect.poll(() => page.locator('.overlay .dots').count()).toBe(0);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('shows a refusal with status, message, detail and transaction', async () => {
    const { page } = await signedIn(browser, server, phone, '#/recognise/measure');
    await choose(page, 'Choose a picture: Measure', 'nobody');
    const alert = page.getByRole('alert');
    await alert.getByText('412 · Face not detected').waitFor();
    await expect.poll(() => alert.textContent()).toMatch(/No face was found.*Transaction [0-9a-f-]{36}/s);
    const broken = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') };
    await page.getByLabel('Choose a picture: Measure', { exact: true }).setInputFiles(broken);
    await page.getByText('The browser cannot decode 1: broken.jpg').waitFor();
    await expect
      .poll(() => page.evaluate('[...document.images].filter((one) => one.naturalWidth === 0).length'))
      .toBe(0);
  });

  it('takes a picture from the camera and switches it off', async () => {
    const { page } = await signedIn(browser, server, desktop, '#/recognise/measure');
    await page.context().grantPermissions(['camera']);
    await page.getByRole('button', { name: 'Use the camera' }).click();
    await page.getByRole('button', { name: 'Take the picture' }).click();
    await page.getByRole('heading', { name: '1 face detected' }).waitFor();
    await expect.poll(() => page.locator('video').count()).toBe(0);
  });

  it("detects in the camera's video until it is stopped", async () => {
    const { page, errors } = await signedIn(browser, server, phone, '#/recognise/measure');
    await page.context().grantPermissions(['camera']);
    await page.getByRole('button', { name: 'Measure the video' }).click();
    let looks = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/detect-faces')) looks += 1;
    });
    await page.getByRole('heading', { name: '1 face detected' }).waitFor();
    await expect.poll(() => looks).toBeGreaterThan(2);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Measure the video' }).waitFor();
    await expect.poll(() => page.locator('video').count()).toBe(0);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('compares two pictures', async () => {
    const { page } = await signedIn(browser, server, desktop, '#/recognise/compare');
    await choose(page, 'Choose a picture: First picture', 'ani');
    await choose(page, 'Choose a picture: Second picture', 'ani-again');
    await page.getByText('Match', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.threshold').textContent()).toBe('Threshold 0.6250');
    await page.getByRole('region', { name: 'Second picture' }).getByRole('button').click();
    await choose(page, 'Choose a picture: Second picture', 'budi');
    await page.getByText('Probably different people', { exact: true }).waitFor();
  });

  const words = [
    [0.9999, '0.9999', 'Match', 'FMR better than 1 in 40,000; below that it is an estimate.'],
    [0.6, '0.6000', 'Probably the same', 'False match rate 1 in 630: of 630 pairs of two people one'],
    [0.55, '0.5500', 'Unsure', 'False match rate 1 in 250: of 250 pairs of two people one'],
    [0.2, '0.2000', 'Probably different people', 'False match rate near 1: most pairs of two people reach'],
  ] as const;
  it.each(words.slice(0, rounds(1)))(
    'has a word for the similarity %d, and its false match rate in details',
    async (similarity, ...shown) => {
      const { page } = await signedIn(browser, server, phone, '#/recognise/compare');
      await answerWith(page, 'compare-images', (answer) => ({ ...answer, similarity }));
      await choose(page, 'Choose a picture: First picture', 'ani');
      await choose(page, 'Choose a picture: Second picture', 'ani-again');
      const [score, word, rate] = shown;
      await page.getByRole('heading', { name: word, exact: true }).waitFor();
      await page.getByText(`Similarity score ${score}`, { exact: true }).waitFor();
      await expect.poll(() => page.getByText(rate).isVisible()).toBe(false);
      await page.getByText('False match rate (FMR)', { exact: true }).click();
      await page.getByText(rate).waitFor();
      await expect.poll(() => seriousViolations(page)).toEqual([]);
    },
  );

  const verdicts = [
    [{ is_spoof: false, spoof_verdict: 'bona_fide' }, 'No sign of a screen or print'],
    [{ is_spoof: true, spoof_verdict: 'attack' }, 'Signs of a screen or print'],
    [{ is_spoof: true, spoof_verdict: 'unclear' }, 'Too unclear to look for a screen or print'],
  ] as const;
  it.each(verdicts.slice(0, rounds(1)))(
    'says what networks saw of a screen or print: %j',
    async (verdict, words) => {
      const { page } = await signedIn(browser, server, desktop, '#/recognise/measure');
      await answerWith(page, 'detect-faces', ({ faces, ...answer }) => {
        const cues = [{ name: 'near', score: 0.03 }];
        return {
          ...answer,
          faces: (faces as Json[]).map((face) => ({ ...face, ...verdict, spoof_cues: cues })),
        };
      });
      await choose(page, 'Choose a picture: Measure', 'ani');
      await page.getByRole('list', { name: 'Verdicts' }).getByText(words).waitFor();
      await page.getByText('A picture alone is a veto, never a proof; a session checks more.').waitFor();
    },
  );

  it('shows a port as a name, not as an amount', async () => {
    const { page } = await signedIn(browser, server, desktop);
    await answerWith(page, 'get-status', ({ configuration, ...answer }) => ({
      ...answer,
      configuration: (configuration as Json[]).map((setting) =>
        setting['name'] === 'WAJAH_PORT' ? { ...setting, value: 18_180 } : setting,
      ),
    }));
    await goTo(page, 'System');
    const port = page.getByRole('row').filter({ hasText: 'WAJAH_PORT' }).first();
    await expect.poll(() => port.textContent()).toContain('18180');
  });

  it('switches to Indonesian and to dark colours, and remembers both', async () => {
    const { page } = await signedIn(browser, server, desktop);
    await chooseLanguage(page, 'Indonesia');
    await page.getByRole('heading', { level: 1, name: 'Kenali' }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('id');
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await openMenu(page);
    await page.getByRole('button', { name: 'Gelap', exact: true }).click();
    await expect.poll(background).not.toBe(light);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Kenali' }).waitFor();
    await expect.poll(background).not.toBe(light);
  });

  it('has a link past the navigation, and moves the focus to a new page', async () => {
    const { page } = await signedIn(browser, server, desktop);
    // The page takes the focus after rendering. Its CSP forbids what waitForFunction evaluates when it polls.
    const contentHasFocus = () =>
      expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await contentHasFocus();
    await page.evaluate('document.activeElement.blur()');
    await goTo(page, 'Tokens');
    await contentHasFocus();
  });

  it('asks to sign in again when the token is revoked', async () => {
    const { page } = await signedIn(browser, server, desktop);
    await page.route('**/face-api/**', (route) =>
      route.continue({ headers: { ...route.request().headers(), accesstoken: 'waj_gone' } }),
    );
    const focused = page.evaluate(focusWithForm);
    await page.getByRole('link', { name: 'Galleries' }).click();
    await page.getByText('The session has ended').waitFor();
    // What is typed at once must not move to another field: the password is hidden in its own alone.
    expect(await focused).toBe('client_id');
  });
});
