import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage, phone } from './chromium.ts';
import {
  type ConsoleServer,
  choosePerson,
  signedIn,
  signIn,
  startConsole,
  unexpectedErrors,
} from './console-server.ts';
import { reached } from './example-page.ts';
import { cameraScript, drawnFilm } from './film-camera.ts';

const MINUTES = 60_000;

describe.runIf(chromiumPath)('liveness in the console', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startConsole(), launchChromium()]);
  });

  /** The page Liveness, with a head before the camera. */
  async function liveness(size: typeof desktop) {
    const { page, errors } = await signedIn(browser, server, size, '#/liveness');
    await page.evaluate(cameraScript(await drawnFilm()));
    await page.getByLabel('Steps between the first and the last frontal step').selectOption('2');
    return { page, errors };
  }

  it('passes a person who does the steps, and enrols them into a gallery that requires liveness', async () => {
    await server.call('/face-api/facegallery/create-facegallery', {
      facegallery_id: 'door',
      require_liveness: true,
    });
    const { page, errors } = await liveness(phone);
    await page.getByRole('button', { name: 'Start' }).click();
    await reached(page, 'passed', 5 * MINUTES);
    await page.getByRole('heading', { name: 'Results of the steps' }).waitFor();
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Yes' }).count()).toBe(4);
    await expect.poll(() => page.getByLabel('Gallery').inputValue()).toBe('door');
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await page.getByLabel('Name', { exact: true }).fill('Ani');
    await page.getByLabel('User ID').fill('3174001');
    await page.getByRole('button', { name: 'Enrol 1 person' }).click();
    await page.getByText('Ani is enrolled. The token is used.').waitFor();
    const { faces } = await server.call('/face-api/facegallery/list-faces', { facegallery_id: 'door' });
    expect(faces).toEqual([{ user_id: '3174001', user_name: 'Ani' }]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('reports why another person is refused', async () => {
    const budi = { facegallery_id: 'demo@trial', user_id: 'b-1', user_name: 'Budi' };
    const image = server.base64('budi');
    await server.call('/face-api/facegallery/enroll-face', { ...budi, image });
    const { page, errors } = await liveness(desktop);
    await page.getByText('The model pack pad is not in use on this server').waitFor();
    await page.getByLabel(/^An enrolled person/).check();
    await expect.poll(() => page.getByLabel('Gallery').inputValue()).toBe('demo@trial');
    // Nobody is taken for a person who is not chosen yet.
    await page.getByText('Choose a person').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Start' }).count()).toBe(0);
    const make = page.getByRole('button', { name: 'Make a link' });
    await expect.poll(() => make.isDisabled()).toBe(true);
    await choosePerson(page, 'bud');
    await expect.poll(() => page.getByRole('combobox', { name: 'Person' }).inputValue()).toBe('Budi · b-1');
    const [made] = await Promise.all([page.waitForRequest(/create-session$/), make.click()]);
    expect(made.postDataJSON()).toMatchObject({ user_id: 'b-1', facegallery_id: 'demo@trial' });
    await page.locator('.link strong').getByText('Budi (b-1)').waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    await reached(page, 'failed', 5 * MINUTES);
    await page.getByRole('heading', { name: 'Not passed' }).waitFor();
    await page.locator('.reasons').getByText('does not match the expected person').waitFor();
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Yes' }).count()).toBe(4);
    await expect.poll(() => page.getByRole('heading', { name: 'Enrol with this token' }).count()).toBe(0);
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  /** Makes a link for somebody of the gallery `links`. @returns its address */
  async function linkFor(page: Page, name: string, person: string): Promise<string> {
    await choosePerson(page, person);
    await page.getByLabel('Name of the link').fill(name);
    const links = page.locator('.link');
    const before = await links.count();
    await page.getByRole('button', { name: 'Make a link' }).click();
    await expect.poll(() => links.count()).toBe(before + 1);
    return (await links.first().locator('code').textContent())!;
  }

  it('keeps apart two people of one name, and says what became of the links of those who are gone', async () => {
    const gallery = { facegallery_id: 'links' };
    await server.call('/face-api/facegallery/create-facegallery', gallery);
    for (const user_id of ['7001', '7002', '7003']) {
      const person = { ...gallery, user_id, user_name: 'Yoga', image: server.base64('ani') };
      await server.call('/face-api/facegallery/enroll-face', person);
    }
    const { page, errors } = await signedIn(browser, server, desktop, '#/liveness');
    await page.getByLabel(/^An enrolled person/).check();
    await page.getByLabel('Gallery').selectOption('links');
    const addresses = [];
    for (const user_id of ['7001', '7002', '7003'])
      addresses.unshift(await linkFor(page, 'New employee', user_id));
    const links = page.locator('.link');
    for (const user_id of ['7001', '7002', '7003'])
      await links
        .filter({ hasText: `Yoga (${user_id})` })
        .getByText('waiting')
        .waitFor();
    const phones = [];
    for (const address of addresses) {
      const { page: one } = await openPage(browser, { ...phone, locale: 'en-GB' });
      await one.goto(address);
      await one.locator('wajah-liveness').waitFor();
      await one.evaluate(cameraScript(await drawnFilm(['face front'])));
      phones.push(one);
    }
    await server.call('/face-api/person/suspend-person', { ...gallery, user_id: '7002' });
    await server.call('/face-api/facegallery/delete-face', { ...gallery, user_id: '7001' }, 'DELETE');
    for (const one of phones.slice(1)) {
      await one.getByRole('button', { name: 'Start' }).click();
      await one.getByText('This link is not valid. Ask whoever sent it for another one.').waitFor();
      expect(await one.locator('body').textContent()).not.toMatch(/suspend|Accesstoken/);
    }
    await links.filter({ hasText: '7002' }).getByText('ended: the person is suspended').waitFor();
    await links.filter({ hasText: '7001' }).getByText('ended: the person was erased').waitFor();
    await links.filter({ hasText: '7003' }).getByText('waiting').waitFor();
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('makes another link with one press for one that was lost, and for one whose tries are used up', async () => {
    const { page, errors } = await signedIn(browser, server, desktop, '#/liveness');
    await page.getByLabel('Name of the link').fill('order 9');
    await page.getByRole('button', { name: 'Make a link' }).click();
    const links = page.locator('.link');
    const addressOf = async (at: number) => (await links.nth(at).locator('code').textContent())!;
    const lost = await addressOf(0);
    await page.getByRole('button', { name: 'Another link for order 9' }).click();
    await links.nth(1).getByText('ended by a newer link').waitFor();
    const address = await addressOf(0);
    expect(address).not.toBe(lost);
    const [session_id] = new URL(address).hash.slice(1).split('.');
    for (const left of [2, 1, 0]) {
      await server.call('/liveness-api/begin-session', { session_id: session_id! });
      const frames = [{ step: 'face up', image: 'AAAA' }];
      await server.call('/liveness-api/submit-session', { session_id: session_id!, frames });
      if (left > 0) await links.first().getByText(`Tries left: ${left}.`).waitFor();
    }
    await links.first().getByText('not passed', { exact: true }).waitFor();
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await links.first().getByRole('button', { name: 'Another link for order 9' }).click();
    await expect.poll(() => links.count()).toBe(3);
    await links.first().getByText('waiting').waitFor();
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('has the links again after the end of a sign-in, for the same client alone', async () => {
    const { page } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await page.goto(`${server.url}/console#/liveness`);
    await signIn(page, server);
    await page.getByLabel('Name of the link').fill('order 7');
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = page.locator('.link strong').getByText('order 7');
    await link.waitFor();
    const [session_id] = new URL((await page.locator('.link code').textContent())!).hash.slice(1).split('.');
    /** Revokes the token of the tab, as its end does. */
    const expire = async () => {
      const kept = await page.evaluate<string>("sessionStorage.getItem('wajah.session')");
      const headers = { accesstoken: JSON.parse(kept).token, 'content-type': 'application/json' };
      await fetch(`${server.url}/oauth/token/revoke`, { method: 'POST', headers, body: '{"own":true}' });
      await page.getByText('The session has ended').waitFor();
    };
    await expire();
    await server.call('/liveness-api/begin-session', { session_id: session_id! });
    await signIn(page, server);
    await link.waitFor();
    await page.getByText('under way').waitFor();
    await expire();
    const other = { ...server, clientId: 'other', password: await passwordOf('other') };
    await signIn(page, other);
    await page.getByRole('button', { name: 'Make a link' }).waitFor();
    await expect.poll(() => page.locator('.link').count()).toBe(0);
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('order 7');
  });

  async function passwordOf(client_id: string): Promise<string> {
    const { token } = JSON.parse(server.session);
    const headers = { accesstoken: token, 'content-type': 'application/json' };
    const body = JSON.stringify({ client_id });
    const answer = await fetch(`${server.url}/system-api/create-client`, { method: 'POST', headers, body });
    return (await answer.json()).password;
  }
});
