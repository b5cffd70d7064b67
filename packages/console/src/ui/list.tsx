import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { csvOf } from '../draw/csv.ts';
import { common } from '../i18n/messages.ts';
import { useLoad, useRequest } from '../state/request.ts';
import { Button, Icon } from './icon.tsx';
import { ErrorNotice, LoadState } from './notice.tsx';

/** Reads a page of a list: its entries, and where the next page begins; none after the last. */
type ReadPage<Entry, Cursor> = (
  from: Cursor | undefined,
  limit: number,
  signal: AbortSignal,
) => Promise<readonly [entries: readonly Entry[], next: Cursor | null | undefined]>;

/** A page of a list. */
interface Pages<Entry> {
  readonly load: ReturnType<typeof useLoad<readonly [entries: readonly Entry[], next: unknown]>>;
  readonly entries: readonly Entry[] | undefined;
  readonly hasNext: boolean;
  /** 1 for the first page. */
  readonly number: number;
  older(): void;
  newer(): void;
}

/**
 * A list that is read page by page.
 * @param list.key what is listed; another one begins with its first page
 * @param list.version another one reads the page again
 * @param list.length entries of a page
 */
export function usePages<Entry, Cursor>(list: {
  key: string;
  version?: unknown;
  length: number;
  read: ReadPage<Entry, Cursor>;
}): Pages<Entry> {
  const { key, version, length, read } = list;
  const [at, setAt] = useState<{ key: string; cursors: readonly Cursor[] }>({ key, cursors: [] });
  useEffect(() => setAt({ key, cursors: [] }), [key]);
  // Until the effect has run the cursors are those of another list.
  const cursors = at.key === key ? at.cursors : [];
  const from = cursors.at(-1);
  const load = useLoad((signal) => read(from, length, signal), JSON.stringify([key, from, version]));
  const [entries, next] = load.answer ?? [];
  const hasNext = next !== undefined && next !== null;
  return {
    load,
    entries,
    hasNext,
    number: cursors.length + 1,
    older: () => {
      if (hasNext) setAt({ key, cursors: [...cursors, next] });
    },
    newer: () => setAt({ key, cursors: cursors.slice(0, -1) }),
  };
}

/** Every entry of a list. @param most number of entries from which no further page is read */
export async function readPages<Entry, Cursor>(
  read: ReadPage<Entry, Cursor>,
  limit: number,
  signal: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let from: Cursor | null | undefined; from !== null && all.length < most; ) {
    const [entries, next] = await read(from, limit, signal);
    all.push(...entries);
    from = next ?? null;
  }
  return all;
}

/** Leads to the newer and the older page of a list; nothing where there is only one. */
export function Pager(props: { pages: Pages<unknown>; newer?: string; older?: string }) {
  const { number, hasNext, load, newer, older } = props.pages;
  if (number === 1 && !hasNext) return null;
  return (
    <div class="row between">
      <Button icon="back" disabled={load.busy || number === 1} onClick={newer}>
        {props.newer ?? common.newer}
      </Button>
      <span class="muted small numbers" role="status">
        {common.pageNumber(number)}
      </span>
      <Button disabled={load.busy || !hasNext} onClick={older}>
        {props.older ?? common.older}
        <Icon name="next" />
      </Button>
    </div>
  );
}

/** A list with its pages. @param props.empty what is said where there is no entry */
export function PagedList<Entry>(props: {
  pages: Pages<Entry>;
  look: string;
  empty: string;
  entry: (entry: Entry) => ComponentChildren;
}) {
  const { load } = props.pages;
  return (
    <>
      <LoadState load={load} lines={6}>
        {([entries]) =>
          entries.length === 0 ? (
            <p class="muted">{props.empty}</p>
          ) : (
            <ol class={props.look} aria-busy={load.busy}>
              {entries.map(props.entry)}
            </ol>
          )
        }
      </LoadState>
      <Pager pages={props.pages} />
    </>
  );
}

/** A table to be saved. */
interface Table {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly (string | number | null | undefined)[])[];
}

/** Saves a table as CSV. @param table reads all of it, also what is on other pages */
export function ExportButton(props: {
  name: string;
  file: string;
  table: (signal: AbortSignal) => Promise<Table>;
}) {
  const call = useRequest<Table>();
  async function save() {
    const table = await call.run(props.table);
    if (table) saveFile(`${props.file}.csv`, csvOf(table.heading, table.rows));
  }
  return (
    <>
      <Button
        icon="download"
        disabled={call.busy}
        aria-label={`${common.export}: ${props.name}`}
        onClick={() => void save()}
      >
        {common.export}
      </Button>
      {call.error && <ErrorNotice error={call.error} />}
    </>
  );
}

/** Saves a text as a file of the browser. */
function saveFile(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
