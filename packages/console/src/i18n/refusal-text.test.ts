/// <reference lib="dom" />
import { expect, it, vi } from 'vitest';

vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }));
vi.stubGlobal('navigator', { languages: ['id'] });
const { refusalText } = await import('./refusal-text.ts');

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
