import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '@wajah/contract/openapi';
import { type PhraseCode, phrases, type RefusalCode, refusals } from '@wajah/contract/refusals';
import { afterEach, describe, expect, it } from 'vitest';
import { root } from '../../../../tests/support/sources.ts';
import { textsFor } from '../../../capture/src/texts.ts';
import { loadConfig } from '../../../server/src/config/config.ts';
import {
  clockAhead,
  damagedRows,
  padPackMissing,
  provisionalCalibration,
} from '../../../server/src/config/findings.ts';
import { webhooks } from '../features/webhooks/texts.ts';
import { texts as indonesian } from '../languages/id.ts';
import { chooseLanguage, language, languages, translation } from '../state/preferences.ts';
import { auditEvents, auditSentence } from './audit.ts';
import { formatNumber } from './format.ts';
import * as areas from './messages.ts';
import { taskNames, tasks } from './operations.ts';
import { refusalText } from './refusal-text.ts';
import type { Translation } from './translation.ts';

/** Values of placeholders, as a text shows them. */
const values = ['‹1›', '‹2›', '‹3›'];
const textOf = (message: unknown) =>
  typeof message === 'function' ? String(message(...values)) : String(message);

const { messageFor: _, ...named } = areas;

/** The texts of an area in the language of the page. */
const textsOf = (area: object) =>
  Object.keys(area).map((name) => [name, textOf(area[name as keyof typeof area])] as const);

afterEach(() => chooseLanguage('en'));

it('no text says that a picture is alive: not of the console, the element, the API, or the documents', async () => {
  const ofConsole: string[] = [];
  for (const tag of languages) {
    await chooseLanguage(tag);
    ofConsole.push(...Object.values(named).flatMap((area) => textsOf(area).map(([, text]) => text)));
  }
  const ofReference = Object.values(indonesian.operations);
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

it('what a finding of the server means is said in another language by its id', async () => {
  await chooseLanguage('id');
  const { findings = {} } = translation.value as Translation;
  const met = [
    padPackMissing(loadConfig({})),
    provisionalCalibration('x'),
    clockAhead(new Date(0)),
    damagedRows([]),
  ];
  expect(met.filter(({ id }) => findings[id] === undefined)).toEqual([]);
});

it('English has every text, with values for its placeholders', () => {
  for (const area of Object.values(named))
    for (const [name, text] of textsOf(area)) expect(text, name).toMatch(/^(?!.*(undefined|\{\w+\}))./);
});

describe.each(languages.slice(1))('the texts in %s', (tag) => {
  const blanks = (text: string) => [...text.matchAll(/‹\d›|undefined|\{\w+\}/g)].map(String).sort();

  it.each(Object.entries(named))('of %s have the placeholders of the English ones', async (_, area) => {
    const english = new Map(textsOf(area));
    await chooseLanguage(tag);
    for (const [name, text] of textsOf(area)) expect(blanks(text), name).toEqual(blanks(english.get(name)!));
  });

  it('of refusals have the placeholders of the English ones', async () => {
    await chooseLanguage(tag);
    const { refusals: said = {} } = translation.value as Translation;
    const slots = (text: string) => [...text.matchAll(/\{[^}]*\}/g)].map(([slot]) => slot);
    for (const [code, text] of Object.entries(said)) {
      const english = code in refusals ? refusals[code as RefusalCode].sentence : phrases[code as PhraseCode];
      expect(
        slots(text).filter((slot) => !english.includes(slot)),
        code,
      ).toEqual([]);
    }
  });

  it('are of what there is', async () => {
    await chooseLanguage(tag);
    const { operations = {}, auditEvents: events = {} } = translation.value as Translation;
    const known = new Set(Object.values(tasks).flat());
    expect(Object.keys(operations).filter((id) => !known.has(id))).toEqual([]);
    expect(Object.keys(events).filter((event) => !(event in auditEvents))).toEqual([]);
  });
});

it('a language of twenty texts shows them, and English for what it has not', async () => {
  const french = {
    common: {
      galleries: 'Galeries',
      keys: 'Jetons',
      retry: 'Réessayer',
      cancel: 'Annuler',
      close: 'Fermer',
      save: 'Enregistrer',
      pageNumber: 'Page n° {number}',
      peopleCount: (count, shown) => `${shown} personne${count === 1 ? '' : 's'}`,
    },
    login: { title: 'Connexion', password: 'Mot de passe', busy: 'Connexion …' },
    units: { days: 'jours' },
    webhooks: { empty: 'Aucun webhook' },
    auditEvents: { token_revoked: () => 'a révoqué un jeton' },
    tasks: { Enrol: 'Inscrire' },
    operations: { health: 'Répond 200 tant que le processus tourne.' },
    statuses: { tokenNotFound: ['Jeton introuvable', 'Ce jeton n’existe pas.'] },
    refusals: {
      userSuspended: 'cette personne est suspendue{since:phrase?}',
      since: ' depuis le {at:time}',
      theFace: 'le visage',
    },
  } satisfies Translation;
  expect(Object.values(french).flatMap(Object.keys)).toHaveLength(20);
  language.value = 'fr';
  translation.value = french;
  const { common, login, units } = areas;
  expect([common.galleries, common.pageNumber(3), common.peopleCount(2, '2')]).toEqual([
    'Galeries',
    'Page n° 3',
    '2 personnes',
  ]);
  expect([common.copy, common.face(3), login.wrong, units.pixels]).toEqual([
    'Copy',
    'Face 3',
    'Client ID or password is wrong.',
    'pixels',
  ]);
  expect([formatNumber(0.5, 1), webhooks.empty, webhooks.title]).toEqual([
    '0,5',
    'Aucun webhook',
    'Webhooks',
  ]);
  expect([taskNames['Enrol'], taskNames['Server']]).toEqual(['Inscrire', 'Server']);
  const record = { number: 1, time: '', client_id: 'office', trx_id: null, hash: null };
  expect(
    ['token_revoked', 'client_registered'].map((event) => auditSentence({ ...record, event, facts: {} })),
  ).toEqual(['office a révoqué un jeton', 'office registered']);
  const told = (status: string, error: string, params = {}) =>
    refusalText({ status, message: 'message', detail: 'user_id: the sentence', answer: { error, params } });
  const since = { code: 'since', params: { at: '2026-01-31T12:00:00.000Z' } };
  await expect
    .poll(() => told('424', 'userSuspended', { since }))
    .toMatchObject({
      title: 'Person suspended',
      text: expect.stringMatching(/^Cette personne est suspendue depuis le 31 janv/),
    });
  expect(told('422', 'tokenNotFound')).toEqual({
    title: 'Jeton introuvable',
    text: 'Ce jeton n’existe pas.',
    original: 'user_id: the sentence',
  });
  expect(told('409', 'userEnrolled')).toEqual({
    title: 'Already enrolled, or looks like somebody else',
    text: 'This user ID has a face in the gallery already',
  });
});
