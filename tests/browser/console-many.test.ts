import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { problemsAt, seriousViolations } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, phone } from './chromium.ts';
import {
  type ConsoleServer,
  hold,
  openMenu,
  signedIn,
  signIn,
  startConsole,
  unexpectedErrors,
} from './console-server.ts';

const people = ['ani', 'budi', 'citra', 'darma', 'eka'];

/** Whether a button can be seen and reached. */
const isInSight = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).evaluate(
    new Function(
      'button',
      `const { left, top, width, height } = button.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('button') === button;`,
    ) as () => boolean,
  );

describe.skipIf(!chromiumPath)('enrolment of many in the console', () => {
  let server: ConsoleServer;
  let browser: Browser;
  /** 34 pictures: five people, and pictures of them again, of which the last one shows nobody. */
  const files: string[] = [];
  beforeAll(async () => {
    [server, browser] = await Promise.all([startConsole(), launchChromium()]);
    const folder = temporaryDirectory();
    for (let at = 0; at < 34; at += 1) {
      const person = people[at % people.length]!;
      const picture = at < people.length ? person : at === 33 ? 'nobody' : `${person}-again`;
      const file = join(folder, `Orang ${String(at).padStart(2, '0')}.jpg`);
      copyFileSync(server.picture(picture), file);
      files.push(file);
    }
  });

  const open = async (gallery: string, options = desktop) => {
    await server.call('/face-api/facegallery/create-facegallery', { facegallery_id: gallery });
    return signedIn(browser, server, options, `#/galleries/${gallery}`);
  };
  const choose = (page: Page, ...paths: string[]) =>
    page.getByLabel('Choose pictures: Enrol people').setInputFiles(paths);

  it('keeps its buttons in sight, and has the refused ones first, by their reasons', async () => {
    const { page, errors } = await open('many');
    await choose(page, ...files);
    const rows = page.locator('.enrolees > li');
    await expect.poll(() => rows.count()).toBe(34);
    // A list that waits is nowhere else; browsers ask who has touched the page.
    await page.mouse.click(1, 1);
    const question = page.waitForEvent('dialog');
    page.reload().catch(() => undefined);
    await (await question).dismiss();
    for (const { viewport } of [phone, desktop]) {
      await page.setViewportSize(viewport!);
      for (const at of [0, 33]) {
        await rows.nth(at).scrollIntoViewIfNeeded();
        await expect.poll(() => isInSight(page, 'Enrol 34 people')).toBe(true);
      }
      expect(await problemsAt(page, viewport!)).toEqual([]);
    }
    const heads = page.locator('.cell .label').filter({ visible: true });
    await expect.poll(() => heads.allTextContents()).toEqual(['Name', 'User ID']);
    await page.getByRole('button', { name: 'Enrol 34 people' }).click();
    await page.getByText('5 enrolled, 29 refused.').waitFor();
    const headings = page.locator('form h3');
    await expect
      .poll(() => headings.allTextContents())
      .toEqual(['Looks like somebody who is enrolled (28)', 'Face not detected (1)', 'Enrolled (5)']);
    // Nobody is sent again as before.
    await expect.poll(() => page.getByRole('button', { name: /^Enrol \d/ }).count()).toBe(0);
    const again = page.locator('.enrolees > li').filter({ has: page.getByLabel('Name, Orang 05.jpg') });
    await again.getByRole('alert').waitFor();
    await again.getByRole('button', { name: 'Different people: enrol' }).click();
    await page.getByText('6 enrolled, 28 refused.').waitFor();
    await expect.poll(() => again.textContent()).toContain('Enrolled');
    // Nothing is left of the refusal.
    await expect.poll(() => again.getByRole('alert').count()).toBe(0);
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('names each file that is no picture, folds away who is enrolled with this picture, and asks of every other taken ID', async () => {
    const { page, errors } = await open('again');
    await page.getByText('Name and ID come from the file name').waitFor();
    const folder = temporaryDirectory();
    const named = (name: string, picture: string) => {
      copyFileSync(server.picture(picture), join(folder, name));
      return join(folder, name);
    };
    const files = ['scan.pdf', 'IMG_1.heic'].map((name) => join(folder, name));
    for (const file of files) writeFileSync(file, 'no picture');
    const before = [named('1_Ani (1).jpg', 'ani'), named('2_Budi.jpeg.jpg', 'budi')];
    const sheet = join(folder, 'staff.xlsx');
    writeFileSync(sheet, 'no picture');
    await choose(page, sheet);
    const problem = page.getByRole('alert').filter({ hasText: 'Save staff.xlsx as CSV first' });
    await problem.waitFor();
    expect(await problem.textContent()).not.toContain('decode');
    await choose(page, files[0]!, ...before, files[1]!, sheet);
    const problems = page.getByRole('alert').filter({ hasText: 'decode 2: scan.pdf, IMG_1.heic.' });
    await expect.poll(() => problems.textContent()).toMatch(/Most Compatible.*Save staff.xlsx as CSV/);
    await page.getByRole('button', { name: 'Enrol 2 people' }).click();
    await page.getByText('2 enrolled, 0 refused.').waitFor();
    await page.reload();
    for (const name of ['Ani', 'Budi']) await page.getByRole('link', { name, exact: true }).waitFor();
    // Another picture of Ani, and under the ID of Budi somebody else.
    const others = [named('1_Ani (2).jpg', 'ani-again'), named('2_Eka.jpg', 'eka')];
    await choose(page, ...before, ...others, named('3_Citra.jpg', 'citra'), named('3_Darma.jpg', 'darma'));
    await page.getByRole('button', { name: 'Enrol 6 people' }).click();
    await page.getByText('1 enrolled, 3 refused.').waitFor();
    const headings = page.locator('form h3');
    await expect
      .poll(() => headings.allTextContents())
      .toEqual(['ID is enrolled already (3)', 'Enrolled before with this picture (2)', 'Enrolled (1)']);
    await page.getByRole('button', { name: 'Same person: add the picture to Citra' }).waitFor();
    await page.getByText(/^The ID 2 is that of Budi: similarity 0\.[0-5]\d{3}$/).waitFor();
    await page.getByText('Enrolled before with this picture (2)').click();
    const folded = page.locator('details[open] .enrolees > li');
    await expect.poll(() => folded.count()).toBe(2);
    await page.getByText(/^The ID 1 is that of Ani: similarity 0\.\d{4}$/).waitFor();
    await page.getByRole('button', { name: 'Same person: add the picture to Ani' }).click();
    await page.getByText('2 enrolled, 2 refused.').waitFor();
    // Whose picture it is counts, however many the person has.
    await page.getByRole('button', { name: 'Clear the list' }).click();
    await choose(page, ...before, others[0]!);
    await page.getByRole('button', { name: 'Enrol 3 people' }).click();
    await page.getByText('0 enrolled, 0 refused.').waitFor();
    await expect.poll(() => headings.allTextContents()).toEqual(['Enrolled before with this picture (3)']);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('asks before a picture that exists gets another name, and before another face replaces a person', async () => {
    const { page, errors } = await open('renamed');
    const folder = temporaryDirectory();
    const named = (name: string, picture: string) => {
      copyFileSync(server.picture(picture), join(folder, name));
      return join(folder, name);
    };
    const names = async () => {
      const { faces } = await server.call('/face-api/facegallery/list-faces', { facegallery_id: 'renamed' });
      return (faces as { user_name: string }[]).map(({ user_name }) => user_name);
    };
    const result = (text: string) => page.getByText(text).waitFor();
    const button = (name: string) => page.getByRole('button', { name });
    await choose(page, named('1_Ani.jpg', 'ani'), named('2_Budi.jpg', 'budi'), named('3_Citra.jpg', 'citra'));
    await button('Enrol 3 people').click();
    await result('3 enrolled, 0 refused.');
    await button('Clear the list').click();

    // With the pictures that are enrolled, other names; case and blanks make none.
    await choose(
      page,
      named('1_Maria.jpg', 'ani'),
      named('2_Bob.jpg', 'budi'),
      named('3_citra.jpg', 'citra'),
    );
    await button('Enrol 3 people').click();
    await result('0 enrolled, 2 refused.');
    await result('Enrolled before with this picture (1)');
    await result('The ID 1 is that of Ani: similarity 1.0000 · the same picture');
    expect(await names()).toEqual(['Ani', 'Budi', 'Citra']);
    await expect.poll(() => seriousViolations(page)).toEqual([]);
    await button('Take the name Maria').click();
    await result('1 enrolled, 1 refused.');
    await button('Keep the name Budi').click();
    await result('1 enrolled, 0 refused.');
    expect(await names()).toEqual(['Maria', 'Budi', 'Citra']);
    await button('Clear the list').click();

    // Pictures and names are replaced: not by the face of somebody else.
    const replace = page.getByLabel('Replace pictures and name of IDs that exist');
    await choose(page, named('1_Ani.jpg', 'ani-again'), named('2_Darma.jpg', 'darma'));
    await page.locator('summary', { hasText: 'Options' }).click();
    await replace.check();
    await button('Enrol 2 people').click();
    await result('1 enrolled, 1 refused.');
    await result('Replaced, and named anew (1)');
    await result('Maria → Ani');
    await page.getByText(/^The ID 2 is that of Budi: similarity 0\.[0-5]\d{3}$/).waitFor();
    expect(await names()).toEqual(['Ani', 'Budi', 'Citra']);
    await button('Different people: replace the pictures of Budi').click();
    await result('2 enrolled, 0 refused.');
    await expect.poll(names).toEqual(['Ani', 'Darma', 'Citra']);
    await button('Clear the list').click();
    await choose(page, join(folder, '3_Citra.jpg'));
    await page.locator('summary', { hasText: 'Options' }).click();
    await expect.poll(() => replace.isChecked()).toBe(false);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('waits for a server that is away, as pages do: nobody is refused, and nothing is pressed', async () => {
    const gallery = { facegallery_id: 'away' };
    await server.call('/face-api/facegallery/create-facegallery', gallery);
    const { page } = await signedIn(browser, server, desktop, '#/galleries');
    let isAway = true;
    const away = (route: Route) => (isAway ? route.abort() : route.fallback());
    await page.route(/describe-facegalleries|assets.list-/, away);
    await page.goto(`${server.url}/console#/galleries/away`);
    await page.getByText('The server cannot be reached').first().waitFor();
    isAway = false;
    await expect.poll(() => page.getByText('The server cannot be reached').count()).toBe(0);
    await page.route('**/enroll-face', away);
    const pictures = ['ani', 'budi'].map((name) => server.picture(name));
    await page.getByLabel('Choose pictures: Enrol people').setInputFiles(pictures);
    isAway = true;
    await page.getByRole('button', { name: 'Enrol 2 people' }).click();
    await page.getByText('The server cannot be reached').first().waitFor();
    expect(await page.getByText('Refused').count()).toBe(0);
    isAway = false;
    await page.getByText('2 enrolled, 0 refused.').waitFor();
    // Whoever stops the list meanwhile has it as it was.
    isAway = true;
    await page.getByLabel('Choose pictures: Enrol people').setInputFiles(server.picture('citra'));
    await page.getByRole('button', { name: 'Enrol 1 person' }).click();
    await page.getByText('The server cannot be reached').first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Enrol 1 person' }).waitFor();
  });

  it('keeps a list that waits when the sign-in ends, for the same client alone', async () => {
    const { page } = await open('kept');
    const other = await page.context().newPage();
    const rows = page.locator('.enrolees > li');
    const again = async () => {
      await page.getByLabel('Client ID').waitFor();
      await expect.poll(() => rows.count()).toBe(0);
      await signIn(page, server);
    };
    await choose(page, server.picture('ani'), server.picture('budi'));
    await page.route('**/enroll-face', (route) =>
      route.fulfill({ status: 401, json: { status: '401', status_message: '', detail: '', trx_id: '' } }),
    );
    await page.getByRole('button', { name: 'Enrol 2 people' }).click();
    await again();
    await page.getByRole('button', { name: 'Enrol 2 people' }).waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    // Signed out in another tab.
    await other.goto(`${server.url}/console`);
    await openMenu(other);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await again();
    await expect.poll(() => rows.count()).toBe(2);
    await openMenu(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await again();
    await page.getByText('Name and ID come from the file name').waitFor();
    await expect.poll(() => rows.count()).toBe(0);
    await other.close();
  });

  it('takes names and IDs from a CSV file alone, and says whom it leaves out', async () => {
    const { page, errors } = await open('listed');
    const folder = temporaryDirectory();
    const pictures = ['ani', 'budi', 'citra'].map((person, at) => {
      copyFileSync(server.picture(person), join(folder, `IMG_${at}.jpg`));
      return join(folder, `IMG_${at}.jpg`);
    });
    const table = join(folder, 'people.csv');
    writeFileSync(
      table,
      'user_id,user_name,file\n7,Ani,IMG_0.jpg\n3.17401E+15,Budi,IMG_1.jpg\n8,Citra,img_2\n9,Dewi,IMG_9\n',
    );
    await choose(page, ...pictures, table);
    await page.getByText('and not among the pictures: IMG_9.').waitFor();
    await page.getByText('name and ID are left to you: IMG_1.jpg.').waitFor();
    await page.getByText('damaged the ID, or it has several names: 3.17401E+15.').waitFor();
    await expect.poll(() => page.getByText('Name or ID is missing').count()).toBe(1);
    // A picture that is taken off the list is not missing.
    await page.getByRole('button', { name: 'Remove IMG_2.jpg from the list' }).click();
    await page.getByText('with name and ID from the CSV file: 1.').waitFor();
    await page.getByText('and not among the pictures: IMG_9.').waitFor();
    await page.getByRole('button', { name: 'Enrol 1 person' }).click();
    await page.getByText('1 enrolled, 0 refused.').waitFor();
    await page.getByLabel('Name, IMG_1.jpg').fill('Budi');
    await page.getByRole('button', { name: 'Enrol 1 person' }).click();
    await page.getByText('2 enrolled, 0 refused.').waitFor();
    expect(await server.call('/face-api/facegallery/list-faces', { facegallery_id: 'listed' })).toMatchObject(
      {
        faces: [
          { user_id: '7', user_name: 'Ani' },
          { user_id: 'budi', user_name: 'Budi' },
        ],
      },
    );
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('takes nobody from a CSV file of whose name there are several pictures', async () => {
    const { page, errors } = await open('alike');
    const [folder, other] = [temporaryDirectory(), temporaryDirectory()];
    const named = (name: string, person: string, of = folder) => {
      copyFileSync(server.picture(person), join(of, name));
      return join(of, name);
    };
    const table = join(folder, 'staff.csv');
    writeFileSync(table, 'Foto;Nama;NIP\nIMG_1.JPG;Siti;007\nimg_1.jpg;Budi;008\nIMG_2.JPG;Eka;009\n');
    const two = named('IMG_2.JPG', 'eka');
    await choose(page, named('IMG_1.JPG', 'ani'), named('img_1.jpg', 'budi'), two, table);
    await page.getByText('with name and ID from the CSV file: 3.').waitFor();
    const rows = page.locator('.enrolees > li');
    const ids = () =>
      rows
        .locator('input.mono')
        .evaluateAll(
          new Function('cells', 'return cells.map(({ value }) => value)') as () => readonly string[],
        );
    await expect.poll(ids).toEqual(['007', '008', '009']);
    // The same file names the same person; one of another folder may be what the row means.
    await choose(page, two);
    await expect.poll(ids).toEqual(['007', '008', '009', '009']);
    await choose(page, named('IMG_2.JPG', 'citra', other));
    await expect.poll(ids).toEqual(['007', '008', '', '', '']);
    await page.getByText('left to you: IMG_2.JPG, IMG_2.JPG, IMG_2.JPG.').waitFor();
    expect(await page.getByText('Several pictures or rows have this file name').count()).toBe(3);
    await page.getByRole('button', { name: 'Enrol 2 people' }).click();
    await page.getByText('2 enrolled, 0 refused.').waitFor();
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('names pictures by a CSV file whatever its heads are, and leaves a list of expected people as it is', async () => {
    const { page, errors } = await open('headed');
    const people = [{ user_id: '1', user_name: 'Sri Rahayu' }];
    const of = { facegallery_id: 'headed' };
    await server.call('/face-api/facegallery/set-expected', { ...of, people });
    const folder = temporaryDirectory();
    const pictures = ['ani', 'budi'].map((person, at) => {
      copyFileSync(server.picture(person), join(folder, `IMG_${at}.jpg`));
      return join(folder, `IMG_${at}.jpg`);
    });
    for (const head of ['Foto;Nama Karyawan;NIP', 'file;Nama Karyawan;NIP']) {
      const table = join(folder, 'staff.csv');
      writeFileSync(table, `${head}\r\nIMG_0.jpg;Ani Lestari;001\r\nimg_1.JPG;Budi;002\r\n`);
      await choose(page, ...pictures, table);
      await page.getByText('with name and ID from the CSV file: 2.').waitFor();
      const typed = (label: string) => page.getByLabel(label).inputValue();
      expect(await typed('Name, IMG_0.jpg')).toBe('Ani Lestari');
      expect(await typed('User ID, IMG_1.jpg')).toBe('002');
      await page.getByRole('button', { name: 'Clear the list' }).click();
    }
    const both = ['IMG_0.jpg;Ani Lestari;001', 'IMG_1.jpg;Budi;002'].map((row, at) => {
      writeFileSync(join(folder, `${at}.csv`), `Foto;Nama;NIP\r\n${row}\r\n`);
      return join(folder, `${at}.csv`);
    });
    await choose(page, ...pictures, ...both);
    await page.getByText('with name and ID from the CSV file: 2.').waitFor();
    expect(await server.call('/face-api/facegallery/list-expected', of)).toMatchObject({ people });
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('offers who of a list is missing where a name or an ID is typed, and fills the other', async () => {
    const { page, errors } = await open('awaited');
    const of = { facegallery_id: 'awaited' };
    const listed = ['001045 Joko Pratama', '001046 Ani Lestari', '001047 Dewi', '001048 Dewi', '0010 Budi'];
    const people = listed.map((line) => {
      const [user_id = '', ...name] = line.split(' ');
      return { user_id, user_name: name.join(' ') };
    });
    await server.call('/face-api/facegallery/set-expected', { ...of, people });
    const folder = temporaryDirectory();
    const files = Object.entries({
      'IMG_3001.jpg': 'darma',
      'IMG_3002.jpg': 'budi',
      'Ani_Lestari.jpg': 'ani',
    });
    for (const [file, person] of files) copyFileSync(server.picture(person), join(folder, file));
    await choose(page, ...files.map(([file]) => join(folder, file)));
    const name = (file: string) => page.getByLabel(`Name, ${file}.jpg`);
    const id = (file: string) => page.getByLabel(`User ID, ${file}.jpg`);
    // A file that is called as somebody who is awaited.
    await expect.poll(() => id('Ani_Lestari').inputValue()).toBe('001046');
    await page.getByText('IMG_3001.jpg', { exact: true }).waitFor();
    const offered = (list: string | null) =>
      page
        .locator(`datalist[id="${list}"] option`)
        .evaluateAll(
          new Function('options', 'return options.map(({ value }) => value)') as () => readonly string[],
        );
    expect(await offered(await name('IMG_3001').getAttribute('list'))).toContain('Joko Pratama');
    expect(await offered(await id('IMG_3001').getAttribute('list'))).toContain('001045');
    await name('IMG_3001').fill('joko pratama ');
    expect(await id('IMG_3001').inputValue()).toBe('001045');
    // Nobody can tell two people of one name apart.
    await name('IMG_3001').fill('Dewi');
    expect(await id('IMG_3001').inputValue()).toBe('');
    await name('IMG_3001').fill('Dewi Anggraini');
    expect(await id('IMG_3001').inputValue()).toBe('dewi-anggraini');
    // The beginning of an ID is another one's.
    await id('IMG_3001').fill('');
    await name('IMG_3001').fill('');
    await id('IMG_3001').pressSequentially('001045');
    expect(await name('IMG_3001').inputValue()).toBe('');
    await id('IMG_3001').press('Tab');
    expect(await name('IMG_3001').inputValue()).toBe('Joko Pratama');
    await name('IMG_3002').fill('Budi');
    await page.getByRole('button', { name: 'Enrol 3 people' }).click();
    await page.getByText('3 enrolled, 0 refused.').waitFor();
    const left = await server.call('/face-api/facegallery/list-expected', { ...of, missing: true });
    expect(left).toMatchObject({ people: [{ user_id: '001047' }, { user_id: '001048' }] });
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('lets one choose the face of a group', async () => {
    const { page, errors } = await open('groups', phone);
    await choose(page, server.picture('group'));
    await page.getByLabel('Name, group.jpg').fill('Citra Lestari');
    await expect.poll(() => page.getByLabel('User ID, group.jpg').inputValue()).toBe('citra-lestari');
    await page.getByRole('button', { name: 'Enrol 1 person' }).click();
    await page.getByText('Largest of 3 faces').waitFor();
    const verified = async () => {
      const image = server.base64('citra');
      const probe = { facegallery_id: 'groups', user_id: 'citra-lestari', image };
      return (await server.call('/face-api/facegallery/verify-face', probe))['verified'];
    };
    for (const number of [1, 2, 3]) {
      if (await verified()) break;
      await page.getByRole('button', { name: 'Choose the face' }).click();
      const dialog = page.getByRole('dialog', { name: 'Choose the face' });
      await dialog.getByRole('button', { name: `Face ${number}` }).waitFor();
      await expect.poll(() => seriousViolations(page)).toEqual([]);
      const release = await hold(page, 'enroll-face');
      await dialog.getByRole('button', { name: `Face ${number}` }).click();
      release();
      await page.getByText('1 enrolled, 0 refused.').waitFor();
    }
    expect(await verified()).toBe(true);
    expect(unexpectedErrors(errors)).toEqual([]);
  });

  it('compares another face of a picture that was added to a person, and replaces none', async () => {
    const { page, errors } = await open('added');
    const folder = temporaryDirectory();
    for (const name of ['one.jpg', 'two.jpg']) copyFileSync(server.picture('group'), join(folder, name));
    writeFileSync(join(folder, 'people.csv'), 'user_id,user_name,file\n7,Ani,one.jpg\n7,Ani,two.jpg\n');
    await choose(page, ...['one.jpg', 'two.jpg', 'people.csv'].map((name) => join(folder, name)));
    await page.getByRole('button', { name: 'Enrol 2 people' }).click();
    await page.getByText('1 enrolled, 0 refused.').waitFor();
    await page.getByText('Enrolled before with this picture (1)').click();
    const added = page.locator('.enrolees > li').filter({ has: page.getByLabel('Name, two.jpg') });
    await added.getByRole('button', { name: 'Choose the face' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Face 2' }).click();
    await page.getByText(/have a similarity of 0\.\d{4} at best/).waitFor();
    await page.getByText('1 enrolled, 1 refused.').waitFor();
    const ani = { facegallery_id: 'added', user_id: '7', image: server.base64('group') };
    expect(await server.call('/face-api/facegallery/verify-face', ani)).toMatchObject({ similarity: 1 });
    expect(unexpectedErrors(errors)).toEqual([]);
  });
});
