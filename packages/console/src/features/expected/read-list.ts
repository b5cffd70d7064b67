import type { ListExpectedAnswer } from '@wajah/client';
import { useEffect, useRef } from 'preact/hooks';
import { wajah } from '../../api/wajah.ts';
import { readPages } from '../../ui/list.tsx';

export type ExpectedPerson = ListExpectedAnswer['people'][number];

/** People of a list, all or those who have no face, and how many it has. */
export async function readExpected(facegallery_id: string, missing: boolean, signal: AbortSignal) {
  let all = 0;
  const read = async (cursor: string | undefined, limit: number) => {
    const page = { facegallery_id, missing, limit, ...(cursor !== undefined && { cursor }) };
    const { people, n_expected, next_cursor } = await wajah.listExpected(page, { signal });
    all = n_expected;
    return [people as readonly ExpectedPerson[], next_cursor] as const;
  };
  return { people: await readPages(read, 1000, signal), all };
}

/** Whether the latest link of a person can be opened. */
export function hasLink({ link }: ExpectedPerson): boolean {
  return link?.failed === null && Date.parse(link.expires_at) > Date.now();
}

/** Milliseconds between two looks at who has done a session. */
const pause = 5000;

/** Reads a list again and again, as others change it too. */
export function usePolling(on: boolean, reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => latest.current(), pause);
    return () => clearInterval(timer);
  }, [on]);
}
