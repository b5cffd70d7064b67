/// <reference lib="dom" />
import { expect, it, vi } from 'vitest';

vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }));
vi.stubGlobal('navigator', { languages: ['id'] });
const { refusalText } = await import('./refusal-text.ts');
const { language } = await import('../state/preferences.ts');

const record = { status: '422', message: 'Token not found', detail: 'token_id: you have no such token' };

it('a refusal is told by its code in the language of the page', async () => {
  const told = () => refusalText({ ...record, answer: { error: 'tokenNotFound', params: {} } });
  await vi.waitFor(() => expect(told().original).toBeUndefined());
  expect(told()).toEqual({
    title: 'Token tidak ditemukan',
    text: 'token_id: Anda tidak punya token dengan id ini; lihat daftar token Anda',
  });
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
    'image: the face is 30 px, the minimum is 60 px; come closer, or send force_register: true',
    'The face is 30 pixels, the minimum is 60 pixels; come closer',
  ],
  [
    '409',
    'image: this face looks like that of user_id a; same person: send that user_id with append: true; different people: send check_duplicate: false',
    'This face looks like that of user_id a',
  ],
  ['493', 'image: the picture is broken', 'The picture is broken'],
])('in English the pages do not say what only a program can send: %s', (status, detail, text) => {
  language.value = 'en';
  const told = refusalText({ status, message: 'image error', detail });
  expect(told.text).toBe(text);
  expect(told.title).not.toContain('image');
  language.value = 'id';
});
