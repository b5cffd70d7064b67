import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { randomNumbers } from '../../test/support/vectors.ts';
import { ScanLock } from './scan-lock.ts';

it('lets scans run together, and a writer alone, after those that came before', async () => {
  const lock = new ScanLock();
  const random = randomNumbers(7);
  let [scans, writers, most, begun] = [0, 0, 0, 0];
  const pause = async () => {
    for (let turns = Math.floor(random() * 4); turns > 0; turns--) await nextTurn();
  };
  const scan = async () => {
    const before = begun;
    await lock.scan(async () => {
      // Whatever was asked to write before is done.
      expect(begun).toBeGreaterThanOrEqual(before);
      scans++;
      most = Math.max(most, scans);
      expect(writers).toBe(0);
      await pause();
      expect(writers).toBe(0);
      scans--;
    });
  };
  const write = () =>
    lock.write(async () => {
      writers++;
      begun++;
      expect([scans, writers]).toEqual([0, 1]);
      await pause();
      expect([scans, writers]).toEqual([0, 1]);
      writers--;
      if (random() < 0.2) throw new Error('it failed');
    });
  const running: Promise<unknown>[] = [];
  for (let i = 0; i < 300; i++) {
    running.push(
      random() < 0.7 ? scan() : write().catch((error: Error) => expect(error.message).toBe('it failed')),
    );
    if (random() < 0.5) await pause();
  }
  await Promise.all(running);
  expect(most).toBeGreaterThan(1);
  expect(begun).toBeGreaterThan(50);
});
