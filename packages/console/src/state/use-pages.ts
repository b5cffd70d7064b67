import { useEffect, useState } from 'preact/hooks';

/** Where a list that is read page by page stands, the newest first. */
export interface Pages {
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
