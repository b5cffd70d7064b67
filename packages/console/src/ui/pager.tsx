import { useEffect, useState } from 'preact/hooks';
import { common } from '../i18n/messages.ts';
import { Button, Icon } from './icon.tsx';

/** Leads to the newer and the older page of a list; nothing where there is only one. */
export function Pager({ pages, next, busy }: { pages: Pages; next: number | null; busy: boolean }) {
  if (pages.number === 1 && next === null) return null;
  return (
    <div class="row between">
      <Button icon="back" disabled={busy || pages.number === 1} onClick={pages.newer}>
        {common.newer}
      </Button>
      <span class="muted small numbers" role="status">
        {common.pageNumber(pages.number)}
      </span>
      <Button disabled={busy || next === null} onClick={() => next !== null && pages.older(next)}>
        {common.older}
        <Icon name="next" />
      </Button>
    </div>
  );
}

/** Where a list that is read page by page stands, the newest first. */
interface Pages {
  /** `before` of the page that is shown; undefined: the first. */
  readonly before: number | undefined;
  /** 1 for the first page. */
  readonly number: number;
  /** @param next `next_before` of the page that is shown */
  older(next: number): void;
  newer(): void;
}

/** Begins with the first page again when `key` changes. */
export function usePages(key: string): Pages {
  const [at, setAt] = useState<{ readonly key: string; readonly cursors: readonly number[] }>({
    key,
    cursors: [],
  });
  useEffect(() => setAt({ key, cursors: [] }), [key]);
  // Until the effect has run the cursors are those of another list.
  const cursors = at.key === key ? at.cursors : [];
  return {
    before: cursors.at(-1),
    number: cursors.length + 1,
    older: (next) => setAt({ key, cursors: [...cursors, next] }),
    newer: () => setAt({ key, cursors: cursors.slice(0, -1) }),
  };
}

/**
 * All entries of a list that is read page by page.
 * @param read a page: the entries, and `next_before`
 * @param most number of entries from which no further page is read
 */
export async function readPages<Entry>(
  read: (from: { before?: number }) => Promise<readonly [readonly Entry[], number | null]>,
  most = Number.POSITIVE_INFINITY,
): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let before: number | null | undefined; before !== null && all.length < most; ) {
    const [entries, next] = await read(before === undefined ? {} : { before });
    all.push(...entries);
    before = next;
  }
  return all;
}
