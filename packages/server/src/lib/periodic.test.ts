import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { periodically } from './periodic.ts';

it('runs at once and periodically, one run at a time, also after a failure, and stops after the current run', async () => {
  const warnings: string[] = [];
  let runs = 0;
  let atOnce = 0;
  const work = async () => {
    expect(++atOnce).toBe(1);
    runs++;
    await delay(20);
    atOnce--;
    if (runs === 1) throw new Error('broken');
  };
  const job = periodically(work, 5, { warn: (fields) => warnings.push(JSON.stringify(fields)) }, 'failed');
  expect(runs).toBe(1);
  while (runs < 3) await delay(5);
  await job.stop();
  expect(atOnce).toBe(0);
  const before = runs;
  await delay(30);
  expect(runs).toBe(before);
  expect(warnings).toEqual(['{"reason":"Error: broken"}']);
});
