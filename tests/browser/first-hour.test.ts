import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { activity } from '../../packages/console/src/features/activity/texts.ts';
import {
  common,
  door,
  enrolment,
  galleries,
  liveness,
  looksLike,
  people,
} from '../../packages/console/src/i18n/messages.ts';
import { chooseLanguage } from '../../packages/console/src/state/preferences.ts';
import { temporaryDirectory } from '../../packages/server/test/support/temporary.ts';
import { problemsAt } from './accessibility.ts';
import { chromiumPath, desktop, launchChromium, phone } from './chromium.ts';
import {
  type ConsoleServer,
  loaded,
  savedBy,
  signedIn,
  startConsole,
  unexpectedErrors,
} from './console-server.ts';

const pictures = fileURLToPath(new URL('../../../shared/eval/verification/', import.meta.url));

/** Folders of people whose faces are large enough, and of those a few pixels below the rule. */
const large = [
  ...['amy_adams', 'anthony_hopkins', 'attr1423', 'attr1561', 'attr1996', 'cf_B', 'cf_C', 'cf_face1'],
  ...['cf_face2', 'cf_face3', 'eric_clapton', 'h_celeste', 'h_christina', 'h_lexi', 'h_nicole', 'h_tasia'],
].map((name) => `public/${name}`);
const small = [
  ...['Aaron_Peirsol', 'Abdullah', 'Abraham_Foxman', 'Adam_Kennedy', 'Adam_Mair', 'Adam_Scott'],
  ...['Adolfo_Rodriguez_Saa', 'Adrian_Nastase', 'Afton_Smith', 'Ahmed_Qureia', 'Ahmet_Necdet_Sezer'],
  ...['Aitor_Gonzalez', 'Akbar_Al_Baker', 'Al_Gore'],
].map((name) => `lfw/${name}`);
const others = ['bbt/amy', 'bbt/bernadette', 'bbt/howard'];

/** The first picture of a person, or a further one. */
const pictureOf = (folder: string, at = 0) =>
  join(pictures, folder, readdirSync(join(pictures, folder)).sort()[at]!);

/** 34 pictures as an office has them, the last one of somebody who is among them already. */
function fileOffice(): string[] {
  const folder = temporaryDirectory();
  const sources = [...large, ...small, ...others].map((path) => pictureOf(path));
  return [...sources, pictureOf('bbt/amy', 1)].map((source, at) => {
    const name = at === 33 ? 'Emma Watson' : source.split('/').at(-2)!;
    const file = join(folder, `${1001 + at}_${name}.jpg`);
    copyFileSync(source, file);
    return file;
  });
}

/** Counts what somebody presses and chooses. */
function hand() {
  let clicks = 0;
  return {
    get clicks() {
      return clicks;
    },
    async click(target: Locator): Promise<void> {
      clicks += 1;
      await target.click();
    },
    async choose(target: Locator, files: readonly string[]): Promise<void> {
      clicks += 1;
      await target.setInputFiles([...files]);
    },
  };
}

const shots = process.env['SHOTS'];

describe.skipIf(!chromiumPath || !existsSync(pictures))('the first hour of a personnel office', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    // Before the camera stands somebody who is enrolled.
    const camera = join(temporaryDirectory(), 'camera.mjpeg');
    copyFileSync(pictureOf('public/cf_face1'), camera);
    [server, browser] = await Promise.all([
      startConsole({ WAJAH_KEEP_FACE_CROPS: 'gallery' }),
      launchChromium(camera),
    ]);
  });

  const listed = async (gallery: string) => {
    const all = await server.call('/face-api/facegallery/list-faces', {
      facegallery_id: gallery,
      limit: 100,
    });
    return (all['faces'] as { user_id: string; user_name: string }[]).map(
      ({ user_id, user_name }) => `${user_id} ${user_name}`,
    );
  };
  async function verified(gallery: string, user_id: string, folder: string): Promise<unknown> {
    const image = readFileSync(pictureOf(folder)).toString('base64');
    const probe = { facegallery_id: gallery, user_id, image };
    return (await server.call('/face-api/facegallery/verify-face', probe))['verified'];
  }
  async function shoot(page: Page, name: string): Promise<void> {
    if (shots) writeFileSync(join(shots, `${name}.png`), await page.screenshot({ fullPage: true }));
  }
  const problems = async (page: Page) => [
    ...(await problemsAt(page, phone.viewport!)),
    ...(await problemsAt(page, desktop.viewport!)),
  ];

  it.each<[string, string]>([
    ['en', 'en-GB'],
    ['id', 'id-ID'],
  ])(
    'enrols 34 pictures with two decisions, replaces a picture and erases a leaver, in %s',
    async (chosen, locale) => {
      await chooseLanguage(chosen);
      const gallery = `office-${chosen}`;
      const by = hand();
      const { page, errors } = await signedIn(
        browser,
        server,
        { ...desktop, locale, permissions: ['camera'] },
        '#/galleries',
      );
      const button = (name: string, within: Page | Locator = page) =>
        within.getByRole('button', { name, exact: true });
      await page.getByLabel(common.name).fill(gallery);
      await by.click(page.getByLabel(galleries.keepCrops));
      await by.click(button(galleries.createButton));
      const files = fileOffice();
      await by.choose(page.getByLabel(`${common.choose}: ${enrolment.title}`), files);
      await by.click(button(enrolment.run(34)));
      await page.getByText(enrolment.summary(19, 15)).waitFor();
      await shoot(page, `refused-${chosen}`);
      expect(await problems(page)).toEqual([]);
      await shoot(page, `refused-${chosen}-whole`);
      await by.click(button(enrolment.anyway(14)));
      await page.getByText(enrolment.summary(33, 1)).waitFor();
      await expect.poll(() => page.locator('.looks-like .both img').count()).toBe(2);
      await shoot(page, `alike-${chosen}`);
      await by.click(button(looksLike.same('amy')));
      await page.getByText(enrolment.summary(34, 0)).waitFor();
      const enrolled = await listed(gallery);
      expect(enrolled).toHaveLength(33);
      expect(enrolled).toContain('1017 Aaron Peirsol');
      console.info(`${chosen}: 34 pictures enrolled with ${by.clicks} clicks`);

      // The picture of somebody else is replaced.
      const before = by.clicks;
      await by.click(page.getByRole('link', { name: 'cf C', exact: true }));
      await by.click(page.getByLabel(people.replaceAll));
      await by.choose(page.getByLabel(`${common.chooseOne}: ${people.add}`), [pictureOf('bbt/leonard')]);
      await by.click(button(people.replaceAnyway));
      await page.getByText(people.addedTo('cf C')).waitFor();
      await expect.poll(() => verified(gallery, '1007', 'bbt/leonard')).toBe(true);
      await expect.poll(() => verified(gallery, '1007', 'public/cf_C')).toBe(false);
      const replaced = by.clicks - before;
      await by.click(page.getByRole('link', { name: people.back(gallery) }));
      await by.click(page.getByRole('checkbox', { name: people.selectPerson('anthony hopkins') }));
      await by.click(button(people.eraseSelected('1')));
      await by.click(button(people.erase, page.getByRole('dialog')));
      await expect.poll(async () => (await listed(gallery)).join()).not.toContain('anthony hopkins');
      await shoot(page, `erased-${chosen}`);
      const erased = by.clicks - before - replaced;

      // Who came is said where it is looked for, and the door has the list.
      await page.getByRole('link', { name: activity.title, exact: true }).click();
      await page.getByText(activity.whoCame).waitFor();
      await loaded(page);
      expect(await problems(page)).toEqual([]);
      await shoot(page, `activity-${chosen}`);
      await page.getByRole('link', { name: door.title }).click();
      await button(door.start).click();
      const log = page.getByRole('region', { name: door.log });
      await log.getByText('cf face1').waitFor();
      await shoot(page, `door-${chosen}`);
      const [head, ...came] = await savedBy(page, `${common.export}: ${door.log}`);
      expect(head).toBe('\uFEFFcame,last_seen,user_id,user_name');
      expect(came.join('\n')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,.*,1008,cf face1$/m);
      await button(door.leave).click();

      // A link for somebody's phone.
      const early = by.clicks;
      await by.click(page.getByRole('link', { name: common.liveness, exact: true }));
      await page.getByLabel(liveness.linkName).fill('amy adams');
      await by.click(button(liveness.makeLink));
      const qr = page.getByRole('img', { name: liveness.qr('amy adams') });
      await qr.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode());
      await page.getByRole('status').getByText(liveness.state_waiting).waitFor();
      expect(await problems(page)).toEqual([]);
      await shoot(page, `link-${chosen}`);
      await page.getByLabel(liveness.linkName).fill('amy adams');
      await button(liveness.makeLink).click();
      await page.getByRole('status').getByText(liveness.state_ended).waitFor();
      const shares = [
        `a picture replaced by that of another person with ${replaced}`,
        `a leaver erased with ${erased}`,
      ];
      console.info([...shares, `a link sent with ${by.clicks - early}`].join(', '));
      expect(unexpectedErrors(errors).filter((error) => !/413/.test(error))).toEqual([]);
    },
  );
});
