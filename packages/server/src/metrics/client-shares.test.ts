import { expect, it } from 'vitest';
import { ClientShares } from './client-shares.ts';

it('ranks clients by the time that they have used lately', () => {
  const shares = new ClientShares();
  shares.add('a', 100, 0);
  shares.add('b', 300, 0);
  shares.add('c', 100, 0);
  shares.add('d', 100, 0);
  expect(shares.largest(2, 0)).toEqual([0.5, expect.closeTo(1 / 6), expect.closeTo(1 / 3)]);
  expect(shares.count(0)).toBe(4);
  expect(['a', 'b', 'unknown'].map((id) => shares.isLargest(id, 0))).toEqual([false, true, false]);
});

it('forgets time that was used long ago', () => {
  const shares = new ClientShares();
  shares.add('a', 1000, 0);
  shares.add('b', 1000, 300_000);
  expect(shares.largest(1, 300_000)[0]).toBeGreaterThan(0.99);
  expect(shares.count(3_600_000)).toBe(0);
  expect(shares.largest(1, 3_600_000)).toEqual([0, 0]);
});

it('keeps a bounded number of clients', () => {
  const shares = new ClientShares();
  for (let i = 0; i < 1500; i++) shares.add(`client ${i}`, 10 + i, 0);
  expect(shares.count(0)).toBe(1000);
});
