import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { problemsAt } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, phone } from './chromium.ts';
import {
  type ConsoleServer,
  type Json,
  loaded,
  signedIn,
  startConsole,
  unexpectedErrors,
} from './console-server.ts';

/** Faces that are shown: their pictures are loaded. */
const shownFaces = (page: Page) =>
  page
    .locator('main .person-face img')
    .evaluateAll((images) =>
      images.filter((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
    )
    .then((images) => images.length);

/** @returns width × height of each */
const sizesOf = (elements: unknown[]) =>
  (elements as { getBoundingClientRect(): { width: number; height: number } }[]).map((element) => {
    const { width, height } = element.getBoundingClientRect();
    return `${Math.round(width)} × ${Math.round(height)}`;
  });

describe.skipIf(!chromiumPath)('faces in the console', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    const keep = { WAJAH_KEEP_FACE_CROPS: 'gallery' };
    [server, browser] = await Promise.all([startConsole(keep), launchChromium()]);
  });

  async function gallery(name: string, keep_crops: boolean): Promise<void> {
    const of = { facegallery_id: name, keep_crops };
    expect(await server.call('/face-api/facegallery/create-facegallery', of)).toMatchObject({
      status: '200',
    });
  }
  async function enrol(name: string, user_id: string, picture: string, more: Json = {}): Promise<void> {
    const image = server.base64(picture);
    const person = { facegallery_id: name, user_id, user_name: `Name of ${user_id}`, image, ...more };
    const answer = await server.call('/face-api/facegallery/enroll-face', person);
    expect(answer).toMatchObject({ status: '200' });
  }
  const describe = async (facegallery_id: string, user_id: string) => {
    const who = { facegallery_id, user_id };
    const { refusals } = await server.call('/face-api/client/list-refusals', who);
    return { ...(await server.call('/face-api/facegallery/describe-face', who)), refusals };
  };

  /** What is wrong with the look of a page, in both sizes. */
  const problems = async (page: Page) => [
    ...(await problemsAt(page, phone.viewport!)),
    ...(await problemsAt(page, desktop.viewport!)),
  ];

  it('a new gallery asks whether to keep them, and its people are a wall, in one call', async () => {
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries');
    await page.getByLabel('Name').fill('wall');
    const choice = page.getByLabel('Keep a picture of each face');
    await expect.poll(() => choice.isChecked()).toBe(false);
    await choice.check();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'wall' }).waitFor();
    for (const person of ['ani', 'budi', 'citra']) await enrol('wall', person, person);
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/get-face-thumbnails')) calls.push(request.postData() ?? '');
    });
    await page.reload();
    await expect.poll(() => shownFaces(page)).toBe(3);
    expect(calls).toHaveLength(1);
    expect((JSON.parse(calls[0]!) as { user_ids: string[] }).user_ids.sort()).toEqual([
      'ani',
      'budi',
      'citra',
    ]);
    expect(await problems(page)).toEqual([]);
    // Chosen by the keyboard, and erased.
    await page.getByRole('checkbox', { name: 'Select Name of citra' }).press('Space');
    await page.getByRole('button', { name: 'Erase 1 selected' }).waitFor();
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page.getByRole('button', { name: 'Show the face of Name of ani' }).click();
    const dialog = page.getByRole('dialog', { name: 'Name of ani' });
    await dialog.getByRole('img').waitFor();
    // The text of the dialog is not clipped.
    const [beyond, wrapping] = await page.evaluate<[number, string]>(`(() => {
      const it = document.querySelector('dialog');
      return [it.scrollWidth - it.clientWidth, getComputedStyle(it).whiteSpace];
    })()`);
    expect([Math.max(0, beyond), wrapping]).toEqual([0, 'normal']);
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('rowheader', { name: 'Name of ani' }).waitFor();
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('the same pictures again have their faces kept, where the gallery keeps them from now on', async () => {
    await gallery('late', false);
    for (const person of ['ani', 'budi']) await enrol('late', person, person);
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries/late');
    await page.getByRole('button', { name: 'Keep faces from now on' }).click();
    const dialog = page.getByRole('dialog', { name: 'Keep a picture of each face' });
    await dialog
      .getByText('For a person who is enrolled without one, send the same picture again.')
      .waitFor();
    await dialog.getByRole('button', { name: 'Keep faces from now on' }).click();
    await expect.poll(() => page.locator('.wall .person-face svg').count()).toBe(2);
    await page.getByLabel('Choose pictures: Enrol people').setInputFiles([server.picture('ani')]);
    await page.getByRole('button', { name: 'Enrol 1 person' }).click();
    await page.getByText('Enrolled before with this picture (1)').waitFor();
    await expect.poll(() => shownFaces(page)).toBe(1);
    expect(await describe('late', 'ani')).toMatchObject({ has_crop: true, n_picture: 1 });
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('a face that could not be loaded is not one that is not kept, and is asked for again', async () => {
    await gallery('busy', false);
    await enrol('busy', 'budi', 'budi');
    await server.call('/face-api/facegallery/update-facegallery', {
      facegallery_id: 'busy',
      keep_crops: true,
    });
    await enrol('busy', 'ani', 'ani');
    const { page } = await signedIn(browser, server, desktop, '#/galleries');
    let isBusy = true;
    await page.route('**/get-face-thumbnails', (route) =>
      isBusy
        ? route.fulfill({ status: 503, json: { status: '503', status_message: 'Server busy' } })
        : route.fallback(),
    );
    await page.goto(`${server.url}/console#/galleries/busy`);
    await page.getByText('Faces that could not be loaded: 2.').waitFor();
    await expect.poll(() => page.locator('.wall .person-face.failed').count()).toBe(2);
    expect(await problems(page)).toEqual([]);
    isBusy = false;
    await expect.poll(() => shownFaces(page), { timeout: 60_000 }).toBe(1);
    await expect.poll(() => page.locator('.wall .person-face svg').count()).toBe(1);
    await expect.poll(() => page.locator('.wall .person-face.failed').count()).toBe(0);
    isBusy = true;
    await page.reload();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    isBusy = false;
    await expect.poll(() => shownFaces(page)).toBe(1);
  });

  it('a consent has the day on which it was given, and the day on which it ends', async () => {
    await server.call('/face-api/facegallery/create-facegallery', {
      facegallery_id: 'consents',
      require_consent: true,
    });
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries/consents');
    await page.getByLabel('Choose pictures: Enrol people').setInputFiles([server.picture('ani')]);
    const given = page.getByLabel('Day on which it was given');
    const today = await page.evaluate<string>("new Date().toLocaleDateString('sv-SE')");
    await expect.poll(() => given.inputValue()).toBe(today);
    await given.fill('2025-10-05');
    await page.getByLabel('Reference of the consent').fill('form 12');
    await page.getByLabel('Day on which it ends').fill('2099-12-31');
    expect(await problems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Enrol 1 person' }).click();
    await page.getByText('1 enrolled, 0 refused.').waitFor();
    /** The days of the browser. */
    const days = async () => {
      const { consent } = (await describe('consents', 'ani')) as unknown as {
        consent: Record<string, string>;
      };
      const dayOf = (moment: string) => `new Date('${moment}').toLocaleDateString('sv-SE')`;
      const [from, until] = [dayOf(consent['given_at']!), dayOf(consent['until']!)];
      return page.evaluate<string>(`[${from}, ${until}].join(' to ')`);
    };
    expect(await days()).toBe('2025-10-05 to 2099-12-31');
    await page.goto(`${server.url}/console#/galleries/consents/people/ani`);
    await page.getByText(/form 12, given 5 Oct/).waitFor();
    const card = page.getByRole('region', { name: 'Consent and time' });
    await card.getByLabel('Day on which it was given').fill('2025-11-02');
    await card.getByText('The reference of the consent is missing').waitFor();
    await card.getByLabel('Days from now until this person is erased').fill('400');
    expect(await problems(page)).toEqual([]);
    // The browser shows the field: nothing is sent without the day that was typed.
    await card.getByRole('button', { name: 'Save' }).click();
    const reference = card.getByLabel('Reference of the consent');
    const focused = () => page.evaluate('document.activeElement?.labels?.[0]?.textContent');
    await expect.poll(focused).toBe('Reference of the consent');
    await card.getByLabel('Days from now until this person is erased').fill('');
    await reference.fill('form 13');
    await expect.poll(() => card.getByText('The reference of the consent is missing').count()).toBe(0);
    await card.getByLabel('Day on which it ends').fill('2098-01-31');
    expect(await problems(page)).toEqual([]);
    await card.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/form 13, given/).waitFor();
    expect(await days()).toBe('2025-11-02 to 2098-01-31');
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('a person who was erased in another tab is told so, whatever is to be changed', async () => {
    await gallery('leavers', true);
    await enrol('leavers', 'ani', 'ani');
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries/leavers/people/ani');
    await page.getByRole('button', { name: 'Change the name of Name of ani' }).click();
    await page.getByLabel('New name').fill('Ani S.');
    const erase = { facegallery_id: 'leavers', user_id: 'ani' };
    await server.call('/face-api/facegallery/delete-face', erase, 'DELETE');
    const told = page.getByText('This person was erased meanwhile.');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await expect.poll(() => told.count()).toBe(1);
    await page.getByRole('button', { name: 'Suspend this person' }).click();
    await expect.poll(() => told.count()).toBe(2);
    expect(await page.getByText('Transaction').count()).toBe(0);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('a person has all pictures, and one of several is removed', async () => {
    await gallery('pictures', true);
    await enrol('pictures', 'ani', 'ani');
    await enrol('pictures', 'ani', 'ani-again', { append: true });
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries/pictures/people/ani');
    await expect.poll(() => shownFaces(page)).toBe(2);
    expect(await problems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove: Picture 1 of Name of ani' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Remove this picture?' });
    await dialog.getByText('Pictures that stay: 1.').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter');
    await page.getByText('The only picture is removed by erasing the person').waitFor();
    await expect.poll(() => shownFaces(page)).toBe(1);
    await expect.poll(() => page.getByRole('button', { name: /^Remove: / }).count()).toBe(0);
    expect(await describe('pictures', 'ani')).toMatchObject({ n_picture: 1, refusals: [] });
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('a face that looks like an enrolled one is shown beside it: the same person gets the picture, by keyboard', async () => {
    await gallery('alike', true);
    await enrol('alike', 'ani', 'ani');
    const { page, errors } = await signedIn(browser, server, phone, '#/galleries/alike');
    await page
      .getByLabel('Choose pictures: Enrol people')
      .setInputFiles(['ani-again', 'budi'].map(server.picture));
    await page.getByRole('button', { name: 'Enrol 2 people' }).click();
    await page.getByText('1 enrolled, 1 refused.').waitFor();
    const alert = page.getByRole('alert');
    await alert.getByText(/^Looks like Name of ani: similarity 0\.\d{4}$/).waitFor();
    await expect.poll(() => alert.textContent()).toContain('A similarity is no proof.');
    await expect.poll(() => alert.textContent()).not.toMatch(/already|delete|erase/i);
    await page.getByRole('button', { name: 'Same person: add the picture to Name of ani' }).focus();
    const both = page.locator('.looks-like .both img');
    await expect.poll(() => both.count()).toBe(2);
    const sizes = () => page.locator('.looks-like figure > :first-child').evaluateAll(sizesOf);
    await expect.poll(async () => new Set(await sizes()).size).toBe(1);
    expect(await problems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Same person: add the picture to Name of ani' }).press('Enter');
    await expect.poll(() => describe('alike', 'ani')).toMatchObject({ n_picture: 2, refusals: [] });
    await page.getByText('2 enrolled, 0 refused.').waitFor();
    expect(await describe('alike', 'ani')).toMatchObject({ user_name: 'Name of ani' });
    expect(await describe('alike', 'ani-again')).toMatchObject({ status: '415' });
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('different people are both enrolled, where no face is kept too, in Indonesian', async () => {
    await gallery('unlike', false);
    await enrol('unlike', 'ani', 'ani');
    const options = { ...phone, locale: 'id-ID' };
    const { page, errors } = await signedIn(browser, server, options, '#/galleries/unlike');
    const choose = page.getByLabel('Pilih gambar: Daftarkan orang');
    await choose.setInputFiles(server.picture('ani-again'));
    await page.getByRole('button', { name: 'Daftarkan 1 orang' }).click();
    await page.getByText(/^Mirip Name of ani: kemiripan 0,\d{4}$/).waitFor();
    await page.getByText('Wajah Name of ani tidak disimpan di sini.').waitFor();
    expect(await problems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Orang berbeda: daftarkan' }).press('Enter');
    await expect.poll(() => describe('unlike', 'ani-again')).toMatchObject({ n_picture: 1 });
    expect(await describe('unlike', 'ani')).toMatchObject({ n_picture: 1, refusals: [] });
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('an ID that is taken is shown with its person, who keeps name and pictures', async () => {
    await gallery('taken', true);
    await enrol('taken', 'ani', 'ani');
    const { page } = await signedIn(browser, server, desktop, '#/galleries/taken');
    await page.getByLabel('Choose pictures: Enrol people').setInputFiles(server.picture('ani-again'));
    await page.getByLabel('Name, ani-again.jpg').fill('Ani');
    await page.getByRole('button', { name: 'Enrol 1 person' }).click();
    await page.getByText('The ID ani is that of Name of ani').waitFor();
    await expect.poll(() => page.locator('.looks-like .person-face img').count()).toBe(1);
    await expect.poll(() => page.getByRole('button', { name: 'Different people: enrol' }).count()).toBe(0);
    expect(await problems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Same person: add the picture to Name of ani' }).click();
    await expect.poll(() => describe('taken', 'ani')).toMatchObject({ n_picture: 2 });
    expect(await describe('taken', 'ani')).toMatchObject({ user_name: 'Name of ani' });
  });

  it('a picture that replaces all others is compared with them, and another face is a question', async () => {
    await gallery('replaced', true);
    await enrol('replaced', 'ani', 'budi');
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries/replaced/people/ani');
    const box = page.getByLabel('Replace all pictures by this one');
    const choose = page.getByLabel('Choose a picture: Add a picture');
    const verified = async (picture: string) => {
      const probe = { facegallery_id: 'replaced', user_id: 'ani', image: server.base64(picture) };
      return (await server.call('/face-api/facegallery/verify-face', probe))['verified'];
    };
    // The same person: nothing is asked, and the next picture is added.
    await box.check();
    await choose.setInputFiles(server.picture('budi-again'));
    await page.getByText('It is a picture of Name of ani now.').waitFor();
    await expect.poll(() => box.isChecked()).toBe(false);
    expect(await describe('replaced', 'ani')).toMatchObject({ n_picture: 1, refusals: [] });
    await box.check();
    await choose.setInputFiles(server.picture('ani'));
    await page.getByText(/^Not added. Probably different people: similarity 0\.\d{4}, threshold/).waitFor();
    await expect.poll(() => page.locator('.pictures .person-face img').count()).toBe(1);
    expect(await problems(page)).toEqual([]);
    expect(await verified('budi')).toBe(true);
    await page.getByRole('button', { name: 'Replace all the same' }).press('Enter');
    await page.getByText('It is a picture of Name of ani now.').waitFor();
    await expect.poll(() => box.isChecked()).toBe(false);
    expect(await describe('replaced', 'ani')).toMatchObject({ n_picture: 1, refusals: [] });
    expect([await verified('ani-again'), await verified('budi')]).toEqual([true, false]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('a picture that is added to a person and looks like another one is shown beside that one', async () => {
    await gallery('between', true);
    await enrol('between', 'ani', 'ani');
    await enrol('between', 'twin', 'ani');
    const { page, errors } = await signedIn(browser, server, phone, '#/galleries/between/people/twin');
    await page.getByLabel('Choose a picture: Add a picture').setInputFiles(server.picture('ani-again'));
    await page.getByText(/^Looks like Name of ani: similarity 0\.\d{4}$/).waitFor();
    await page.getByRole('button', { name: 'Different people: add it to Name of twin' }).waitFor();
    await page.getByRole('button', { name: 'Same person: add the picture to Name of ani' }).focus();
    await expect.poll(() => page.locator('.looks-like .both img').count()).toBe(2);
    expect(await problems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Same person: add the picture to Name of ani' }).press('Enter');
    await page.getByText('It is a picture of Name of ani now.').waitFor();
    expect(await describe('between', 'ani')).toMatchObject({ n_picture: 2 });
    expect(await describe('between', 'twin')).toMatchObject({ n_picture: 1 });
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('Recognise: a name for a face that looks like somebody who was enrolled meanwhile is a question', async () => {
    await gallery('meanwhile', true);
    const { page, errors } = await signedIn(browser, server, phone, '#/recognise');
    await page.getByLabel('Gallery').selectOption('meanwhile');
    await page.getByLabel('Choose a picture: Recognise').setInputFiles(server.picture('ani-again'));
    await page.getByLabel('Who is this?').fill('Twin');
    await enrol('meanwhile', 'ani', 'ani');
    await page.keyboard.press('Enter');
    await page.getByText(/^Looks like Name of ani: similarity 0\.\d{4}$/).waitFor();
    await page.getByRole('button', { name: 'Different people: enrol' }).focus();
    await expect.poll(() => page.locator('.looks-like .both img').count()).toBe(2);
    expect(await problems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Different people: enrol' }).press('Enter');
    await expect.poll(() => describe('meanwhile', 'twin')).toMatchObject({ user_name: 'Twin', n_picture: 1 });
    expect(await describe('meanwhile', 'ani')).toMatchObject({ n_picture: 1, refusals: [] });
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('Recognise: a name for a suspended person is a question, and Duplicates says who is suspended', async () => {
    await gallery('held', true);
    await enrol('held', 'ani', 'ani');
    await server.call('/face-api/person/suspend-person', { facegallery_id: 'held', user_id: 'ani' });
    const { page, errors } = await signedIn(browser, server, phone, '#/recognise');
    await page.getByLabel('Gallery').selectOption('held');
    await page.getByLabel('Choose a picture: Recognise').setInputFiles(server.picture('ani'));
    await page.getByLabel('Who is this?').fill('Ani W.');
    await page.keyboard.press('Enter');
    await page.getByText('Looks like Name of ani: similarity 1.0000 · the same picture').waitFor();
    await page.getByText('Name of ani is suspended: stored, and not matched.').waitFor();
    const buttons = page.locator('.looks-like').getByRole('button');
    await expect.poll(() => buttons.allTextContents()).toEqual(['Different people: enrol']);
    expect(await problems(page)).toEqual([]);
    await enrol('held', 'twin', 'ani');
    await page.goto(`${server.url}/console#/galleries/held/duplicates`);
    await page.getByRole('button', { name: 'Compare all pairs' }).click();
    const pair = page.getByRole('article', { name: 'Name of twin (twin) and Name of ani (ani)' });
    await expect.poll(() => pair.locator('.badge').allTextContents()).toEqual(['Suspended']);
    await expect.poll(() => pair.getByRole('button').allTextContents()).toEqual(['Different people']);
    expect(await problems(page)).toEqual([]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('a picture for somebody who was erased in another tab is refused, and says nothing of the file before', async () => {
    await gallery('erased', true);
    await enrol('erased', 'ani', 'ani');
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries/erased/people/ani');
    const choose = page.getByLabel('Choose a picture: Add a picture');
    await choose.setInputFiles(server.picture('nobody'));
    await page.locator('.addition').getByRole('alert').waitFor();
    await choose.setInputFiles({ name: 'a.heic', mimeType: 'image/heic', buffer: Buffer.from('none') });
    await page.getByText('a.heic').waitFor();
    await expect.poll(() => page.locator('.addition').count()).toBe(0);
    const ani = { facegallery_id: 'erased', user_id: 'ani' };
    await server.call('/face-api/facegallery/delete-face', ani, 'DELETE');
    await choose.setInputFiles(server.picture('ani-again'));
    await page.locator('.addition').getByRole('alert').waitFor();
    expect(await describe('erased', 'ani')).toMatchObject({ status: '415' });
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('an empty gallery that requires a liveness token asks for no pictures', async () => {
    await gallery('proof', true);
    const rules = { facegallery_id: 'proof', require_liveness: true };
    await server.call('/face-api/facegallery/update-facegallery', rules);
    const { page } = await signedIn(browser, server, desktop, '#/galleries/proof');
    await page.getByText('Nobody is enrolled').waitFor();
    await expect.poll(() => page.getByText('Enrol people from pictures').count()).toBe(0);
  });

  it('candidates and refused calls show them', async () => {
    await gallery('seen', true);
    await enrol('seen', 'budi', 'budi');
    const image = server.base64('ani');
    const probe = { facegallery_id: 'seen', user_id: 'budi', image };
    expect(await server.call('/face-api/facegallery/verify-face', probe)).toMatchObject({
      status: '200',
      verified: false,
    });
    const { page, errors } = await signedIn(browser, server, desktop, '#/recognise');
    await page.getByLabel('Gallery').selectOption('seen');
    await page.getByLabel('Choose a picture: Recognise').setInputFiles(server.picture('budi-again'));
    await expect.poll(() => page.locator('.candidate .person-face img').count()).toBe(1);
    expect(await problems(page)).toEqual([]);
    await page.goto(`${server.url}/console#/activity`);
    await page.getByRole('button', { name: 'Faces not accepted' }).click();
    await expect.poll(() => page.locator('.history .person-face img').count()).toBe(1);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('nothing offers them where none are kept, and switching off erases them', async () => {
    await gallery('none', false);
    await enrol('none', 'ani', 'ani');
    const { page, errors } = await signedIn(
      browser,
      server,
      { ...desktop, locale: 'id-ID' },
      '#/galleries/none',
    );
    await page.getByRole('rowheader', { name: 'Name of ani' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Lihat wajah|^Wajah$/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Name of ani' }).click();
    await page.getByText('1 dari paling banyak 50').waitFor();
    await loaded(page);
    await expect.poll(() => page.locator('main .person-face').count()).toBe(0);
    expect(await describe('none', 'ani')).toMatchObject({ has_crop: false, refusals: [] });
    await page.goto(`${server.url}/console#/galleries/none/settings`);
    const choice = page.getByLabel('Simpan gambar setiap wajah');
    await choice.check();
    await page.getByRole('button', { name: 'Simpan' }).click();
    await page.getByText('Tersimpan').waitFor();
    await enrol('none', 'budi', 'budi');
    expect(await describe('none', 'budi')).toMatchObject({ has_crop: true });
    await choice.uncheck();
    await page.getByText('langsung dihapus dan tidak dapat dipulihkan').waitFor();
    expect(await problems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Simpan' }).click();
    await expect.poll(() => describe('none', 'budi')).toMatchObject({ has_crop: false });
    expect(unexpectedErrors(errors)).toEqual([]);
  });
});
