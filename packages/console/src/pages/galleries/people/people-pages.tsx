import { useEffect, useRef, useState } from 'preact/hooks';
import { wajah } from '../../../api/wajah.ts';
import { messages } from '../../../i18n/messages.ts';
import { useLoad } from '../../../state/use-request.ts';
import { Icon } from '../../../ui/icon.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { EmptyState, Skeleton } from '../../../ui/states.tsx';
import type { Named } from './erase-people.tsx';
import { PeopleTable } from './people-table.tsx';
import type { Selection } from './selection.ts';

const pageSize = 25;

interface Props {
  readonly gallery: string;
  readonly search: string;
  readonly version: number;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onErase: (person: Named) => void;
}

/** An answer has only the cursor of the next page, so those of the previous pages are kept. */
export function PeoplePages({ gallery, search, version, ...table }: Props) {
  const { cursors, setCursors } = useCursors(search);
  const cursor = cursors.at(-1);
  const load = useLoad(
    (signal) =>
      wajah.listFaces(
        {
          ...{ facegallery_id: gallery, limit: pageSize, details: true },
          ...(search === '' ? {} : { search }),
          ...(cursor === undefined ? {} : { cursor }),
        },
        { signal },
      ),
    `${search} ${cursor} ${version}`,
  );
  if (load.error) return <ErrorNotice error={load.error} onRetry={load.reload} />;
  if (!load.answer) return <Skeleton lines={5} />;
  const { faces, next_cursor: next } = load.answer;
  if (faces.length === 0 && cursors.length === 1) return <NoPeople searched={search !== ''} />;
  return (
    <div class={load.busy ? 'stack stale' : 'stack'} aria-busy={load.busy}>
      <PeopleTable gallery={gallery} people={faces} {...table} />
      <PageButtons
        page={cursors.length}
        onPrevious={cursors.length > 1 ? () => setCursors(cursors.slice(0, -1)) : undefined}
        onNext={next === undefined ? undefined : () => setCursors([...cursors, next])}
      />
    </div>
  );
}

type Cursors = readonly (string | undefined)[];

/** Another search begins with its first page; the list of the last one stays until the new one is there. */
function useCursors(search: string) {
  const [state, setState] = useState<{ search: string; cursors: Cursors }>({ search, cursors: [undefined] });
  const latest = useRef(search);
  latest.current = search;
  useEffect(() => setState({ search, cursors: [undefined] }), [search]);
  const cursors = state.search === search ? state.cursors : [undefined];
  return { cursors, setCursors: (next: Cursors) => setState({ search: latest.current, cursors: next }) };
}

function NoPeople({ searched }: { searched: boolean }) {
  const { people } = messages.value;
  return searched ? (
    <EmptyState icon="search" title={people.noMatch} text={people.noMatchText} />
  ) : (
    <EmptyState icon="person" title={people.none} text={people.noneText} />
  );
}

function PageButtons(props: {
  page: number;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}) {
  const { people } = messages.value;
  if (!props.onPrevious && !props.onNext) return null;
  return (
    <nav class="row between" aria-label={people.pageNumber(props.page)}>
      <button type="button" class="button" disabled={!props.onPrevious} onClick={props.onPrevious}>
        <Icon name="back" />
        {people.previous}
      </button>
      <span class="hint" aria-live="polite">
        {people.pageNumber(props.page)}
      </span>
      <button type="button" class="button" disabled={!props.onNext} onClick={props.onNext}>
        {people.next}
        <Icon name="next" />
      </button>
    </nav>
  );
}
