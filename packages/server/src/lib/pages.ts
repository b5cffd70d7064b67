import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows of a page: they are read and written within milliseconds. */
export const pageSize = 250;

let turn: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop for this caller alone: however many lists are read, one page is in a turn. */
function ownTurn(): Promise<void> {
  turn = turn.then(() => nextTurn());
  return turn;
}

/**
 * All rows in the order of their keys, page by page. Rows that are there all the time are read once each, whatever is
 * written meanwhile.
 * @param read reads the first rows behind a key
 * @param after the key to begin behind
 * @param size rows of a page
 * @returns pages of at least one row
 */
export async function* pagesOf<Row>(
  read: (after: string, limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
  after = '',
  size = pageSize,
): AsyncGenerator<readonly Row[], void> {
  for (let from = after; ; ) {
    await ownTurn();
    const page = await read(from, size);
    const last = page.at(-1);
    if (last !== undefined) yield page;
    if (last === undefined || page.length < size) return;
    from = keyOf(last);
  }
}

/** Changes pages; those that become empty are left out. */
export async function* changedPages<Row, Changed>(
  pages: AsyncIterable<readonly Row[]>,
  change: (page: readonly Row[]) => readonly Changed[] | Promise<readonly Changed[]>,
): AsyncGenerator<readonly Changed[], void> {
  for await (const page of pages) {
    const changed = await change(page);
    if (changed.length > 0) yield changed;
  }
}

/** A list whose first page was read. */
export interface Listing<Row> {
  readonly first: readonly Row[];
  /** Null: the first page is all. */
  readonly rest: AsyncIterable<readonly Row[]> | null;
}

/** Rows in the order of their names, of which more may follow. */
export interface NamedListing<Row> extends Listing<Row> {
  /** Undefined: nothing follows. Known when all rows are read. */
  nextCursor(): string | undefined;
}

/** Reads the first page, and whether there is more. */
export async function listingOf<Row>(pages: AsyncGenerator<readonly Row[], void>): Promise<Listing<Row>> {
  const first = await pages.next();
  if (first.done) return { first: [], rest: null };
  const second = await pages.next();
  return { first: first.value, rest: second.done ? null : joined(second.value, pages) };
}

async function* joined<Row>(page: readonly Row[], pages: AsyncIterable<readonly Row[]>) {
  yield page;
  yield* pages;
}

/**
 * The first rows of a list.
 * @param cut called with the last of them when there are more
 */
export async function* firstRows<Row>(
  pages: AsyncIterable<readonly Row[]>,
  most: number,
  cut: (last: Row) => void,
): AsyncGenerator<readonly Row[], void> {
  let left = most;
  let last: Row | undefined;
  for await (const page of pages) {
    const taken = page.slice(0, left);
    left -= taken.length;
    last = taken.at(-1) ?? last;
    if (taken.length > 0) yield taken;
    if (taken.length < page.length && last !== undefined) return cut(last);
  }
}
