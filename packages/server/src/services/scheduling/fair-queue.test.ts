import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue, type QueuedWork } from './fair-queue.ts';
import type { Priority } from './ports.ts';

const work = (clientId: string, cost = 100, priority: Priority = 'recognition'): QueuedWork => ({
  clientId,
  cost,
  priority,
});

const anyWork = fc.record({
  clientId: fc.constantFrom('a', 'b', 'c', 'd'),
  cost: fc.integer({ min: 1, max: 1000 }),
  priority: fc.constantFrom<Priority>('recognition', 'enrolment'),
});

function drain(queue: FairQueue<QueuedWork>): QueuedWork[] {
  const taken: QueuedWork[] = [];
  for (let next = queue.shift(); next; next = queue.shift()) taken.push(next);
  return taken;
}

const costOf = (items: readonly QueuedWork[]) => items.reduce((sum, { cost }) => sum + cost, 0);

describe('a fair queue', () => {
  it('gives everything back once, in the order of each client', () => {
    fc.assert(
      fc.property(fc.array(anyWork, { maxLength: 60 }), (items) => {
        const queue = new FairQueue<QueuedWork>();
        for (const item of items) queue.push(item);
        expect(queue.size).toBe(items.length);
        const taken = drain(queue);
        expect(new Set(taken)).toEqual(new Set(items));
        for (const { clientId, priority } of items) {
          const own = (list: readonly QueuedWork[]) =>
            list.filter((item) => item.clientId === clientId && item.priority === priority);
          expect(own(taken)).toEqual(own(items));
        }
        expect([queue.size, ...queue]).toEqual([0]);
      }),
    );
  });

  it('serves two clients with waiting work equally by cost, to within their largest pieces', () => {
    const costs = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 10, maxLength: 20 });
    fc.assert(
      fc.property(costs, costs, (ofA, ofB) => {
        const queue = new FairQueue<QueuedWork>();
        for (const cost of ofA) queue.push(work('a', cost));
        for (const cost of ofB) queue.push(work('b', cost));
        const served = { a: 0, b: 0 };
        while (queue.sizeOf('a') > 0 && queue.sizeOf('b') > 0) {
          const { clientId, cost } = queue.shift()!;
          served[clientId as 'a' | 'b'] += cost;
          expect(Math.abs(served.a - served.b)).toBeLessThanOrEqual(Math.max(...ofA) + Math.max(...ofB));
        }
      }),
    );
  });

  it('leaves nobody without service: whatever others send, work begins after the cost that was foreseen, and one piece of each other client', () => {
    const floods = fc.array(fc.array(anyWork, { maxLength: 5 }), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(anyWork, { maxLength: 20 }), floods, (before, later) => {
        const queue = new FairQueue<QueuedWork>();
        for (const item of before) queue.push({ ...item, priority: 'recognition' });
        const foreseen = queue.costAhead('me', 'recognition');
        const mine = work('me');
        queue.push(mine);
        let ahead = 0;
        for (const arrivals of later) {
          const next = queue.shift()!;
          if (next === mine) break;
          ahead += next.cost;
          for (const item of arrivals) queue.push({ ...item, priority: 'recognition' });
        }
        expect(ahead).toBeLessThanOrEqual(foreseen + 4 * 1000);
      }),
    );
  });

  it('foresees the cost ahead of new work exactly when nothing else arrives', () => {
    fc.assert(
      fc.property(fc.array(anyWork, { maxLength: 40 }), fc.nat(20), anyWork, (items, taken, last) => {
        const queue = new FairQueue<QueuedWork>();
        for (const item of items) queue.push({ ...item, priority: 'enrolment' });
        for (let i = 0; i < taken; i++) queue.shift();
        const foreseen = queue.costAhead(last.clientId, 'enrolment');
        const mine = { ...last, priority: 'enrolment' } as const;
        queue.push(mine);
        const order = drain(queue);
        const ahead = costOf(order.slice(0, order.indexOf(mine)));
        // Of two that start at the same virtual time either may be first.
        expect(ahead).toBeLessThanOrEqual(foreseen);
        expect(foreseen - ahead).toBeLessThanOrEqual(4 * 1000);
      }),
    );
  });

  it('gives enrolment a fifth of the time while recognition waits, whoever sends it, and all of it otherwise', () => {
    const queue = new FairQueue<QueuedWork>();
    for (let i = 0; i < 40; i++) {
      queue.push(work(`bulk ${i % 4}`, 100, 'enrolment'));
      queue.push(work('person', 100));
    }
    const order = drain(queue).map(({ priority }) => priority);
    expect(order.slice(0, 50).filter((priority) => priority === 'enrolment')).toHaveLength(10);
    expect(new Set(order.slice(50))).toEqual(new Set(['enrolment']));
  });

  it('gives no credit for idle time', () => {
    const queue = new FairQueue<QueuedWork>();
    for (let i = 0; i < 20; i++) queue.push(work('busy'));
    for (let i = 0; i < 10; i++) queue.shift();
    for (let i = 0; i < 10; i++) queue.push(work('idle'));
    const order = [...drain(queue)].slice(0, 6).map(({ clientId }) => clientId);
    expect(order.filter((clientId) => clientId === 'idle')).toHaveLength(3);
  });

  it('charges what work took, not what was expected', () => {
    const queue = new FairQueue<QueuedWork>();
    for (let i = 0; i < 10; i++) {
      queue.push(work('heavy'));
      queue.push(work('light'));
    }
    const served = { heavy: 0, light: 0 };
    for (let i = 0; i < 11; i++) {
      const next = queue.shift()!;
      served[next.clientId as 'heavy' | 'light'] += 1;
      queue.settle(next, next.clientId === 'heavy' ? 1000 : 100);
    }
    expect(served).toEqual({ heavy: 1, light: 10 });
  });

  it('removes waiting work, once', () => {
    const queue = new FairQueue<QueuedWork>();
    const [kept, removed] = [work('a'), work('a')];
    queue.push(kept);
    queue.push(removed);
    expect([queue.remove(removed), queue.remove(removed)]).toEqual([true, false]);
    expect(drain(queue)).toEqual([kept]);
  });
});
