import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '@wajah/contract/openapi';
import { RECOMMENDED_PAD_PACK } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { root } from '../../../../tests/support/sources.ts';
import { textsFor } from '../../../capture/src/texts.ts';
import { padNotice } from '../../../server/src/config/notices.ts';
import * as activityTexts from './activity.ts';
import type { Area } from './area.ts';
import * as clientTexts from './clients.ts';
import * as commonTexts from './common.ts';
import * as galleryTexts from './galleries.ts';
import * as keyTexts from './keys.ts';
import * as livenessTexts from './liveness.ts';
import * as looksLikeTexts from './looks-like.ts';
import * as measureTexts from './measure.ts';
import { tasks } from './operations.ts';
import * as recogniseTexts from './recognise.ts';
import * as referenceTexts from './reference.ts';
import * as systemTexts from './system.ts';
import * as webhookTexts from './webhooks.ts';

const areas = Object.assign(
  {},
  ...[activityTexts, clientTexts, commonTexts, galleryTexts, keyTexts, livenessTexts],
  ...[looksLikeTexts, recogniseTexts, referenceTexts, systemTexts, measureTexts, webhookTexts],
) as Record<string, Area>;

const textOf = (message: unknown) =>
  typeof message === 'function' ? String(message('7', '8')) : String(message);

it('no text says that a picture is alive: not of the console, the element, the API, or the documents', () => {
  const ofConsole = Object.values(areas).flatMap((area) => Object.values(area).flat().map(textOf));
  const ofReference = tasks.flatMap(({ operations }) => Object.values(operations));
  const ofElement = ['en', 'id'].map((language) => JSON.stringify(textsFor(language)));
  const documents = [
    'README.md',
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name)),
  ];
  const texts = [
    ...ofConsole,
    ...ofReference,
    ...ofElement,
    JSON.stringify(openApiDocument('0.1.0')),
    ...documents.map((name) => readFileSync(join(root, name), 'utf8')),
  ];
  expect(texts.length).toBeGreaterThan(400);
  const claims = [
    /\b(looks|seems|is) (alive|live|real)\b/i,
    /(detects?|checks?|proves?) (that )?a (living|live|real) (person|face)/i,
    /is a bona fide presentation/i,
    /(tampak|terlihat) (hidup|asli)/i,
    /bahwa (orang|wajah)\w* (pada gambar )?(hidup|asli|bona fide|hadir)/i,
  ];
  for (const claim of claims)
    for (const text of texts) expect(claim.exec(text)?.[0], String(claim)).toBeUndefined();
});

it('the notice of a missing PAD pack names it in both languages, in English in the words of the server', () => {
  const [english, indonesian] = systemTexts.system.padMissing;
  expect(english(padNotice)).toBe(padNotice);
  expect(indonesian()).toContain(RECOMMENDED_PAD_PACK);
});

describe.each(Object.entries(areas))('the messages of %s', (_, area) => {
  const pairs = Object.entries(area).map(([name, pair]) => [name, pair.map(textOf)] as const);

  it('exist in both languages', () => {
    for (const [name, texts] of pairs) for (const text of texts) expect(text.trim(), name).not.toBe('');
  });

  it('have the same placeholders in both', () => {
    const blanks = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const [name, [english, indonesian]] of pairs)
      expect(blanks(indonesian), name).toEqual(blanks(english));
  });

  it('are translated', () => {
    const same = pairs.filter(
      ([, [english = '', indonesian]]) => english === indonesian && english.includes(' '),
    );
    expect(same.filter(([, [text = '']]) => !/^[\d\W]|ms$|HTTP|Client ID/.test(text))).toEqual([]);
  });
});
