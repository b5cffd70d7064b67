import { expect, it } from 'vitest';
import { createBatchWriter } from './batch-writer.ts';

class Outage extends Error {}

/** A writer into memory; `failures` are thrown by its writes in order, null: it succeeds. */
function open(failures: (Error | null)[], retryMs?: number) {
  const batches: string[][] = [];
  const lost: [readonly string[], unknown][] = [];
  const writer = createBatchWriter<string, string>({
    async write(items) {
      const failure = failures.shift();
      if (failure) throw failure;
      batches.push([...items]);
      return items.map((item) => `${item} written`);
    },
    isOutage: (error) => error instanceof Outage,
    lost: (items, error) => lost.push([items, error]),
    ...(retryMs !== undefined && { retryMs }),
  });
  return { batches, lost, writer };
}

it('items of concurrent calls are written together, each call has its own result', async () => {
  const { batches, writer } = open([]);
  expect(await Promise.all(['a', 'b'].map(writer.add))).toEqual(['a written', 'b written']);
  expect(batches).toEqual([['a', 'b']]);
});

it('at most 200 are written at once, in order, and beyond 10,000 that wait they are lost', async () => {
  const { batches, lost, writer } = open([]);
  const items = Array.from({ length: 10_001 }, (_, i) => String(i));
  const results = await Promise.all(items.map(writer.add));
  expect(batches.flat()).toEqual(items.slice(0, -1));
  expect(Math.max(...batches.map(({ length }) => length))).toBe(200);
  expect(results.at(-1)).toBeNull();
  expect(lost).toEqual([[['10000'], null]]);
});

it('an item that cannot be written takes no other with it', async () => {
  const broken = new Error('broken');
  const { batches, lost, writer } = open([broken, broken]);
  expect(await Promise.all(['a', 'b'].map(writer.add))).toEqual([null, 'b written']);
  expect(batches).toEqual([['b']]);
  expect(lost).toEqual([[['a'], broken]]);
});

it('an outage loses a whole batch where items do not wait', async () => {
  const outage = new Outage();
  const { lost, writer } = open([outage]);
  expect(await Promise.all(['a', 'b'].map(writer.add))).toEqual([null, null]);
  expect(lost).toEqual([[['a', 'b'], outage]]);
});

it('where they wait they are written once, by the next call or after the time, and calls do not wait', async () => {
  const { batches, writer } = open([new Error('broken'), null, new Outage(), new Outage()], 1);
  expect(await Promise.all(['a', 'b'].map(writer.add))).toEqual(['a written', null]);
  while (batches.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(batches).toEqual([['a'], ['b']]);
});

it('what the outage still keeps when all shall be settled is lost', async () => {
  const outage = new Outage();
  const { lost, writer } = open([outage, outage], 60_000);
  expect(await writer.add('a')).toBeNull();
  await writer.settled();
  expect(lost).toEqual([[['a'], outage]]);
});

it('items that wait for others are written after their time, when they are asked for, and when a batch is full', async () => {
  const batches: number[] = [];
  const open = (waitMs: number) =>
    createBatchWriter<number, number>({
      waitMs,
      async write(items) {
        batches.push(items.length);
        return items;
      },
      isOutage: () => false,
      lost: () => {},
    });
  expect(await open(1).add(7)).toBe(7);
  const patient = open(3_600_000);
  const two = [patient.add(1), patient.add(2)];
  patient.now();
  await Promise.all(two);
  await Promise.all(Array.from({ length: 200 }, (_, i) => patient.add(i)));
  expect(batches).toEqual([1, 2, 200]);
});
