import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { hasPadFiles, installedPadPack } from '../../packages/engine/test/support/pad-pack.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { firstClient, serve } from '../support/program.ts';
import { problemsAt, seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage, phone } from './chromium.ts';
import { loaded, signedIn, startConsole } from './console-server.ts';
import { cameras, eventsOf, reached, recorder } from './example-page.ts';
import { cameraScript, drawnFilm, type Scene } from './film-camera.ts';
import { hasFilm, selfieFrames, selfieScenes } from './selfie-film.ts';

const MINUTES = 60_000;
vi.setConfig({ testTimeout: 8 * MINUTES });

describe.skipIf(!chromiumPath)('a session that the server hosts, on a phone', () => {
  let url: string;
  let token: string;
  let browser: Browser;
  beforeAll(async () => {
    const settings = {
      WAJAH_DATA_DIR: join(temporaryDirectory(), 'data'),
      // Drawn heads are no photographs.
      WAJAH_SPOOF_THRESHOLD: '1',
      WAJAH_UNCLEAR_SPOOF: 'accept',
    };
    const server = await serve(settings);
    url = server.url;
    token = (await firstClient(server)).token;
    browser = await launchChromium();
  });

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async function call(path: string, body: object): Promise<any> {
    const headers = { accesstoken: token, 'content-type': 'application/json' };
    return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  }

  /** The page of a session with a film before its camera, and the calls that it makes. */
  async function open(address: string, film: Scene[]) {
    const { page, errors } = await openPage(browser, phone);
    await page.addInitScript(recorder);
    const calls: string[] = [];
    page.on('request', (request) => {
      const name = /\/liveness-api\/(.*)$/.exec(request.url())?.[1];
      if (name) calls.push(name);
    });
    await page.goto(address);
    await page.locator('wajah-liveness').waitFor();
    await page.evaluate(cameraScript(film));
    return { page, errors, calls };
  }

  const overflows = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth');

  it('is passed, leads on with the nonce, and its frame is enrolled', async () => {
    const redirect_url = `${url}/docs?order=7`;
    const created = {
      hosted: true,
      keep_frame: true,
      steps: 2,
      subject: 'account 7',
      redirect_url,
      lang: 'id',
    };
    const session = await call('/liveness-api/create-session', created);
    const { session_id, nonce } = session;
    const { page, errors, calls } = await open(session.url, await drawnFilm());
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await expect.poll(() => overflows(page)).toBe(false);
    const submitted = page.waitForRequest((request) => request.url().endsWith('/submit-session'));
    await page.getByRole('button', { name: 'Mulai' }).click();
    await reached(page, 'passed', 6 * MINUTES);
    // The frame with which the wait ended was taken before the session began, however long that took.
    const { frames } = (await submitted).postDataJSON() as { frames: { captured_at?: string }[] };
    expect([frames[0]?.captured_at, typeof frames[1]?.captured_at]).toEqual([undefined, 'string']);
    await page.getByRole('link', { name: 'Lanjutkan' }).waitFor();
    await page.waitForURL(`${redirect_url}&session_id=${session_id}&nonce=${nonce}`);
    expect(errors).toEqual([]);
    console.info(`calls of the page: ${calls.join(' ')}`);
    expect(calls.filter((name) => name === 'begin-session')).toHaveLength(1);
    const { state, liveness_token } = await call('/liveness-api/get-session', { session_id });
    expect(state).toBe('passed');
    const person = { user_id: 'ani', user_name: 'Ani', facegallery_id: 'demo@trial' };
    const proof = { liveness_token, use_session_frame: true };
    const enrolled = await call('/face-api/facegallery/enroll-face', { ...person, ...proof });
    expect(enrolled.status).toBe('200');
    const { page: again } = await openPage(browser, phone);
    await again.goto(session.url);
    await again.getByText('Pemeriksaan ini selesai: lulus.').waitFor();
  });

  it.skipIf(!hasFilm || !hasPadFiles)(
    'is passed by a person with a link of the console, which shows it and enrols them',
    async () => {
      const directory = join(temporaryDirectory(), 'data');
      await installedPadPack(join(directory, 'packs'));
      // The film shows turns only.
      const strict = {
        WAJAH_SPOOF_THRESHOLD: '',
        WAJAH_UNCLEAR_SPOOF: '',
        WAJAH_SESSION_EXPRESSION: 'false',
      };
      const server = await startConsole({ ...strict, WAJAH_DATA_DIR: directory });
      const frames = await selfieFrames();
      const { page: desk } = await signedIn(browser, server, desktop, '#/liveness');
      await desk.getByLabel('Steps between the first and the last frontal step').selectOption('2');
      let address = '';
      let scenes: Scene[] | undefined;
      for (let tries = 1; !scenes && tries <= 30; tries++) {
        await desk.getByLabel('Name of the link').fill(`order ${tries}`);
        await desk.getByRole('button', { name: 'Make a link' }).click();
        address = (await desk
          .locator('.link', { hasText: `order ${tries}` })
          .locator('code')
          .textContent())!;
        const [session_id] = new URL(address).hash.slice(1).split('.');
        const { steps } = await server.call('/liveness-api/begin-session', { session_id });
        scenes = selfieScenes(frames, steps as string[]);
      }
      const { page, errors } = await open(address, scenes!);
      const link = desk.locator('.link').first();
      await desk.reload();
      await link.getByText('under way').waitFor();
      await page.getByRole('button', { name: 'Start' }).click();
      await reached(page, 'passed', 6 * MINUTES);
      await page.getByText('You can close this page.').waitFor();
      expect(errors).toEqual([]);
      // A name that somebody typed is no proof of who passed.
      await link.getByText('liveness passed, face compared with nobody').waitFor();
      await link.getByText('Nobody here has seen this face').waitFor();
      for (const { viewport } of [phone, desktop]) expect(await problemsAt(desk, viewport!)).toEqual([]);
      await link.getByRole('heading', { name: 'Liveness token' }).waitFor();
      // Another tab as it is ten minutes later.
      const { page: late } = await signedIn(browser, server, desktop, '#/liveness');
      const kept = await desk.evaluate<string>("sessionStorage.getItem('wajah.links')");
      // The token is asked for again.
      expect(kept).not.toContain('token');
      await late.evaluate(`sessionStorage.setItem('wajah.links', ${JSON.stringify(kept)})`);
      await late.clock.install();
      await late.reload();
      await Promise.all([
        late.waitForResponse(/get-session$/),
        late.getByText('Valid until').first().waitFor(),
      ]);
      await loaded(late);
      await late.clock.fastForward(600_000);
      await late.getByText('The liveness token has expired at').first().waitFor();
      await link.getByLabel('Name').fill('Ani');
      await link.getByLabel('User ID').fill('3174001');
      const [sent] = await Promise.all([
        desk.waitForRequest(/enroll-face$/),
        link.getByRole('button', { name: 'Enrol 1 person' }).click(),
      ]);
      // A face that nobody has seen may be that of somebody who is enrolled, or suspended.
      expect(sent.postDataJSON()).toMatchObject({ use_session_frame: true, check_duplicate: true });
      await link.getByText('Ani is enrolled. The token is used.').waitFor();
      await desk.reload();
      await link.getByText('liveness passed, face compared with nobody').waitFor();
      await expect.poll(() => link.getByRole('button', { name: 'Enrol 1 person' }).count()).toBe(0);
    },
  );

  it('tells a person whose network is lost, and ends without another frame', async () => {
    const session = await call('/liveness-api/create-session', { hosted: true, lang: 'en' });
    const { page } = await open(session.url, await drawnFilm(['face front']));
    await page.getByRole('button', { name: 'Start' }).click();
    await reached(page, 'running');
    await page
      .getByText(/^Step 2 of/)
      .first()
      .waitFor();
    const steps = (await eventsOf(page)).length;
    await page.context().setOffline(true);
    await page.getByText('No answer from the server: check your connection').first().waitFor();
    await reached(page, 'error');
    await expect
      .poll(async () => (await eventsOf(page)).at(-1))
      .toMatchObject({ error: { code: 'network' } });
    // The last event is the error itself.
    await expect.poll(async () => (await eventsOf(page)).length).toBe(steps + 1);
    await expect.poll(() => cameras(page)).toEqual(['ended']);
  });

  it('says what is wrong with a link', async () => {
    const { page } = await openPage(browser, phone);
    const { url: address } = await call('/liveness-api/create-session', { hosted: true });
    await page.goto(address.slice(0, -1));
    await page.getByText('This link is not valid. Ask whoever sent it for another one.').waitFor();
    const { page: other } = await openPage(browser, phone);
    await other.goto(address.replace(/#.*/, ''));
    await other.getByText('This link is not complete.').waitFor();
  });

  it('says in either language that a newer link has ended it, also when it is open already', async () => {
    const make = (lang: string) =>
      call('/liveness-api/create-session', { hosted: true, subject: 'person 1', lang });
    const { url: first } = await make('en');
    const { page } = await open(first, await drawnFilm(['face front']));
    const start = page.getByRole('button', { name: 'Start' });
    await start.waitFor();
    const { url: second } = await make('id');
    await start.click();
    const words = page.getByText(
      'This link was ended: by a newer link for the same person, or by whoever sent it.',
    );
    await words.waitFor();
    await page.reload();
    await words.waitFor();
    await make('en');
    const { page: other } = await openPage(browser, phone);
    await other.goto(second);
    await other.getByText('Tautan ini telah diakhiri: oleh tautan yang lebih baru').waitFor();
  });
});
