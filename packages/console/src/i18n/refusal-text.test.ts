/// <reference lib="dom" />
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chooseLanguage } from '../state/preferences.ts';
import { formatTime } from './format.ts';
import { refusalText } from './refusal-text.ts';

beforeEach(() => chooseLanguage('id'));
afterEach(() => chooseLanguage('en'));

const record = { status: '422', message: 'Token not found', detail: 'token_id: you have no such token' };

it('a refusal is told by its code in the language of the page', async () => {
  const told = () => refusalText({ ...record, answer: { error: 'tokenNotFound', params: {} } });
  await expect.poll(() => told().original).toBeUndefined();
  expect(told()).toEqual({
    title: 'Token tidak ditemukan',
    text: 'Anda tidak punya token dengan id ini; lihat daftar token Anda',
  });
});

it('a refusal has the words of the page', async () => {
  const params = { field: 'image', face: { code: 'theFace' }, size: 30, minimum: 60 };
  const told = () => refusalText({ ...record, answer: { error: 'faceTooSmall', params } });
  await expect.poll(() => told().text).toContain('30 piksel');
});

it('a refusal has numbers and times as the page has them', async () => {
  const since = { code: 'since', params: { at: '2026-01-31T12:00:05.264Z' } };
  const told = () => refusalText({ ...record, answer: { error: 'userSuspended', params: { since } } });
  await expect.poll(() => told().text).toContain(formatTime('2026-01-31T12:00:05.264Z'));
  const params = { similarity: 0.2908, threshold: 0.625 };
  const { text } = refusalText({ ...record, answer: { error: 'appendedDiffers', params } });
  expect(text).toMatch(/0,2908.*0,6250/);
});

it.each([undefined, {}, { error: 'tokenNotFound' }, { error: 'newer', params: {} }])(
  'what cannot be told by its code keeps the sentence of the server: %j',
  (answer) => {
    const advice = 'Anda tidak memiliki token API ini.';
    expect(refusalText({ ...record, answer })).toMatchObject({ text: advice, original: record.detail });
  },
);

it.each([
  [
    '413',
    {
      error: 'faceTooSmall',
      params: {
        field: 'image',
        face: { code: 'theFace' },
        size: 30,
        minimum: 60,
        remedy: { code: 'orForceRegister' },
      },
    },
    'The face is 30 pixels, the minimum is 60 pixels (shorter side of its box); come closer or send a larger picture',
  ],
  [
    '403',
    { error: 'faceQuotaUsedUp', params: {} },
    'The number of faces that this client may enrol is used up; ask the operator for more',
  ],
  ['409', { error: 'userEnrolled', params: {} }, 'This user ID has a face in the gallery already'],
])('in English the pages do not say what only a program can send: %s', async (status, answer, text) => {
  await chooseLanguage('en');
  const told = () => refusalText({ status, message: 'image error', detail: 'image: the sentence', answer });
  await expect.poll(() => told().text).toBe(text);
  expect(told().title).not.toContain('image');
});
