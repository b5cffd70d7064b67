import { describe, expect, it } from 'vitest';
import { common, galleries as galleryTexts } from '../../packages/console/src/i18n/messages.ts';
import { texts as indonesian } from '../../packages/console/src/languages/id.ts';
import { chooseLanguage, languages } from '../../packages/console/src/state/preferences.ts';
import { comprefaceRefusals } from '../../packages/contract/src/features/compreface/refusals.ts';
import { openApiDocument } from '../../packages/contract/src/openapi.ts';
import type { RefusalRow } from '../../packages/contract/src/refusals/sentence.ts';
import { phrases, refusals } from '../../packages/contract/src/refusals.ts';
import { commandHelp } from '../../packages/server/src/cli/program.ts';
import { settingList } from '../../packages/server/src/config/settings.ts';
import { isTest, ourSources, withoutComments } from '../support/sources.ts';

/** String literals, and commands that a page shows. */
const literals = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|>((?:npx )?wajah [^<>{}]*)</g;

/** The texts of the programs: string literals of the sources, with their files. */
const texts = ourSources()
  .filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path))
  .flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(literals)].map(([literal, shown]) => ({
      path,
      text: (shown ?? literal.slice(1, -1)).replaceAll('\\`', '`'),
    })),
  )
  // Names of derived keys look like commands.
  .filter(
    ({ path, text }) =>
      !(
        /^packages\/server\/src\/(security|features\/\w+|store)\//.test(path) && /^wajah [a-z ]+$/.test(text)
      ),
  );

/** What endpoints begin with. */
const verbs =
  'begin|create|delete|describe|erase|export|find|get|hint|list|mark|merge|replay|resume|rotate|send|set|submit|suspend|test|update';

/** The sentences of refusals and their parts by code, English and Indonesian. */
const rows: (readonly [code: string, sentence: string])[] = [
  ...Object.entries<RefusalRow>(refusals).map(
    ([code, { field = '', sentence }]) => [code, `${field} ${sentence}`] as const,
  ),
  ...Object.entries(phrases),
  ...Object.entries(indonesian.refusals),
];

describe('what a sentence tells somebody to do can be done', () => {
  const helps = new Map(commandHelp().map(({ name, help }) => [name, help]));
  /** A command in a text: its words, and what follows up to the end of the quotation or sentence. */
  const command = /\bwajah ([a-z][a-z-]+)(?: ([a-z][a-z-]+))?([^`"';,.)]*)/g;

  it('its commands exist, with their options', () => {
    const wrong: string[] = [];
    let found = 0;
    for (const { path, text } of texts) {
      for (const [whole, first, second, rest] of text.matchAll(command)) {
        const parent = helps.get(`wajah ${first}`);
        if (parent === undefined) {
          if (new RegExp(`\`(npx )?wajah ${first}`).test(text)) wrong.push(`${path}: ${whole}`);
          continue;
        }
        found += 1;
        const hasParts = [...helps.keys()].some((name) => name.startsWith(`wajah ${first} `));
        const help = hasParts && second !== undefined ? helps.get(`wajah ${first} ${second}`) : parent;
        if (help === undefined) wrong.push(`${path}: ${whole}`);
        for (const [option] of rest!.matchAll(/--[a-z][a-z-]*/g))
          if (!help?.includes(option)) wrong.push(`${path}: ${whole}: ${option}`);
      }
    }
    expect(found).toBeGreaterThan(40);
    expect(wrong).toEqual([]);
  });

  it('its settings exist, and take the value that it names', () => {
    const settings = new Map(settingList.map((one) => [one.name as string, one]));
    const wrong: string[] = [];
    for (const { path, text } of texts) {
      for (const [, name, value] of text.matchAll(/\b(WAJAH_[A-Z][A-Z\d_]*)(?:=([a-z\d]+))?(?![A-Z\d_])/g)) {
        // A secret may be in a file that the setting with this suffix names.
        const setting = settings.get(name!.replace(/(SECRET_KEY|DATABASE_URL)_FILE$/, '$1'));
        if (setting === undefined || (value !== undefined && !setting.schema.safeParse(value).success))
          wrong.push(`${path}: ${name}${value === undefined ? '' : `=${value}`}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('its fields and endpoints exist', () => {
    const known = new Set(JSON.stringify(openApiDocument('1')).match(/[a-z]+(?:[_-][a-z\d]+)+/g));
    const named = new RegExp(`(?<![-\\w/.])[a-z]+(?:_[a-z]+)+|(?<![-\\w])(?:${verbs})(?:-[a-z]+)+`, 'g');
    const wrong = rows
      // CompreFace has fields of its own.
      .filter(([code]) => !(code in comprefaceRefusals))
      .flatMap(([code, sentence]) =>
        (sentence.replace(/\{[^}]*\}|`[^`]*`/g, '').match(named) ?? [])
          .filter((name) => !known.has(name))
          .map((name) => `${code}: ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  it('the pages and parts of the console that it names exist', async () => {
    const titles: unknown[] = [];
    for (const tag of languages.toReversed()) {
      await chooseLanguage(tag);
      const { view_thresholds, view_settings } = galleryTexts;
      titles.push(...Object.keys(common).map((name) => Reflect.get(common, name)));
      titles.push(view_thresholds, view_settings);
    }
    const wrong = texts
      .filter(({ path }) => /^packages\/console\/src\/(i18n|languages)\//.test(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/\b(?:page|tab|halaman) ([A-Z]\w+)/gi)]
          .filter(([, name]) => /^(?!Anda$)[A-Z]/.test(name!))
          .filter(([, name]) => !titles.includes(name))
          .map(([whole]) => `${path}: ${whole}`),
      );
    expect(wrong).toEqual([]);
  });
});

/** Sentences that name a deletion, and why it is not a remedy that loses what is needed. */
const deletions: Readonly<Record<string, string>> = {
  lastPicture: 'the call wanted to erase it',
  tooManyPictures: 'one picture of fifty, and which one is chosen',
  tooManyOfSubject: 'pictures of one person, one by one',
  retentionWouldErase: 'it is warned of, and asked for once more',
  galleryDeleted: 'it says what happened',
  clientDeleted: 'it says what happened',
  clientIsOperator: 'the call wanted to delete it',
  tokenRevoked: 'it says what happened',
  tooManyTokens: 'one that no program uses',
  tooManyWebhooks: 'one that is not needed',
  tooManyOpenidApps: 'one that is not needed',
};

it('no refusal advises to delete people, galleries, clients or keys', () => {
  const naming = rows.filter(([, sentence]) =>
    /delet|eras|revoke|remove|hapus|cabut/i.test(sentence.replace(/\{[^}]*\}/g, '')),
  );
  expect([...new Set(naming.map(([code]) => code))].sort()).toEqual(Object.keys(deletions).sort());
});
