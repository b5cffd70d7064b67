/**
 * Runs the tasks of one key one after the other, in the order of the calls; different keys run concurrently. A failed
 * task does not stop the following ones.
 */
export function createKeyedQueue<Key>() {
  const tails = new Map<Key, Promise<unknown>>();
  return {
    run<Result>(key: Key, task: () => Promise<Result>): Promise<Result> {
      const result = (tails.get(key) ?? Promise.resolve()).then(task);
      const tail = result.then(
        () => {},
        () => {},
      );
      tails.set(key, tail);
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      return result;
    },
  };
}

/**
 * Maps with at most `width` tasks at once; results are in the order of the items. After a failure no further task is
 * started, and the failure of the first item in order is thrown when all running tasks have ended.
 */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  width: number,
  task: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const failures = new Map<number, unknown>();
  let next = 0;
  const lane = async () => {
    while (next < items.length && failures.size === 0) {
      const index = next++;
      try {
        results.set(index, await task(items[index]!, index));
      } catch (error) {
        failures.set(index, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(width, items.length)) }, lane));
  if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
  return items.map((_, index) => results.get(index)!);
}
