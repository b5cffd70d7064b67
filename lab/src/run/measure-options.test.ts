import { expect, it } from 'vitest';
import { readMeasureOptions } from './measure-options.ts';

it('measures everything unless parts are named, the enrolment with test alone', () => {
  expect(readMeasureOptions([]).parts).toContain('enrolment');
  expect(readMeasureOptions(['--split', 'dev']).parts).not.toContain('enrolment');
  expect(readMeasureOptions(['mask', 'eyes']).parts).toEqual(['mask', 'eyes']);
});

it.each([
  [['age'], /"age" is none of verification/],
  [['packs'], /--beside/],
  [['--split', 'train'], /"train", not dev or test/],
])('says what is wrong with %j', (args, said) => {
  expect(() => readMeasureOptions(args)).toThrow(said);
});
