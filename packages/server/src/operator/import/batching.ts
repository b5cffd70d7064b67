/** Longest wait of a batch for further items, milliseconds. */
const maxWaitMs = 250;

/**
 * Collects items that are written together: a batch is written when it is full, or some time after its first item, or
 * by `flush`. One batch at a time.
 * @param most size of a full batch
 * @param write answers for each item, in order
 * @param sizeOf an item, default 1
 */
export function createBatching<Item, Answer>(
  most: number,
  write: (items: readonly Item[]) => Promise<readonly Answer[]>,
  sizeOf: (item: Item) => number = () => 1,
) {
  interface Waiting {
    readonly item: Item;
    resolve(answer: Answer): void;
    reject(error: unknown): void;
  }
  let waiting: Waiting[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  const writeBatch = async (batch: readonly Waiting[]) => {
    try {
      const answers = await write(batch.map(({ item }) => item));
      for (const [index, one] of batch.entries()) one.resolve(answers[index] as Answer);
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    size = 0;
    if (batch.length > 0) last = last.then(() => writeBatch(batch));
    return last;
  };
  return {
    add: (item: Item) =>
      new Promise<Answer>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        size += sizeOf(item);
        if (size >= most) void flush();
        else timer ??= setTimeout(flush, maxWaitMs);
      }),
    flush,
  };
}
