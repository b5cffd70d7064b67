import { expect, it } from 'vitest';
import { readMeasureOptions } from './measure-options.ts';

it('measures everything unless parts are named, the summary on test alone', () => {
  expect(readMeasureOptions([]).parts).toContain('summary');
  expect(readMeasureOptions(['--split', 'dev']).parts).not.toContain('summary');
  expect(readMeasureOptions(['mask', 'eyes']).parts).toEqual(['mask', 'eyes']);
});

it.each([
  [['age'], /"age" is none of verification/],
  [['packs'], /--beside/],
  [['summary', '--split', 'dev'], /--split test/],
  [['--split', 'train'], /"train", not dev or test/],
])('says what is wrong with %j', (args, said) => {
  expect(() => readMeasureOptions(args)).toThrow(said);
});
