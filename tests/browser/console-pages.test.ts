import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { padInstallCommands, padNotice } from '../../packages/server/src/config/pad-notice.ts';
import { cleanUp, temporaryDirectory } from '../support/program.ts';
import { seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage, phone } from './chromium.ts';
import {
  type ConsoleServer,
  goTo,
  signedIn,
  signIn,
  startConsole,
  unexpectedErrors,
} from './console-server.ts';

const looks = [phone, desktop].flatMap(({ viewport }) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport: viewport!, colorScheme })),
);

describe.skipIf(!chromiumPath)('pages of the console', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startConsole(), launchChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await cleanUp();
  });

  /** Serious axe violations and elements wider than the window, in light and dark, on phone and desktop. */
  async function problems(page: Page, name: string): Promise<string[]> {
    const found: string[] = [];
    for (const { viewport, colorScheme } of looks) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const report = (text: string) => found.push(`${name}, ${viewport.width} px, ${colorScheme}: ${text}`);
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (beyond > 0) report(`${beyond} px too wide`);
      for (const problem of await seriousViolations(page)) report(problem);
    }
    return found;
  }

  it('fit phones and desktops, and have no serious accessibility problems', async () => {
    const { page, errors } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await page.goto(`${server.url}/console`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const found = await problems(page, 'sign in');
    await signIn(page, server);
    await page.getByText('Nobody is enrolled').waitFor();
    found.push(...(await problems(page, 'recognise')));
    await goTo(page, 'Try it');
    await page.getByLabel('Choose pictures: Detect faces').setInputFiles(server.picture('group'));
    await page.getByRole('heading', { name: '3 faces detected' }).waitFor();
    found.push(...(await problems(page, 'try it')));
    await page.getByRole('button', { name: 'Compare two faces' }).click();
    await page.getByLabel('Choose a picture: First picture').setInputFiles(server.picture('ani'));
    await page.getByLabel('Choose a picture: Second picture').setInputFiles(server.picture('ani-again'));
    await page.locator('.scale').waitFor();
    found.push(...(await problems(page, 'compare')));
    await page.getByRole('button', { name: 'Live' }).click();
    found.push(...(await problems(page, 'live')));
    for (const name of ['Galleries', 'Liveness', 'Activity', 'Tokens', 'System']) {
      await goTo(page, name);
      await page.waitForLoadState('networkidle');
      found.push(...(await problems(page, name)));
    }
    await page.getByText(padNotice).waitFor();
    await page.getByText(padInstallCommands[1]).last().waitFor();
    await page.goto(`${server.url}/console#/galleries/demo%40trial`);
    await page.getByText('Nobody is enrolled').waitFor();
    found.push(...(await problems(page, 'gallery')));
    await page.goto(`${server.url}/docs#enrolFace`);
    await page.locator('.operation[open] form').waitFor();
    found.push(...(await problems(page, 'reference')));
    expect(found).toEqual([]);
    expect(unexpectedErrors(errors)).toEqual([]);
    await page.context().close();
  });

  describe('the reference', () => {
    it('lists every endpoint of the document', async () => {
      const { page } = await openPage(browser, { ...desktop, locale: 'en-GB' });
      await page.goto(`${server.url}/docs`);
      await page.locator('.operation').first().waitFor();
      const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: object };
      expect((await page.locator('.operation .path').allTextContents()).sort()).toEqual(
        Object.keys(paths).sort(),
      );
      await page.getByLabel('Filter endpoints').fill('compare-images');
      expect(await page.locator('.operation').count()).toBe(1);
      await page.context().close();
    });

    it('sends a call with the token of the session', async () => {
      const { page } = await openPage(browser, { ...desktop, locale: 'en-GB' });
      await page.goto(`${server.url}/docs#detectFaces`);
      const card = page.locator('#detectFaces');
      expect(await card.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Sign in to send' }).click();
      await page.fill('input[name=client_id]', server.clientId);
      await page.fill('input[name=password]', server.password);
      await page.keyboard.press('Enter');
      await page.getByText('Signed in as demo').waitFor();
      await card.getByLabel('image (required)').setInputFiles(server.picture('ani'));
      await card.getByLabel('attributes (optional)').fill('["pose"');
      await card.getByRole('button', { name: 'Send' }).click();
      await card.getByText('attributes is not valid JSON.').waitFor();
      await card.getByLabel('attributes (optional)').fill('["pose"]');
      await card.getByRole('button', { name: 'Send' }).click();
      await card.getByText('HTTP 200', { exact: true }).waitFor();
      expect(await card.locator('form ~ div pre').textContent()).toMatch(/"yaw": -?\d/);
      await page.context().close();
    });

    it('shows commands that work when pasted', async () => {
      const { page } = await signedIn(browser, server, desktop);
      const answer = page.waitForResponse('**/oauth/client/token');
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
      await page.context().close();
    });
  });
});
