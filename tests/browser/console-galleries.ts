import type { Browser } from 'playwright-core';
import { expect, it } from 'vitest';
import { problemsAt, seriousViolations } from './accessibility.ts';
import { desktop, phone } from './chromium.ts';
import {
  type ConsoleServer,
  enrolled,
  type Json,
  savedBy,
  signedIn,
  unexpectedErrors,
} from './console-server.ts';

/** The server and the browser that tests share. */
type Stage = () => { readonly server: ConsoleServer; readonly browser: Browser };

async function listed(server: ConsoleServer, gallery: string): Promise<string[]> {
  const { faces } = await server.call('/face-api/facegallery/list-faces', { facegallery_id: gallery });
  return (faces as { user_id: string; user_name: string }[]).map(
    ({ user_id, user_name }) => `${user_id} ${user_name}`,
  );
}

/** Tests of enrolment, people, duplicates, thresholds and settings. @param crowd people of the gallery `crowd` */
export function worksWithGalleries(stage: Stage, crowd: number): void {
  enrols(stage);
  showsOnePerson(stage);
  changesMany(stage);
  listsPeople(stage, crowd);
  findsDuplicates(stage);
  explainsThresholds(stage);
  changesSettings(stage);
}

function enrols(stage: Stage): void {
  it('creates a gallery, enrols several people, and shows which face was taken', async () => {
    const { server, browser } = stage();
    const { page, errors } = await signedIn(browser, server, phone, '#/galleries');
    await page.getByLabel('Name').fill('office');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Nobody is enrolled').waitFor();
    await page
      .getByLabel('Choose pictures: Enrol people')
      .setInputFiles(['group', 'eka', 'eka-again', 'nobody'].map(server.picture));
    await page.getByLabel('Name, eka.jpg').fill('Eka Santoso');
    await expect
      .poll(() =>
        page.getByLabel('Ask before a face is enrolled that looks like somebody else’s').isChecked(),
      )
      .toBe(true);
    await page.getByRole('button', { name: 'Enrol 4 people' }).click();
    await page.getByText('2 enrolled, 2 refused.').waitFor();
    await page.getByRole('heading', { name: 'Face not detected (1)' }).waitFor();
    await page.getByText(/^Looks like Eka Santoso: similarity 0\.\d{4}$/).waitFor();
    await page.getByText('Largest of 3 faces').waitFor();
    const box = page.getByRole('button', { name: 'Show group.jpg large' }).locator('svg rect');
    await expect.poll(async () => Number(await box.getAttribute('width'))).toBeGreaterThan(100);
    expect(await listed(server, 'office')).toEqual(['eka-santoso Eka Santoso', 'group group']);
    expect(unexpectedErrors(errors)).toEqual([]);
  });
}

function showsOnePerson(stage: Stage): void {
  it('renames a person, adds a picture only of the same person, and erases the person, by keyboard', async () => {
    const { server, browser } = stage();
    await enrolled(server, 'people', { ani: 'ani', budi: 'budi' });
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries/people');
    await page.getByRole('link', { name: 'ani', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 of at most 50').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
    const choose = page.getByLabel('Choose a picture: Add a picture');
    await choose.setInputFiles(server.picture('budi-again'));
    await page.getByText('Not added. Probably different people: similarity').waitFor();
    await page.getByRole('button', { name: 'Add it anyway' }).waitFor();
    await choose.setInputFiles(server.picture('ani-again'));
    await page.getByText('2 of at most 50').waitFor();
    // Somebody else's picture is none of this person's history.
    await expect.poll(() => page.locator('ol.history li.warn').count()).toBe(0);
    await page.getByText('Pictures or name changed').waitFor();
    const rename = page.getByRole('button', { name: 'Change the name of ani' });
    await rename.press('Enter');
    await page.keyboard.type('nobody');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Change the name');
    await page.getByRole('heading', { level: 1, name: 'ani', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('New name').fill('Ani Lestari');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Ani Lestari' }).waitFor();
    await page.getByLabel('Reference of the consent').fill('form 12');
    await page.getByLabel('Purpose').fill('entry');
    await page.keyboard.press('Enter');
    await page.getByText('form 12, given').waitFor();
    await page.getByRole('button', { name: 'Suspend this person' }).press('Enter');
    await page.getByText('Suspended since').waitFor();
    await page.getByRole('button', { name: 'Match this person again' }).press('Enter');
    await page.getByRole('button', { name: 'Suspend this person' }).waitFor();
    await page.getByRole('button', { name: 'Picture 2 of Ani Lestari', exact: true }).press('Enter');
    await page.getByRole('dialog').getByRole('img', { name: 'Picture 2 of Ani Lestari' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Erase Ani Lestari' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Erase Ani Lestari?' });
    await dialog.getByRole('button', { name: 'Erase' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'people' }).waitFor();
    await page.getByRole('link', { name: 'Ani Lestari' }).waitFor({ state: 'detached' });
    await page.getByText(/^1 erased. Last record of the audit trail: [\d,]+\.$/).waitFor();
    expect(await listed(server, 'people')).toEqual(['budi budi']);
    expect(unexpectedErrors(errors)).toEqual([]);
  });
}

function listsPeople(stage: Stage, crowd: number): void {
  it('pages through people, searches them, saves them as a file, and erases several', async () => {
    const { server, browser } = stage();
    const { page } = await signedIn(browser, server, desktop, '#/galleries/crowd');
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    const rows = page.locator('table.people tbody tr');
    await rows.first().waitFor();
    await expect.poll(() => rows.count()).toBe(24);
    await page.getByRole('checkbox', { name: 'Select Orang 0' }).check();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('c-26').waitFor();
    await expect.poll(() => rows.count()).toBe(crowd - 24);
    await page.getByRole('checkbox', { name: 'Select Orang 26' }).check();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await page.getByText('c-00').waitFor();
    await page.getByLabel('Search by name or ID').fill('ORANG 2');
    await page.getByText('c-26').waitFor();
    await expect.poll(() => rows.count()).toBe(8);
    const lines = await savedBy(page, 'Export as CSV: People');
    expect(lines.slice(0, 2)).toEqual([
      '\uFEFFuser_id,user_name,created_at,updated_at',
      expect.stringMatching(/^c-02,Orang 2,\d{4}-/),
    ]);
    expect(lines).toHaveLength(9);
    await page.getByLabel('Search by name or ID').fill('nobody of this name');
    await page.getByText('No results').waitFor();
    await page.getByLabel('Search by name or ID').fill('');
    await page.getByRole('button', { name: 'Erase 2 selected' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase 2 people?' });
    await dialog.waitFor();
    await expect
      .poll(() => dialog.getByRole('listitem').allTextContents())
      .toEqual(['Orang 0c-00', 'Orang 26c-26']);
    await dialog.getByText('and so is the entry in the list of “Who is missing”').waitFor();
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await page.getByText(/2 erased. Last record of the audit trail: [\d,]+\./).waitFor();
    expect(await listed(server, 'crowd')).toHaveLength(crowd - 2);
  });
}

function changesMany(stage: Stage): void {
  it('sets consent and suspension of several people with one question, by keyboard', async () => {
    const { server, browser } = stage();
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries/crowd');
    for (const name of ['Orang 3', 'Orang 4'])
      await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
    await page.getByRole('button', { name: 'Change 2 selected' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Change 2 people' });
    const change = dialog.getByRole('button', { name: 'Change all 2' });
    await expect.poll(() => change.isDisabled()).toBe(true);
    for (const { viewport } of [desktop, phone]) expect(await problemsAt(page, viewport!)).toEqual([]);
    await dialog.getByLabel('Reference of the consent').fill('form 12');
    await dialog.getByLabel('Day on which it was given').fill('2026-10-03');
    await dialog.getByLabel('Matching').selectOption('suspend');
    await change.press('Enter');
    await page.getByText('2 changed.').waitFor();
    await expect.poll(() => page.locator('.badge').count()).toBe(2);
    for (const user_id of ['c-03', 'c-04']) {
      const who = { facegallery_id: 'crowd', user_id };
      expect(await server.call('/face-api/facegallery/describe-face', who)).toMatchObject({
        consent: { reference: 'form 12', given_at: expect.stringMatching(/^2026-10-0[23]T/) },
        suspended_at: expect.any(String),
      });
    }
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('begins with its people, keeps the place on the way back, and prints without what is pressed', async () => {
    const { server, browser } = stage();
    const { page } = await signedIn(browser, server, desktop, '#/galleries/crowd');
    const last = page.getByRole('link', { name: 'Orang 23' });
    await last.scrollIntoViewIfNeeded();
    const place = await page.evaluate<number>('scrollY');
    expect(place).toBeGreaterThan(0);
    await last.click();
    await page.getByRole('heading', { level: 1, name: 'Orang 23' }).waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.getByRole('link', { name: 'People of crowd' }).click();
    await expect.poll(() => page.evaluate('scrollY')).toBe(place);
    await page.getByRole('button', { name: 'Enrol more people' }).click();
    await expect.poll(() => page.getByLabel('Choose pictures: Enrol people').isVisible()).toBe(true);
    await page.emulateMedia({ media: 'print' });
    const pressed = ['button', 'navigation', 'checkbox', 'searchbox'] as const;
    const visible = async () => Promise.all(pressed.map((role) => page.getByRole(role).count()));
    await expect.poll(visible).toEqual([0, 0, 0, 0]);
    await expect.poll(() => last.isVisible()).toBe(true);
  });
}

function findsDuplicates(stage: Stage): void {
  it('finds people who look alike, and settles each pair, by keyboard and on a phone', async () => {
    const { server, browser } = stage();
    await enrolled(server, 'twice', { a1: 'ani', b1: 'budi', a2: 'ani-again', b2: 'budi-again' });
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries/twice/duplicates');
    await page.getByRole('button', { name: 'Compare all pairs' }).focus();
    await page.keyboard.press('Enter');
    const pairs = page.getByRole('article');
    await page.getByText('100 % of the pairs, 4 of 4 people').waitFor();
    await expect.poll(() => pairs.count()).toBe(2);
    const pair = page.getByRole('article', { name: 'ani-again (a2) and ani (a1)' });
    await expect
      .poll(() => pair.textContent())
      .toMatch(/Similarity 0\.\d{4}.*FMR better than 1 in 40,000; below that it is an estimate\./);
    await expect.poll(() => pair.locator('.person-face img').count()).toBe(2);
    for (const { viewport } of [desktop, phone]) expect(await problemsAt(page, viewport!)).toEqual([]);
    await pair.getByRole('button', { name: 'Mark ani-again (a2) and ani (a1) as different people' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Marked as different people.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Erase/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Merge budi-again (b2) and budi (b1)' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Merge into one person?' });
    // The one who was enrolled earlier stays, until another is chosen.
    await dialog.getByText('budi-again (b2) is gone').waitFor();
    await dialog.getByLabel('Name and ID that stay').selectOption('b2');
    await dialog.getByText('budi (b1) is gone').waitFor();
    await dialog.getByRole('button', { name: 'Merge' }).press('Enter');
    await page.getByText('Merged. Pictures of b2 now: 2.').waitFor();
    await page.getByText('No pair reaches the threshold').waitFor();
    expect(await listed(server, 'twice')).toEqual(['a1 ani', 'a2 ani-again', 'b2 budi-again']);
    const merged = { facegallery_id: 'twice', user_id: 'b2' };
    expect(await server.call('/face-api/facegallery/describe-face', merged)).toMatchObject({
      has_crop: true,
    });
    await page.getByRole('button', { name: 'Compare all pairs' }).click();
    await page.getByText('3 of 3 people').waitFor();
    await expect.poll(() => pairs.count()).toBe(0);
    expect(unexpectedErrors(errors)).toEqual([]);
  });
}

function explainsThresholds(stage: Stage): void {
  it('explains thresholds by the false match rate and by what probes reached', async () => {
    const { server, browser } = stage();
    const image = server.base64('eka-again');
    const probe = { facegallery_id: 'crowd', user_id: 'c-01', image };
    await server.call('/face-api/facegallery/verify-face', probe);
    const { page, errors } = await signedIn(browser, server, desktop, '#/galleries/crowd/thresholds');
    const meaning = page.getByRole('region', { name: 'What a threshold means' });
    await meaning.getByText('1 in 1,000').waitFor();
    const slider = meaning.getByRole('slider', { name: /^Threshold to look at/ });
    await slider.focus();
    await page.keyboard.press('End');
    await meaning.getByText('Threshold to look at: 1.0000').waitFor();
    await meaning.getByText('better than 1 in 40,000').waitFor();
    // Scores are written every two seconds.
    const shown = async () => {
      await page.reload();
      await meaning.waitFor();
      return page.getByRole('region', { name: 'Thresholds compared' }).textContent();
    };
    await expect.poll(shown, { interval: 500 }).toMatch(/0\.6250verification.*too few calls: 1 of 100/);
    for (let calls = 1; calls < 100; calls += 1)
      await server.call('/face-api/facegallery/verify-face', probe);
    await expect.poll(shown, { interval: 500 }).toMatch(/0\.6250verification.*0 of 100 \(0 %\)/);
    await page.getByRole('region', { name: 'Similarities of the pictures that were checked' }).waitFor();
    await page.getByRole('region', { name: 'Calibration' }).getByText('measured').waitFor();
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });
}

function changesSettings(stage: Stage): void {
  it('changes the settings of a gallery, and deletes it after its name is typed', async () => {
    const { server, browser } = stage();
    await enrolled(server, 'gone/soon', { ani: 'ani' });
    const { page } = await signedIn(browser, server, desktop, '#/galleries/gone%2Fsoon/settings');
    const threshold = page.getByLabel('Threshold of this gallery');
    await threshold.fill('1');
    await page.getByText('nobody is recognised in another one').waitFor();
    await threshold.fill('0.2');
    await expect.poll(() => page.locator('.notice.warn').textContent()).toMatch(/^False match rate near 1/);
    await threshold.fill('0.8');
    await page.locator('.notice.warn').waitFor({ state: 'detached' });
    await page.getByLabel('Days after which people are erased').fill('3');
    await page.getByText('each is erased 3 days after the first enrolment').waitFor();
    await page.getByLabel('Days after which people are erased').fill('');
    await page.locator('.notice.warn').waitFor({ state: 'detached' });
    await page.getByLabel('Require a liveness session').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    const described = async () => {
      const { facegalleries } = await server.call('/face-api/facegallery/describe-facegalleries', {});
      return (facegalleries as Json[]).find((gallery) => gallery['facegallery_id'] === 'gone/soon');
    };
    expect(await described()).toMatchObject({ threshold: 0.8, require_liveness: true });
    await page.getByRole('button', { name: 'Delete gallery' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete gallery' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Delete gallery');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Name').fill('gone/soon');
    await confirm.click();
    await page.getByRole('heading', { level: 1, name: 'Galleries' }).waitFor();
    expect(await described()).toBeUndefined();
  });
}
