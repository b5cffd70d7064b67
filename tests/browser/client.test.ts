import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveHttp } from '../../packages/server/test/support/http-server.ts';
import { drawPictures, startTestApp, type TestApp } from '../../packages/server/test/support/test-app.ts';
import { root } from '../support/sources.ts';
import { chromiumPath, launchChromium, openPage } from './chromium.ts';

/** The program of the page. */
const program = `
import { createWajahClient, isWajahError } from '/client/index.js';

const blobOf = async (base64) => (await fetch('data:image/jpeg;base64,' + base64)).blob();

async function caught(work) {
  const error = await work.catch((reason) => reason);
  return isWajahError(error) ? error.status + (error.trxId ? ' traced' : '') : String(error);
}

globalThis.run = async ({ url, token, gallery, ani, aniAgain }) => {
  const people = createWajahClient({ url, token: async () => token }).gallery(gallery);
  const blob = await blobOf(ani);
  const enrolled = await people.enrol({ user_id: 'ani', user_name: 'Ani', image: blob });
  const picture = await createImageBitmap(await blobOf(aniAgain));
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext('2d').drawImage(picture, 0, 0);
  const found = await people.identify(await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 }));
  return {
    enrolled: enrolled.status,
    found: found?.user_name,
    unknown: await caught(people.verify('nobody', blob)),
    file: await caught(people.verify('ani', { path: 'a.jpg' })),
    removed: await people.remove('ani'),
  };
};
`;

/** A web server with the built library and an empty page: another origin than that of Wajah. */
const openSite = () =>
  serveHttp(({ url = '/' }, response) => {
    if (url === '/')
      return void response
        .setHeader('content-type', 'text/html')
        .end(`<script type="module">${program}</script>`);
    if (!/^\/client\/[\w/-]+\.js$/.test(url)) return void response.writeHead(404).end();
    const file = join(root, 'packages/client/dist', url.slice('/client/'.length));
    response.setHeader('content-type', 'text/javascript').end(readFileSync(file));
  });

describe.skipIf(!chromiumPath)('the client library in Chromium', () => {
  let site: Awaited<ReturnType<typeof openSite>>;
  let wajah: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    site = await openSite();
    wajah = await startTestApp({ WAJAH_CORS_ORIGINS: site.url });
    browser = await launchChromium();
  });

  it('enrols a Blob, identifies a canvas, erases, and distinguishes refusals', async () => {
    const url = await wajah.app.listen({ host: '127.0.0.1', port: 0 });
    const { token, gallery } = await wajah.client();
    const { ani, aniAgain } = await drawPictures();
    const { page, errors } = await openPage(browser);
    await page.goto(site.url);
    const given = { url, token, gallery, ani, aniAgain };
    await page.waitForFunction('globalThis.run');
    const events = await page.evaluate((fields) => {
      return (globalThis as unknown as { run(given: object): Promise<unknown> }).run(fields);
    }, given);
    expect(events).toEqual({
      enrolled: '200',
      found: 'Ani',
      unknown: '415 traced',
      file: 'TypeError: a.jpg: only Node reads files; give a Blob or a File',
      removed: true,
    });
    // Chromium reports answers such as 404, and the server is another origin.
    const expected = ['the server responded with a status of', `calls ${url}`];
    expect(errors.filter((fault) => !expected.some((text) => fault.includes(text)))).toEqual([]);
  });
});
