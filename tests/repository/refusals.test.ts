import { expect, it } from 'vitest';
import { phrases, refusals } from '../../packages/contract/src/refusals.ts';
import { isTest, ourSources } from '../support/sources.ts';

const users = ourSources().filter(
  ({ path }) =>
    path.startsWith('packages/') &&
    !/^packages\/contract\/src\/(refusals|features)/.test(path) &&
    !isTest(path),
);

it('every row of the table of refusals is used, so that its codes and sentences are those of the server', () => {
  const named = new Set(users.flatMap(({ text }) => [...text.matchAll(/'(\w+)'/g)].map(([, word]) => word)));
  const codes = [...Object.keys(refusals), ...Object.keys(phrases)];
  expect(codes.filter((code) => !named.has(code))).toEqual([]);
});
