import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UserIndex } from './user-index.ts';

function emptyIndex() {
  const ids: Buffer[] = [];
  const index = new UserIndex((row) => ids[row]!);
  return {
    index,
    /** Names a new row. */
    set: (user: string) => {
      ids.push(Buffer.from(user));
      index.set(ids.at(-1)!, ids.length - 1);
      return ids.length - 1;
    },
  };
}

it('finds the last row set for each user that was not deleted', () => {
  const steps = fc.array(fc.record({ user: fc.integer({ min: 0, max: 40 }), set: fc.boolean() }), {
    maxLength: 300,
    size: 'max',
  });
  fc.assert(
    fc.property(steps, (changes) => {
      const { index, set } = emptyIndex();
      const truth = new Map<string, number>();
      for (const change of changes) {
        const user = `user ${change.user}`;
        if (change.set) truth.set(user, set(user));
        else index.delete(Buffer.from(user));
        if (!change.set) truth.delete(user);
      }
      for (let i = 0; i <= 40; i++) {
        expect(index.find(Buffer.from(`user ${i}`))).toBe(truth.get(`user ${i}`) ?? -1);
      }
    }),
    { numRuns: 50 },
  );
});

it('finds every user when the table is split into shards, and after most users were deleted', () => {
  const { index, set } = emptyIndex();
  const users = Array.from({ length: 20_000 }, (_, i) => `user ${i}`);
  const rows = users.map(set);
  expect(users.every((user, i) => index.find(Buffer.from(user)) === rows[i])).toBe(true);
  expect(index.bytes).toBeLessThan(20_000 * 16);
  for (const user of users.slice(0, 19_000)) index.delete(Buffer.from(user));
  expect(users.filter((user) => index.find(Buffer.from(user)) >= 0)).toEqual(users.slice(19_000));
});
