import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { firstClient, Run, serve } from '../support/program.ts';
import { root } from '../support/sources.ts';

/** The built server with the example page of the element and its backend. */
export interface Example {
  readonly url: string;
  /** Calls the server as the client of the example. */
  call(path: string, body: object): Promise<Record<string, unknown>>;
}

/** Starts both, until the file ends. @param settings of the server beside those that all tests need */
export async function startExample(settings: Readonly<Record<string, string>> = {}): Promise<Example> {
  const folder = temporaryDirectory();
  const server = await serve({
    WAJAH_DATA_DIR: join(folder, 'data'),
    // Drawn heads are no photographs; PAD is tested with real pictures elsewhere.
    WAJAH_SPOOF_THRESHOLD: '1',
    WAJAH_UNCLEAR_SPOOF: 'accept',
    ...settings,
  });
  const { password, token } = await firstClient(server);
  writeFileSync(join(folder, 'password.txt'), password);
  const given = ['--wajah', server.url, '--password-file', join(folder, 'password.txt'), '--port', '0'];
  const backend = new Run({}, given, [process.execPath, join(root, 'packages/capture/example/server.mjs')]);
  return {
    url: await backend.waitForOutput(/(http:\S+)/),
    async call(path, body) {
      const headers = { accesstoken: token, 'content-type': 'application/json' };
      const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as Record<string, unknown>;
    },
  };
}

/** Records the events of the element and every opened camera. A string, because it runs in the page. */
export const recorder = `
  window.events = [];
  window.cameras = [];
  for (const name of ['ready', 'step', 'passed', 'failed']) {
    addEventListener(name, (event) => event.target.localName === 'wajah-liveness' && events.push({ name, ...event.detail }));
  }
  const open = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices);
  if (open) navigator.mediaDevices.getUserMedia = async (...wanted) => {
    const stream = await open(...wanted);
    cameras.push(...stream.getTracks());
    return stream;
  };
`;

export interface ElementEvent {
  readonly name: 'ready' | 'step' | 'passed' | 'failed';
  readonly step?: string;
  readonly session_id?: string;
  readonly liveness_token?: string;
  readonly reasons?: readonly string[];
  readonly results?: readonly { readonly step: string; readonly match: boolean }[];
  readonly error?: { readonly code: string; readonly status?: string; readonly step?: string };
}

export const eventsOf = (page: Page) => page.evaluate('globalThis.events ?? []') as Promise<ElementEvent[]>;

/** States of the tracks of all cameras that were opened. */
export const cameras = (page: Page) =>
  page.evaluate('cameras.map((track) => track.readyState)') as Promise<string[]>;

/** Waits until the element is in a state. @throws Error with its events when it ends in another one */
export async function reached(page: Page, state: string, timeout = 180_000): Promise<void> {
  const finalStates = ['passed', 'failed', 'error', state].map(
    (name) => `wajah-liveness[data-state="${name}"]`,
  );
  await page.locator(finalStates.join()).waitFor({ timeout });
  const reachedState = await page.locator('wajah-liveness').getAttribute('data-state');
  if (reachedState === state || !finalStates.some((selector) => selector.includes(`"${reachedState}"`)))
    return;
  const events = (await eventsOf(page)).map((event) => event.step ?? JSON.stringify(event));
  const shown = await page.locator('wajah-liveness .reasons li').allTextContents();
  throw new Error(`${reachedState} instead of ${state}: ${[...events, ...shown].join('\n')}`);
}
