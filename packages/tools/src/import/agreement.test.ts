import { expect, it } from 'vitest';
import { agreementOf, differsFrom } from './agreement.ts';

/** Pictures of people, by a letter each; two of one person have a similarity of 0.9, others of 0.2. */
const agreeing = (people: string) =>
  agreementOf(people.length, (a, b) => (people[a] === people[b] ? 0.9 : 0.2), 0.625)
    .map(({ agrees }, index) => (agrees ? people[index] : '-'))
    .join('');

it('takes the pictures of the person whom more than half of them show', () => {
  expect(agreeing('a')).toBe('a');
  expect(agreeing('aa')).toBe('aa');
  expect(agreeing('ab')).toBe('--');
  expect(agreeing('baa')).toBe('-aa');
  expect(agreeing('aab')).toBe('aa-');
  expect(agreeing('aabb')).toBe('----');
  expect(agreeing('aabc')).toBe('----');
  expect(agreeing('baaca')).toBe('-aa-a');
});

it('joins pictures that match through a third one, and names the most similar one', () => {
  const similarity = (a: number, b: number) => (Math.abs(a - b) === 1 ? 0.7 : 0.5 - Math.abs(a - b) / 10);
  const chain = agreementOf(3, similarity, 0.625);
  expect(chain.map(({ agrees }) => agrees)).toEqual([true, true, true]);
  const apart = agreementOf(2, () => 0.3, 0.625);
  expect(apart).toEqual([
    { agrees: false, nearest: { index: 1, similarity: 0.3 } },
    { agrees: false, nearest: { index: 0, similarity: 0.3 } },
  ]);
  expect(agreementOf(1, similarity, 0.625)).toEqual([{ agrees: true, nearest: null }]);
});

it('says a similarity below the threshold as one, with four decimals', () => {
  expect(differsFrom('1.jpg', 0.624_99, 0.625, true)).toMatch(/0\.6249 .*1\.jpg; threshold 0\.6250/);
});
