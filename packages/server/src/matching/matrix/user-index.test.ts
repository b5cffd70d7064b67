import { expect, it } from 'vitest';
import { UserIndex } from './user-index.ts';

// gallery-matrix.test.ts sets and deletes fewer users, at random.
it('finds every user when the table is split into shards, and after most users were deleted', () => {
  const users = Array.from({ length: 20_000 }, (_, i) => Buffer.from(`user ${i}`));
  const index = new UserIndex((row) => users[row]!);
  for (const [row, user] of users.entries()) index.set(user, row);
  expect(users.every((user, row) => index.find(user) === row)).toBe(true);
  expect(index.bytes).toBeLessThan(20_000 * 16);
  for (const user of users.slice(0, 19_000)) index.delete(user);
  expect(users.filter((user) => index.find(user) >= 0)).toEqual(users.slice(19_000));
});
