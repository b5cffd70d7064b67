import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { problemsAt } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, openPage, phone } from './chromium.ts';
import {
  type ConsoleServer,
  goTo,
  signedIn,
  signIn,
  startConsole,
  unexpectedErrors,
} from './console-server.ts';
import { reached, recorder } from './example-page.ts';
import { cameraScript, drawnFilm } from './film-camera.ts';

vi.setConfig({ testTimeout: 9 * 60_000 });

const names = Array.from(
  { length: 60 },
  (_, at) => [String(1001 + at), `Pegawai ${'ABCDEF'[at % 6]}${at}`] as const,
);

/** Who is on the 47 pictures; somebody else does the session of a link. */
const drawn = ['budi', 'citra', 'darma', 'eka'];

describe.skipIf(!chromiumPath)('the list of staff in the console', () => {
  let server: ConsoleServer;
  let browser: Browser;
  const folder = temporaryDirectory();
  const list = join(folder, 'staff.csv');
  const pictures = names.slice(0, 47).map(([id], at) => {
    const file = join(folder, `${id}_${names[at]![1]}.jpg`);
    return [file, drawn[at % drawn.length]!] as const;
  });
  beforeAll(async () => {
    [server, browser] = await Promise.all([startConsole(), launchChromium()]);
    for (const [file, person] of pictures) copyFileSync(server.picture(person), file);
    const lines = names.toReversed().map(([id, name]) => `${name};${id}\r\n`);
    writeFileSync(list, `\uFEFFNama;NIK\r\n${lines.join('')}\r\n`);
  });

  it('says who of 60 is missing after 47 pictures with at most 8 clicks, and links enrol them', async () => {
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    const choose = async (target: Locator, files: readonly string[]) => {
      clicks += 1;
      await target.setInputFiles([...files]);
    };
    const { page, errors } = await openPage(browser, { ...desktop, locale: 'en-GB' });
    await page.goto(`${server.url}/console`);
    await signIn(page, server);
    await goTo(page, 'Galleries');
    clicks += 2;
    await page.getByLabel('Name', { exact: true }).fill('staff');
    await click(page.getByRole('button', { name: 'Create', exact: true }));
    const input = page.getByLabel('Choose pictures: Enrol people');
    await choose(
      input,
      pictures.map(([file]) => file),
    );
    // There are four drawn people only.
    await click(page.locator('summary', { hasText: 'Options' }));
    await click(page.getByLabel('Ask before a face is enrolled that looks like somebody'));
    await click(page.getByRole('button', { name: 'Enrol 47 people' }));
    await page.getByText('47 enrolled, 0 refused.').waitFor({ timeout: 300_000 });
    await choose(input, [list]);
    await page.getByRole('heading', { name: '47 of 60 have a face, these 13 do not' }).waitFor();
    console.info(`47 pictures and 60 names: 13 missing after ${clicks} clicks`);
    expect(clicks).toBeLessThanOrEqual(8);
    const entries = page.locator('.expected > li');
    await expect.poll(() => entries.count()).toBe(13);
    expect(await entries.first().innerText()).toContain('1048');

    await page.getByRole('button', { name: 'Make links for 13 people' }).click();
    await expect.poll(() => page.locator('.expected img.qr').count()).toBe(13);
    expect(await problemsAt(page, phone.viewport!)).toEqual([]);
    expect(await problemsAt(page, desktop.viewport!)).toEqual([]);
    const warning = page.getByText('Phones open the camera only over HTTPS');
    const instruction = page.getByText('Scan with the camera of your phone, then follow the steps').first();
    expect(await warning.innerText()).not.toContain('WAJAH');
    expect(await instruction.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect([await warning.isVisible(), await instruction.isVisible()]).toEqual([false, true]);
    await page.emulateMedia({ media: null });
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    const first = entries.first();
    const address = await first.locator('code').innerText();
    const mail = decodeURIComponent((await first.getByRole('link').getAttribute('href')) ?? '');
    expect(mail).toMatch(/^mailto:\?subject=Your face for staff&body=Dear Pegawai/);
    expect(mail).toContain(address);

    const { page: hand } = await openPage(browser, phone);
    await hand.addInitScript(recorder);
    await hand.goto(address);
    await hand.locator('wajah-liveness').waitFor();
    await hand.evaluate(cameraScript(await drawnFilm()));
    await hand.getByRole('button', { name: 'Start' }).click();
    await reached(hand, 'passed', 6 * 60_000);
    await page.getByRole('heading', { name: '48 of 60 have a face, these 12 do not' }).waitFor();
    await expect.poll(() => entries.count()).toBe(12);
    const probe = { facegallery_id: 'staff', user_id: '1048', image: server.base64('ani-again') };
    expect(await server.call('/face-api/facegallery/verify-face', probe)).toMatchObject({ verified: true });

    await page.getByRole('button', { name: 'Erase the list' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase the list' }).click();
    await page.getByText('No list is kept').waitFor();
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('is added to by default, with the links that exist, and replaced by who was asked', async () => {
    const of = { facegallery_id: 'newcomers' };
    await server.call('/face-api/facegallery/create-facegallery', of);
    const people = ['1', '2'].map((id) => ({ user_id: id, user_name: `Pegawai ${'AB'[Number(id) - 1]}` }));
    await server.call('/face-api/facegallery/set-expected', { ...of, people });
    const made = await server.call('/face-api/facegallery/link-expected', { ...of, user_ids: ['1', '2'] });
    const [{ session_id }] = made['links'] as [{ session_id: string }];
    const stateOf = async () => (await server.call('/liveness-api/get-session', { session_id }))['state'];
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries/newcomers/expected');
    const paste = async (text: string) => {
      await page.getByLabel('Paste a list').fill(text);
      await page.getByRole('button', { name: 'Who is missing?' }).click();
    };
    const head = (text: string) => page.getByRole('heading', { name: text }).waitFor();
    await head('0 of 2 have a face, these 2 do not');
    await paste('3;Citra');
    await head('A list of 2 is kept already');
    await page.getByText('The new one has 1, of whom 1 are not on the list').waitFor();
    await page.getByRole('button', { name: 'Add to the list' }).click();
    await head('0 of 3 have a face, these 3 do not');
    expect(await stateOf()).toBe('waiting');

    await paste('2;Pegawai B\n4;Darma');
    await page.getByRole('button', { name: 'Replace the list' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replace the list' });
    await dialog.getByText('People who go from the list: 2. Links that end: 1.').waitFor();
    const further = { people: [{ user_id: '5', user_name: 'Eka' }], add: true };
    await server.call('/face-api/facegallery/set-expected', { ...of, ...further });
    await dialog.getByText('People who go from the list: 3. Links that end: 1.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await head('0 of 4 have a face, these 4 do not');
    expect(await stateOf()).toBe('waiting');

    await paste('2;Pegawai B\n4;Darma');
    await page.getByRole('button', { name: 'Replace the list' }).click();
    await dialog.getByRole('button', { name: 'Replace the list' }).click();
    await head('0 of 2 have a face, these 2 do not');
    expect(await stateOf()).toBe('ended');
    const { people: left } = await server.call('/face-api/facegallery/list-expected', of);
    expect(left).toMatchObject([{ user_id: '2', link: { failed: null } }, { user_id: '4' }]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('is read as it is pasted, names what it leaves out, and is asked for a consent', async () => {
    const of = { facegallery_id: 'pasted' };
    await server.call('/face-api/facegallery/create-facegallery', { ...of, require_consent: true });
    const { page, errors } = await signedIn(browser, server, phone, '#/galleries/pasted/expected');
    await page.getByLabel('Paste a list').fill('Dear Sri,\nplease come.');
    await page.getByRole('button', { name: 'Who is missing?' }).click();
    await page.getByText('This is no list of names and IDs').waitFor();
    await page.getByLabel('Paste a list').fill('7\tSri Rahayu\n8\tBudi\n8\tCitra\n7\tSri Rahayu\n');
    await page.getByRole('button', { name: 'Who is missing?' }).click();
    await page.getByText('more than once, of whom one line is used: 7.').waitFor();
    await page.getByText('one of both is missing: 8.').waitFor();
    await page.getByRole('heading', { name: '0 of 1 have a face, these 1 do not' }).waitFor();
    const make = page.getByRole('button', { name: 'Make links for 1 person' });
    await page.getByLabel('Reference of the consent').fill('form 7');
    await make.click();
    await page.getByRole('img', { name: 'QR code for Sri Rahayu' }).waitFor();
    await page.reload();
    await page.getByText(/There is a link, valid until/).waitFor();
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('opens by a link a page that says whose it is and what is kept, and whom to ask if it is not theirs', async () => {
    const of = { facegallery_id: 'named' };
    await server.call('/face-api/facegallery/create-facegallery', { ...of, keep_crops: true });
    const people = [{ user_id: '7', user_name: 'Sri <b>Rahayu</b>' }];
    await server.call('/face-api/facegallery/set-expected', { ...of, people });
    const make = async (lang: string) => {
      const { links } = await server.call('/face-api/facegallery/link-expected', {
        ...of,
        user_ids: ['7'],
        lang,
      });
      return (links as { url: string }[])[0]!.url;
    };
    const { page, errors } = await openPage(browser, phone);
    await page.addInitScript(recorder);
    await page.goto(await make('en'));
    await page.getByText('With this link the face of Sri <b>Rahayu</b> is enrolled').waitFor();
    await page.getByText('recognised in “named”').waitFor();
    await page.getByText('and one picture of the face').waitFor();
    await page.getByRole('heading', { name: 'Enrol your face', level: 2 }).waitFor();
    expect(await page.title()).toBe('Enrol your face');
    expect(await problemsAt(page, phone.viewport!)).toEqual([]);
    await page.getByRole('button', { name: 'That is not me' }).click();
    await page.getByText('Ask whoever sent you this link for your own.').waitFor();
    expect(await page.getByRole('button', { name: 'Start' }).count()).toBe(0);
    expect(await problemsAt(page, phone.viewport!)).toEqual([]);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    await reached(page, 'error');
    await page.getByRole('button', { name: 'That is not me' }).waitFor({ state: 'hidden' });
    await server.call('/face-api/facegallery/update-facegallery', { ...of, keep_crops: false });
    await page.goto(await make('id'));
    await page.reload();
    await page.getByText('Dengan tautan ini wajah Sri <b>Rahayu</b> didaftarkan').waitFor();
    await page.getByText('Tidak ada gambar yang disimpan').waitFor();
    // The list is of others now: no newer link has ended this one.
    await server.call('/face-api/facegallery/set-expected', {
      ...of,
      people: [{ user_id: '8', user_name: 'Budi' }],
    });
    await page.reload();
    await page.getByText('atau oleh pengirimnya.').waitFor();
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('says how many tries of a link have failed', async () => {
    const of = { facegallery_id: 'tries' };
    await server.call('/face-api/facegallery/create-facegallery', of);
    const people = [{ user_id: '1', user_name: 'Ani' }];
    await server.call('/face-api/facegallery/set-expected', { ...of, people });
    const made = await server.call('/face-api/facegallery/link-expected', { ...of, user_ids: ['1'] });
    const [{ url, session_id }] = made['links'] as [{ url: string; session_id: string }];
    const call = async (path: string, more: object = {}) => {
      const headers = { accesstoken: new URL(url).hash.split('.')[1]!, 'content-type': 'application/json' };
      const body = JSON.stringify({ session_id, ...more });
      const answer = await fetch(server.url + path, { method: 'POST', headers, body });
      return (await answer.json()) as { steps: readonly string[]; liveness: string };
    };
    for (const person of ['ani', 'budi']) {
      const { steps } = await call('/liveness-api/begin-session');
      const frames = steps.map((step) => ({ step, image: server.base64(person) }));
      const { liveness } = await call('/liveness-api/submit-session', { frames });
      expect(liveness).toBe('failed');
    }
    const { page, errors } = await signedIn(browser, server, phone, '#/galleries/tries/expected');
    await page.getByText('2 tries failed').waitFor();
    await page.getByText(/There is a link, valid until/).waitFor();
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('gets a link for one person alone, and a new one where the former cannot be shown', async () => {
    const of = { facegallery_id: 'alone' };
    await server.call('/face-api/facegallery/create-facegallery', { ...of, require_consent: true });
    const people = ['Ani', 'Budi', 'Citra'].map((user_name) => ({ user_id: user_name, user_name }));
    await server.call('/face-api/facegallery/set-expected', { ...of, people });
    const ends = async () => {
      const { people: listed } = await server.call('/face-api/facegallery/list-expected', of);
      return (listed as { link: { expires_at: string } | null }[]).map(({ link }) => link?.expires_at);
    };
    const { page, errors } = await signedIn(browser, server, phone, '#/galleries/alone/expected');
    const dialog = page.getByRole('dialog');
    const make = async (button: string) => {
      await dialog.getByLabel('Reference of the consent').fill('form 7');
      await dialog.getByRole('button', { name: button }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await page.getByRole('button', { name: 'Make a link: Budi' }).click();
    expect(await problemsAt(page, phone.viewport!)).toEqual([]);
    await make('Make a link');
    await page.getByRole('img', { name: 'QR code for Budi' }).waitFor();
    const first = await ends();
    expect(first).toEqual([undefined, expect.any(String), undefined]);
    // Who has a link keeps it while others get theirs, also one that this tab does not know of.
    const elsewhere = await server.call('/face-api/facegallery/link-expected', {
      ...of,
      user_ids: ['Ani'],
      consent_reference: 'form 7',
      consent_purpose: 'attendance',
    });
    await page.getByLabel('Reference of the consent').fill('form 7');
    await page.getByRole('button', { name: 'Make links for 2 people' }).click();
    await page.getByRole('img', { name: 'QR code for Citra' }).waitFor();
    const second = await ends();
    expect(second[0]).toBe((elsewhere['links'] as { expires_at: string }[])[0]!.expires_at);
    expect(second[1]).toBe(first[1]);

    await page.reload();
    await page.getByText('3 people have a link that cannot be shown again').waitFor();
    expect(await page.getByRole('button', { name: /^Make/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'New link: Citra' }).click();
    await dialog.getByText('The link that exists ends.').waitFor();
    await make('New link');
    await page.getByRole('img', { name: 'QR code for Citra' }).waitFor();
    const third = await ends();
    expect([third[0], third[1], third[2] === second[2]]).toEqual([second[0], second[1], false]);
    await page.getByRole('button', { name: 'New links for 2 people' }).click();
    await make('New links for 2 people');
    await expect.poll(() => page.locator('.expected img.qr').count()).toBe(3);
    expect(unexpectedErrors(errors)).toEqual([]);
  });
});
