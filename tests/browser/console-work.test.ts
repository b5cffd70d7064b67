import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { webhooks as texts } from '../../packages/console/src/features/webhooks/texts.ts';
import { common } from '../../packages/console/src/i18n/messages.ts';
import { chooseLanguage as chooseTexts } from '../../packages/console/src/state/preferences.ts';
import { startReceiver } from '../../packages/server/test/support/webhook-receiver.ts';
import { wajah } from '../support/program.ts';
import { fits, seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage } from './chromium.ts';
import { worksWithGalleries } from './console-galleries.ts';
import {
  type ConsoleServer,
  chooseLanguage,
  goTo,
  hold,
  type Json,
  loaded,
  openMenu,
  savedBy,
  signedIn,
  signIn,
  startConsole,
  unexpectedErrors,
} from './console-server.ts';

/** More than one page of people. */
const crowd = 27;

describe.skipIf(!chromiumPath)('work in the console', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([
      startConsole({ WAJAH_WEBHOOKS: 'true', WAJAH_WEBHOOK_NETWORKS: '127.0.0.1' }),
      launchChromium(),
    ]);
    const image = server.base64('eka');
    await server.call('/face-api/facegallery/create-facegallery', { facegallery_id: 'crowd' });
    for (let i = 0; i < crowd; i++) {
      const person = { user_id: `c-${String(i).padStart(2, '0')}`, user_name: `Orang ${i}`, image };
      await server.call('/face-api/facegallery/enroll-face', { facegallery_id: 'crowd', ...person });
    }
  });

  worksWithGalleries(() => ({ server, browser }), crowd);

  it('creates a token that is shown once and works until it is revoked', async () => {
    const { page } = await signedIn(browser, server, desktop, '#/keys');
    await page.getByText('No API tokens').waitFor();
    await page.getByLabel('Name').fill('door-7');
    await page.getByLabel('read', { exact: true }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
    expect(token).toMatch(/^waj_/);
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const row = page.getByRole('row').filter({ hasText: 'door-7' });
    await expect.poll(() => row.textContent()).toContain('recognise, read');
    await expect.poll(() => page.content()).not.toContain(token);
    const counters = async () => {
      const headers = { accesstoken: token };
      return (await fetch(`${server.url}/face-api/client/get-counters`, { headers })).status;
    };
    expect(await counters()).toBe(200);
    await row.getByRole('button', { name: 'Revoke door-7' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked').waitFor();
    expect(await counters()).toBe(401);
  });

  it.each([
    ['en-GB', desktop, 'Change password', 'The present password is wrong.', 'The password is changed'],
    [
      'id-ID',
      { viewport: { width: 320, height: 640 } },
      'Ganti kata sandi',
      'Kata sandi sekarang salah.',
      'Kata sandi telah diganti',
    ],
  ] as const)('changes the password of the client, in %s', async (locale, size, change, wrong, changed) => {
    const clientId = `clerk-${locale}`;
    const made = await wajah(server.settings, 'client', 'create', clientId, '--json');
    const { password, access_token } = JSON.parse(made.out) as { password: string; access_token: string };
    const { page, errors } = await openPage(browser, { ...size, locale });
    await page.goto(`${server.url}/console`);
    await signIn(page, { ...server, clientId, password });
    await fits(page);
    await openMenu(page);
    await page.getByRole('button', { name: change }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: change });
    const type = async (present: string, fresh: string, again: string) => {
      await dialog.locator('input[name=password]').fill(present);
      await dialog.locator('input[name=fresh]').fill(fresh);
      await dialog.locator('input[name=again]').fill(again);
    };
    for (const [fresh, again] of [
      ['seven 7', 'seven 7'],
      ['a new password', 'another password'],
    ] as const) {
      await type(password, fresh, again);
      await expect.poll(() => submit.isDisabled()).toBe(true);
    }
    await type('not the password', 'a new password', 'a new password');
    await submit.click();
    await dialog.getByText(wrong).waitFor();
    await fits(page);
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await type(password, 'a new password', 'a new password');
    await submit.click();
    await dialog.getByText(changed).waitFor();
    await page.keyboard.press('Escape');
    // The session goes on, and what was issued for the former password is refused.
    await page.reload();
    await page.locator('.menu').waitFor();
    const refused = await fetch(`${server.url}/face-api/client/get-counters`, {
      headers: { accesstoken: access_token },
    });
    expect(refused.status).toBe(401);
    const login = new URLSearchParams({ client_id: clientId, password: 'a new password' });
    expect((await fetch(`${server.url}/oauth/client/token`, { method: 'POST', body: login })).status).toBe(
      200,
    );
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it.each([
    ['en-GB', desktop],
    ['id-ID', { viewport: { width: 320, height: 640 } }],
  ] as const)('creates, tests and deletes a webhook, in %s', async (locale, size) => {
    const receiver = await startReceiver();
    const { page, errors } = await signedIn(browser, server, { ...size, locale }, '#/webhooks');
    await chooseTexts(locale === 'en-GB' ? 'en' : 'id');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.getByText(texts.empty).waitFor();
    await page.getByLabel(texts.url).fill('http://192.0.2.1/');
    await button(texts.createButton).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel(texts.url).fill('https://localhost/');
    await page.getByLabel('face.erased').check();
    await button(texts.createButton).click();
    const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.content()).not.toContain(secret);
    const remove = async (url: string) => {
      await button(texts.removeOf(url)).click();
      await page.getByRole('dialog').getByRole('button', { name: common.remove, exact: true }).click();
      await page.getByText(texts.empty).waitFor();
    };
    await remove('https://localhost/');
    // Only the operator may name an address without TLS.
    await wajah(server.settings, 'webhook', 'create', 'demo', receiver.url);
    await page.reload();
    await button(texts.testOf(receiver.url)).click();
    await page.getByText(texts.delivered, { exact: true }).waitFor();
    expect(receiver.types()).toEqual(['webhook.test']);
    receiver.answer((_, response) => void response.writeHead(500).end());
    await button(texts.testOf(receiver.url)).click();
    await page.getByText(texts.notDelivered('')).waitFor();
    await fits(page);
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await button(texts.deliveriesOf(receiver.url)).click();
    await page.getByRole('dialog').getByText(texts.noDeliveries).waitFor();
    await page.keyboard.press('Escape');
    await remove(receiver.url);
    expect(unexpectedErrors(errors).filter((error) => !/create-webhook/.test(error))).toEqual([]);
  });

  it('counts calls, and lists refused calls with their reason', async () => {
    const { page } = await signedIn(browser, server, desktop, '#/activity');
    const byDay = page.getByRole('region', { name: 'By day' });
    await byDay.waitFor();
    const refusals = page.getByRole('region', { name: 'Latest refusals' });
    await refusals.locator('.history, .muted').first().waitFor();
    await server.call('/face-api/facegallery/verify-face', {
      facegallery_id: 'nowhere',
      user_id: 'x',
      image: 'aGk=',
    });
    // Activity is written every two seconds.
    const status = page.getByLabel('Status', { exact: true });
    const refresh = async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return `${await refusals.textContent()} ${await status.textContent()}`;
    };
    await expect.poll(refresh, { interval: 500 }).toMatch(/facegallery\/verify-face.*\)416 · /s);
    await expect.poll(() => refusals.textContent()).toMatch(/\d{3} · .*Transaction/);
    await expect.poll(() => byDay.locator('tbody tr').first().textContent()).toMatch(/20\d\d[1-9]/);
    // An answer that arrives while somebody types leaves the text alone.
    const answer = await hold(page, 'list-refusals');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByLabel('Person (user ID)').fill('x');
    answer();
    await loaded(page);
    await page.keyboard.press('Tab');
    await expect.poll(() => refusals.getByRole('listitem').count()).toBe(1);
    await refusals.getByRole('button', { name: 'Faces not accepted' }).click();
    await refusals.getByText('None with this filter.').waitFor();
    await status.selectOption('416');
    await page.getByLabel('Endpoint', { exact: true }).selectOption('/face-api/facegallery/verify-face');
    await page.locator('.totals dd', { hasText: '100.0 %' }).waitFor();
    await refusals.getByRole('button', { name: 'Refused calls' }).click();
    const [heading, row] = await savedBy(page, 'Export as CSV: Latest refusals');
    expect(heading).toBe(
      '\uFEFFtime,status,status_message,detail,route,facegallery_id,user_id,similarity,spoof_score,trx_id',
    );
    expect(row).toMatch(/,416,facegallery_id not found,.*verify-face,nowhere,x,/);
    const [days, today] = await savedBy(page, 'Export as CSV: By day');
    expect([days, today]).toEqual(['\uFEFFday,calls,refused', expect.stringMatching(/^20[\d-]{8},\d+,\d+$/)]);
    await page.getByRole('button', { name: 'Today' }).click();
    await byDay.waitFor();
    await chooseLanguage(page, 'ID, Indonesia');
    await page.getByRole('listitem').getByText('416 · Galeri tidak ditemukan').waitFor();
    await page.getByText('Anda tidak memiliki galeri dengan nama ini').waitFor();
  });

  it('shows the system page to operators only', async () => {
    const { page } = await signedIn(browser, server, desktop, '#/system');
    await page.getByText('Ready for calls').waitFor();
    await page.getByText('in use').first().waitFor();
    const limit = page.getByRole('row').filter({ hasText: 'WAJAH_CALLS_PER_MINUTE' }).first();
    await expect.poll(() => limit.textContent()).toContain('100,000 calls a minute6000 calls a minute');
    await page.getByRole('button', { name: 'Audit trail' }).click();
    const records = page.locator('.records li');
    await page.getByLabel('Event').selectOption('server_started');
    await records.getByText('The server started: version').waitFor();
    await page.getByLabel('Event').selectOption('face_enrolled');
    await expect.poll(() => records.first().textContent()).toContain('demo enrolled a person in gallery');
    const first = await records.first().textContent();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('Page 2').waitFor();
    await expect.poll(() => records.first().textContent()).not.toBe(first);
    await page.getByLabel('Client').fill('nobody');
    await page.keyboard.press('Tab');
    await page.getByText('No records with this filter.').waitFor();
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    const made = JSON.parse(
      (await wajah(server.settings, 'client', 'create', 'guest', '--json')).out,
    ) as Json;
    const { page: other } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await other.goto(`${server.url}/console#/system`);
    await other.fill('input[name=client_id]', 'guest');
    await other.fill('input[name=password]', String(made['password']));
    await other.keyboard.press('Enter');
    await other.getByText('Operators only').waitFor();
    await goTo(other, 'Activity');
  });
});
