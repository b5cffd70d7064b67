import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  drawnFace,
  drawnPicture,
  PERSONS,
  type PersonName,
} from '../../packages/engine/test/drawn/drawn-face.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { firstClient, serve } from '../support/program.ts';
import { launchChromium, openPage, requestsOf } from './chromium.ts';

export type Json = Record<string, unknown>;

/** The built server with its console, and drawn pictures. */
export interface ConsoleServer {
  readonly url: string;
  readonly clientId: string;
  readonly password: string;
  /** What the console keeps of a client that has signed in. */
  readonly session: string;
  /** Environment for commands on the same data directory. */
  readonly settings: Readonly<Record<string, string>>;
  /** Path of a drawn picture by its name: a person, `<person>-again`, `group`, `nobody`. */
  picture(name: string): string;
  /** The same as base64. */
  base64(name: string): string;
  call(path: string, body: Json, method?: 'POST' | 'DELETE'): Promise<Json>;
}

/** Starts the server, until the file ends. */
export async function startConsole(more: Record<string, string> = {}): Promise<ConsoleServer> {
  const folder = temporaryDirectory();
  const settings = {
    WAJAH_DATA_DIR: join(folder, 'data'),
    WAJAH_KEEP_FACE_CROPS: 'true',
    WAJAH_CALLS_PER_MINUTE: '100000',
    // Drawn heads are no photographs; PAD is tested with real pictures elsewhere.
    WAJAH_SPOOF_THRESHOLD: '1',
    WAJAH_UNCLEAR_SPOOF: 'accept',
    ...more,
  };
  const [server] = await Promise.all([serve(settings), draw(folder)]);
  const { password, token } = await firstClient(server);
  const clientId = 'demo';
  return {
    url: server.url,
    clientId,
    password,
    session: JSON.stringify({
      clientId,
      token: await sessionToken(server.url, { client_id: clientId, password }),
      operator: true,
    }),
    settings,
    picture: (name) => join(folder, `${name}.jpg`),
    base64: (name) => readFileSync(join(folder, `${name}.jpg`)).toString('base64'),
    async call(path, body, method = 'POST') {
      const headers = { accesstoken: token, 'content-type': 'application/json' };
      const answer = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
      return (await answer.json()) as Json;
    },
  };
}

async function sessionToken(
  url: string,
  credentials: { client_id: string; password: string },
): Promise<string> {
  const body = new URLSearchParams({ ...credentials, scope: 'diagnostics operate' });
  const answer = await fetch(`${url}/oauth/client/token`, { method: 'POST', body });
  return String(((await answer.json()) as Json)['access_token']);
}

/** A browser whose camera shows one picture; a JPEG is a valid MJPEG video. */
export function launchWithPicture(server: ConsoleServer, name: string): Promise<Browser> {
  const video = join(temporaryDirectory(), `${name}.mjpeg`);
  copyFileSync(server.picture(name), video);
  return launchChromium(video);
}

async function draw(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const people = Object.keys(PERSONS) as PersonName[];
  const write = async (name: string, picture: Promise<Buffer>) =>
    writeFileSync(join(folder, `${name}.jpg`), await picture);
  for (const person of people) {
    await write(person, drawnFace({ person, width: 560, height: 560 }));
    await write(`${person}-again`, drawnFace({ person, width: 560, height: 560, tilt: 6, brightness: 0.9 }));
  }
  const faces = people.slice(0, 3).map((person, i) => ({ person, x: 260 + i * 380, y: 330, size: 380 }));
  await write('group', drawnPicture({ width: 1280, height: 720, background: '#dfe7ea', faces }));
  await write('nobody', drawnPicture({ width: 400, height: 300, faces: [] }));
}

/** Opens a page of the console in a tab that has signed in: most tests are not about the form. */
export async function signedIn(
  browser: Browser,
  server: ConsoleServer,
  options: BrowserContextOptions = {},
  address = '',
): Promise<{ page: Page; errors: string[] }> {
  const opened = await openPage(browser, { locale: 'en-GB', ...options });
  const session = JSON.stringify(server.session);
  // Once: a tab that signs out stays so.
  await opened.page.addInitScript(`if (location.protocol === 'http:' && !sessionStorage.getItem('begun')) {
    sessionStorage.setItem('begun', 'true');
    sessionStorage.setItem('wajah.session', ${session});
  }`);
  await opened.page.goto(`${server.url}/console${address}`);
  await shellIsLoaded(opened.page);
  return opened;
}

export async function signIn(page: Page, { clientId, password }: ConsoleServer): Promise<void> {
  await page.fill('input[name=client_id]', clientId);
  await page.fill('input[name=password]', password);
  await page.click('form button[type=submit]');
  await shellIsLoaded(page);
}

async function shellIsLoaded(page: Page): Promise<void> {
  await page.waitForSelector('.shell');
  await loaded(page);
}

/** Opens the menu with the preferences, the password and signing out. */
export async function openMenu(page: Page): Promise<void> {
  if (!(await page.locator('.menu > .card').isVisible())) await page.locator('.menu > button').click();
}

/** Chooses a person by a part of the name or ID that nobody else has. */
export async function choosePerson(page: Page, part: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Person' });
  await field.fill(part);
  await field.press('Enter');
  await expect.poll(() => field.inputValue()).toMatch(/ · /);
}

/** Chooses a language: in the menu of the account, or on a page without one. */
export async function chooseLanguage(page: Page, name: string): Promise<void> {
  if ((await page.locator('.menu').count()) > 0) await openMenu(page);
  await page.getByRole('button', { name }).click();
  await page.keyboard.press('Escape');
}

/** Opens a page by its link in the navigation. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await loaded(page);
}

/**
 * Waits until the page that is open has what it loads.
 * An address behind `#` loads no document, so the browser's own states say nothing about it.
 */
export async function loaded(page: Page): Promise<void> {
  const loading = async () => (await requestsOf(page)) + (await page.locator('.skeleton').count());
  // Twice in a row: what an answer shows may start the next request.
  await expect.poll(async () => (await loading()) + (await loading())).toBe(0);
}

/** Holds the answers of an endpoint until the returned function is called. */
export async function hold(page: Page, endpoint: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/${endpoint}`, async (route) => {
    await released;
    await route.fallback();
  });
  return release;
}

/** Enrols drawn people in a new gallery. @param people picture by user_id; it is the name, too */
export async function enrolled(
  server: ConsoleServer,
  gallery: string,
  people: Readonly<Record<string, string>>,
): Promise<void> {
  await server.call('/face-api/facegallery/create-facegallery', { facegallery_id: gallery });
  for (const [user_id, user_name] of Object.entries(people)) {
    const image = server.base64(user_name);
    const person = { facegallery_id: gallery, user_id, user_name, image };
    await server.call('/face-api/facegallery/enroll-face', person);
  }
}

/** The lines of a file that a button saves. */
export async function savedBy(page: Page, button: string, within: Page | Locator = page): Promise<string[]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    within.getByRole('button', { name: button }).click(),
  ]);
  return readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
}

/** The errors without refused calls, which Chromium always reports. */
export function unexpectedErrors(errors: readonly string[]): string[] {
  return errors.filter((error) => !/status of (401|403|404|409|412|422)/.test(error));
}
