import { statuses } from '@wajah/contract';
import * as table from '@wajah/contract/refusals';
import { describe, expect, it } from 'vitest';
import { indonesianDetail, indonesianRefusals } from './refusals.ts';

it('every status of the server has a title and advice in Indonesian', () => {
  const known = Object.values(statuses).map(({ status }) => status);
  expect(Object.keys(indonesianRefusals).sort()).toEqual([...new Set(known)].sort());
});

describe('the detail of a refusal', () => {
  it('is told by its code', () => {
    const answer = { error: 'tokenNotFound', params: {} };
    const told = indonesianDetail(table, { answer, status: '', detail: '' });
    expect(told).toBe('token_id: Anda tidak punya token dengan id ini; lihat daftar token Anda');
  });

  /** A value for each placeholder of a sentence. */
  const sample = (english: string) =>
    Object.fromEntries(
      [...english.matchAll(/\{(\w+)(?::(\w+\??))?\}/g)].map(([, name = '', format = '']) => {
        if (format === 'similarity') return [name, 0.4312];
        if (format === 'phrase?') return [name, undefined];
        if (format === 'phrase') return [name, { code: 'takeMaskOff' }];
        return [name, /^(list|rules|sentences)$/.test(format) ? ['p-7', { code: 'takeMaskOff' }] : 'p-7'];
      }),
    );
  const rows = Object.entries(table.refusals).filter(([, { en }]) => /^[^{]*\w{3}|\}[^{]*\w{3}/.test(en));

  it.each(rows)('of a record is the sentence that its English one belongs to: %s', (code, row) => {
    const params = sample(row.en);
    const { detail } = table.toldRefusal(code as table.RefusalCode, params);
    const told = indonesianDetail(table, { answer: {}, status: row.status, detail });
    // Two rows have the same English sentence.
    const same = rows.filter(([, { en, status }]) => en === row.en && status === row.status);
    expect(same.map(([one]) => table.refusalSentence({ error: one, params }, 'id'))).toContain(told);
  });

  it('is not guessed when the sentence is unknown', () => {
    const refusal = { answer: {}, status: 'faceTooSmall', detail: 'image: something new of 7 px' };
    expect(indonesianDetail(table, refusal)).toBeUndefined();
  });
});
