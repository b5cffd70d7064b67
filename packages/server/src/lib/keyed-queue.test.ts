import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyedQueue, mapBounded } from './keyed-queue.ts';

describe('tasks of one key', () => {
  it('never overlap and keep their order, whatever their duration', async () => {
    const turns = fc.array(fc.nat(4), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(turns, async (lengths) => {
        const order = createKeyedQueue<string>();
        const trace: string[] = [];
        const tasks = lengths.map((length, index) =>
          order.run('gallery', async () => {
            trace.push(`${index} begins`);
            for (let i = 0; i < length; i++) await turn();
            trace.push(`${index} ends`);
          }),
        );
        await Promise.all(tasks);
        expect(trace).toEqual(lengths.flatMap((_, index) => [`${index} begins`, `${index} ends`]));
      }),
      { numRuns: 25 },
    );
  });

  it('continue after one has failed', async () => {
    const order = createKeyedQueue<string>();
    const failing = order.run('a', () => Promise.reject(new Error('broken')));
    const next = order.run('a', async () => 'done');
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('done');
  });

  it('do not delay those of another key', async () => {
    const order = createKeyedQueue<string>();
    let release = () => {};
    const held = order.run('a', () => new Promise<void>((resolve) => (release = resolve)));
    await expect(order.run('b', async () => 'free')).resolves.toBe('free');
    release();
    await held;
  });
});

describe('a bounded map', () => {
  it('keeps the order of the items and never runs more tasks than its width', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (items, width) => {
          let running = 0;
          let most = 0;
          const results = await mapBounded(items, width, async (item, index) => {
            most = Math.max(most, ++running);
            for (let i = 0; i < item; i++) await turn();
            running--;
            return `${index}:${item}`;
          });
          expect(results).toEqual(items.map((item, index) => `${index}:${item}`));
          expect(most).toBeLessThanOrEqual(width);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('starts no task after a failure and throws that of the earliest item', async () => {
    const started: number[] = [];
    const mapping = mapBounded([0, 1, 2, 3, 4, 5], 2, async (item) => {
      started.push(item);
      if (item === 0) await turn();
      if (item < 2) throw new Error(`item ${item}`);
    });
    await expect(mapping).rejects.toThrow('item 0');
    expect(started).toEqual([0, 1]);
  });
});
