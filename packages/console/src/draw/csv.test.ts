import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it('writes a heading and rows, and quotes what needs it', () => {
  const rows = [
    ['2026-01-31', 12, null],
    ['a "b", c', 0.5, undefined],
  ];
  expect(csvOf(['time', 'calls', 'none'], rows)).toBe(
    '\uFEFFtime,calls,none\r\n2026-01-31,12,\r\n"a ""b"", c",0.5,\r\n',
  );
});

it('writes no text that a spreadsheet runs as a formula', () => {
  const texts = ['=1+1', '+1', '-1', '@x', '\t=1'];
  expect(
    csvOf(
      ['t'],
      texts.map((text) => [text]),
    ),
  ).toBe(`\uFEFFt\r\n${texts.map((t) => `'${t}\r\n`).join('')}`);
  expect(csvOf(['n'], [[-1]])).toContain('-1');
  expect(csvOf(['n'], [[-1]])).not.toContain("'-1");
});
