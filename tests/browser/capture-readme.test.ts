import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawnFace } from '../../packages/engine/test/drawn/drawn-face.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { blocksOf } from '../support/doc-blocks.ts';
import { root } from '../support/sources.ts';
import { chromiumPath, launchChromium, openPage } from './chromium.ts';
import { reached } from './example-page.ts';

const origin = 'http://127.0.0.1:8080';
const blocks = blocksOf(readFileSync(join(root, 'packages/capture/README.md'), 'utf8'));
const [markup = '', tokenBlock = '', transportBlock = '', styles = ''] = blocks.map(({ text }) => text);

describe.skipIf(!chromiumPath)('the code blocks of the README of <wajah-liveness>', () => {
  let browser: Browser;
  beforeAll(async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'face.jpg'), await drawnFace({ person: 'ani' }));
    copyFileSync(join(folder, 'face.jpg'), join(folder, 'face.mjpeg'));
    browser = await launchChromium(join(folder, 'face.mjpeg'));
  });

  /** A page with the blocks; calls are recorded and refused. */
  async function open() {
    const { page } = await openPage(browser);
    await page.context().grantPermissions(['camera']);
    const calls: [address: string, token: string | undefined][] = [];
    await page.route('**', (route) => {
      const { href, pathname } = new URL(route.request().url());
      if (href === `${origin}/`) {
        return route.fulfill({
          contentType: 'text/html',
          body: `<title>t</title><style>${styles}</style>${markup}`,
        });
      }
      if (pathname.startsWith('/capture/')) {
        return route.fulfill({
          path: join(root, 'packages/capture/dist', pathname.slice('/capture/'.length)),
        });
      }
      if (pathname.includes('favicon')) return route.fulfill({ status: 404 });
      calls.push([href, route.request().headers()['accesstoken']]);
      const headers = { 'access-control-allow-origin': '*' };
      return route.fulfill({ status: 403, headers, json: { status: '403', detail: 'no' } });
    });
    await page.goto(`${origin}/`);
    await reached(page, 'idle');
    return { page, calls };
  }

  const start = (page: Page) => page.evaluate("void document.querySelector('wajah-liveness').start()");

  it('are all tested here', () => {
    expect(blocks.map(({ language }) => language)).toEqual(['html', 'js', 'js', 'css']);
  });

  it('put the element on a page, in Indonesian and in the colours of the page', async () => {
    const { page, calls } = await open();
    await page.getByRole('button', { name: 'Mulai' }).waitFor();
    const style = async (name: string) => {
      const inside = "document.querySelector('wajah-liveness').shadowRoot.querySelector('[part~=start]')";
      return page.evaluate<string>(`getComputedStyle(${inside})['${name}']`);
    };
    const [transform, colour] = [await style('text-transform'), await style('background-color')];
    expect([transform, colour]).toEqual(['uppercase', 'rgb(122, 60, 194)']);
    await start(page);
    await reached(page, 'error');
    expect(calls).toEqual([[`${origin}/liveness/create`, undefined]]);
  });

  it('connect the element to the service itself, with a token', async () => {
    const { page, calls } = await open();
    await page.addScriptTag({ content: `const currentToken = () => 'waj_1'; ${tokenBlock}` });
    await page.evaluate("element.removeAttribute('create-url'); element.removeAttribute('submit-url')");
    await start(page);
    await reached(page, 'error');
    expect(calls).toEqual([['https://wajah.example.com/liveness-api/create-session', 'waj_1']]);
  });

  it('give the element a transport of the page', async () => {
    const { page, calls } = await open();
    const answers = {
      session_id: 's',
      steps: ['face front'],
      expires_in: 60,
      front_angle: 12,
      faces: [{ box: { x: 200, y: 200, width: 200, height: 200 }, yaw: 0, pitch: 0 }],
      width: 640,
      height: 640,
      liveness: 'failed',
      reasons: ['step: no'],
      results: [],
      liveness_token: '',
      tries_left: 0,
      digest: 'd',
    };
    await page.addScriptTag({ content: `Object.assign(window, ${JSON.stringify(answers)})` });
    await page.addScriptTag({
      content: `const element = document.querySelector('wajah-liveness'); ${transportBlock}`,
    });
    await start(page);
    await reached(page, 'failed');
    expect(calls).toEqual([]);
  });
});
