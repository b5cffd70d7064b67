import * as oidc from 'openid-client';
import { describe, expect, it, vi } from 'vitest';
import { filmOf } from '../../packages/server/test/support/film.ts';
import { serveHttp } from '../../packages/server/test/support/http-server.ts';
import { newClient } from '../../packages/server/test/support/liveness-sessions.ts';
import { authorization, newApp, startOpenid } from '../../packages/server/test/support/openid.ts';
import { seriousViolations } from './accessibility.ts';
import { chromiumPath, launchChromium, openPage, phone } from './chromium.ts';
import { reached, recorder } from './example-page.ts';
import { cameraScript, drawnFilm } from './film-camera.ts';

const MINUTES = 60_000;
vi.setConfig({ testTimeout: 8 * MINUTES });

describe.skipIf(!chromiumPath)('a person who signs in to an app, on a phone', () => {
  it('does the steps on the page of the server, in the language of the app, and is led back', async () => {
    const { url } = await serveHttp((_, response) => void response.end('the app'));
    const redirect_uri = `${url}/callback`;
    const started = await startOpenid();
    const client = await newClient(started.server);
    await client.enrol('ani', await (await filmOf('ani')).frame('face front', 9));
    const app = await newApp(started, client, { redirect_uris: [redirect_uri] });
    const { url: begin, checks } = await authorization(app, {
      redirect_uri,
      login_hint: 'ani',
      ui_locales: 'id-ID en',
    });
    const { page, errors } = await openPage(await launchChromium(), phone);
    await page.addInitScript(recorder);
    await page.goto(begin.href);
    await page.locator('wajah-liveness').waitFor();
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    // Reloaded, it is the same sign-in.
    const address = page.url();
    await page.reload();
    await page.locator('wajah-liveness').waitFor();
    expect(page.url()).toBe(address);
    // Three actions are drawn, of which the third may be the first one again.
    await page.evaluate(cameraScript(await drawnFilm()));
    await page.getByRole('button', { name: 'Mulai' }).click();
    await reached(page, 'passed', 6 * MINUTES);
    await page.waitForURL(`${redirect_uri}?**`);
    expect(errors).toEqual([]);
    const tokens = await oidc.authorizationCodeGrant(app.config, new URL(page.url()), checks);
    expect(tokens.claims()).toMatchObject({ sub: 'ani', amr: ['face'] });
    await page.goto(address);
    await page.getByText('Tautan ini tidak berlaku').waitFor();
  });
});
