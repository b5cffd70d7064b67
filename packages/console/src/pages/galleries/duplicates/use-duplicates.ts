import { useState } from 'preact/hooks';
import type { DuplicatePair, Duplicates } from '../../../api/types.ts';
import { wajah } from '../../../api/wajah.ts';
import { useRequest } from '../../../state/use-request.ts';

/** The search for duplicates of a gallery: best pairs first, resumed where it was stopped. */
export function useDuplicates(gallery: string) {
  const call = useRequest<unknown>();
  const [pairs, setPairs] = useState<readonly DuplicatePair[]>([]);
  const [last, setLast] = useState<Duplicates>();
  const [marked, setMarked] = useState(false);

  async function search(signal: AbortSignal): Promise<void> {
    const resumed = last && !last.complete ? last.cursor : undefined;
    if (resumed === undefined) setPairs([]);
    setMarked(false);
    const options = { signal, ...(resumed === undefined ? {} : { cursor: resumed }) };
    for await (const page of wajah.gallery(gallery).duplicates(options)) {
      signal.throwIfAborted();
      setLast(page);
      setPairs((before) => [...before, ...page.pairs].sort(bestFirst));
    }
  }
  return {
    pairs,
    last,
    marked,
    busy: call.busy,
    error: call.error,
    start: () => void call.run(search),
    stop: call.clear,
    dropPair(settled: DuplicatePair) {
      setPairs((before) => before.filter((pair) => pair !== settled));
      setMarked(true);
    },
    dropUser(userId: string) {
      setPairs((before) => before.filter(({ users }) => users.every(({ user_id }) => user_id !== userId)));
      setMarked(false);
    },
  };
}

function bestFirst(a: DuplicatePair, b: DuplicatePair): number {
  return b.similarity - a.similarity || b.score - a.score;
}
