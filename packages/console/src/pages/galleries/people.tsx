import { useEffect, useRef, useState } from 'preact/hooks';
import type { Person } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatDate, formatNumber } from '../../i18n/format.ts';
import { people, terms } from '../../i18n/messages.ts';
import { useLoad } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { ExportButton } from '../../ui/export-button.tsx';
import { InputField } from '../../ui/field.tsx';
import { Button, Icon, IconButton } from '../../ui/icon.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '../../ui/notice.tsx';
import { ErasePeople, type Named } from './erase-people.tsx';
import { FaceCrop } from './faces.tsx';

/** Milliseconds after the last key before the search starts. */
const debounceMs = 250;

interface PeopleListProps {
  readonly gallery: string;
  /** A change of this number reloads the list. */
  readonly version: number;
  readonly onChanged: () => void;
}

/** The people of a gallery in pages, with a search, a selection to erase, and the list as a file. */
export function PeopleList({ gallery, version, onChanged }: PeopleListProps) {
  const [search, setSearch] = useState('');
  const [selection, setSelection] = useState<Selection>(new Map());
  const [erasing, setErasing] = useState<readonly Named[]>([]);
  const [report, setReport] = useState('');
  const query = useDebounced(search.trim());
  const chosen = [...selection].map(([userId, name]) => ({ userId, name }));
  return (
    <Card title={people.title}>
      <InputField label={people.search} type="search" maxLength={120} value={search} onInput={setSearch} />
      <PeopleTools
        gallery={gallery}
        search={query}
        selected={selection.size}
        onErase={() => setErasing(chosen)}
        onClear={() => setSelection(new Map())}
      />
      <p class="hint" role="status">
        {report}
      </p>
      <PeoplePages
        gallery={gallery}
        search={query}
        version={version}
        selection={selection}
        onSelect={setSelection}
        onErase={(person) => setErasing([person])}
      />
      {erasing.length > 0 && (
        <ErasePeople
          gallery={gallery}
          people={erasing}
          onClose={() => setErasing([])}
          onErased={(text) => {
            setReport(text);
            setSelection(new Map(chosen.filter((one) => !isIn(erasing, one)).map(entryOf)));
            onChanged();
          }}
        />
      )}
    </Card>
  );
}

function isIn(people: readonly Named[], { userId }: Named): boolean {
  return people.some((one) => one.userId === userId);
}

function entryOf({ userId, name }: Named): [string, string] {
  return [userId, name];
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}

interface PeopleToolsProps {
  readonly gallery: string;
  readonly search: string;
  /** Number of people. */
  readonly selected: number;
  readonly onErase: () => void;
  readonly onClear: () => void;
}

/** What can be done with the selected people, and with the whole list. */
function PeopleTools({ gallery, search, selected, onErase, onClear }: PeopleToolsProps) {
  return (
    <div class="row">
      <ExportButton
        name={people.title}
        file={gallery}
        table={(signal) => peopleTable(gallery, search, signal)}
      />
      {selected > 0 && (
        <>
          <Button look="danger" icon="trash" onClick={onErase}>
            {people.eraseSelected(formatNumber(selected))}
          </Button>
          <Button look="plain" onClick={onClear}>
            {people.unselect}
          </Button>
        </>
      )}
    </div>
  );
}

const pageSize = 25;

interface PeoplePagesProps {
  readonly gallery: string;
  readonly search: string;
  readonly version: number;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onErase: (person: Named) => void;
}

/** An answer has only the cursor of the next page, so those of the previous pages are kept. */
function PeoplePages({ gallery, search, version, ...table }: PeoplePagesProps) {
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
  if (!props.onPrevious && !props.onNext) return null;
  return (
    <nav class="row between" aria-label={people.pageNumber(props.page)}>
      <Button icon="back" disabled={!props.onPrevious} onClick={props.onPrevious}>
        {people.previous}
      </Button>
      <span class="hint" aria-live="polite">
        {people.pageNumber(props.page)}
      </span>
      <Button disabled={!props.onNext} onClick={props.onNext}>
        {people.next}
        <Icon name="next" />
      </Button>
    </nav>
  );
}

interface PeopleTableProps {
  readonly gallery: string;
  readonly people: readonly Person[];
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onErase: (person: Named) => void;
}

/** A page of people. On narrow screens each row has the ID on a line of its own. */
function PeopleTable(props: PeopleTableProps) {
  const { people: shown, selection, onSelect } = props;
  const all = shown.every(({ user_id }) => selection.has(user_id));
  return (
    <table class="people">
      <thead>
        <tr>
          <th scope="col" class="choice">
            <input
              type="checkbox"
              aria-label={people.selectPage}
              title={people.selectPage}
              checked={all}
              onChange={() => onSelect(withPeople(selection, shown, !all))}
            />
          </th>
          <th scope="col" class="name">
            {people.userName}
          </th>
          <th scope="col" class="id">
            {people.userId}
          </th>
          <th scope="col" class="when">
            {people.enrolledAt}
          </th>
          <th scope="col" class="acts">
            <span class="visually-hidden">
              {people.face}, {people.erase}
            </span>
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map((person) => (
          <Row key={person.user_id} person={person} {...props} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ person, gallery, selection, onSelect, onErase }: PeopleTableProps & { person: Person }) {
  const { user_id: userId, user_name: name, created_at: at } = person;
  return (
    <tr>
      <td class="choice">
        <input
          type="checkbox"
          aria-label={people.selectPerson(name)}
          checked={selection.has(userId)}
          onChange={({ currentTarget }) => onSelect(withPeople(selection, [person], currentTarget.checked))}
        />
      </td>
      <th scope="row" class="name">
        <a href={hrefOf('galleries', gallery, 'people', userId)}>{name}</a>
        {person.suspended_at && <span class="badge"> {terms.suspended}</span>}
      </th>
      <td class="id mono">{userId}</td>
      <td class="when">{at === undefined ? '' : formatDate(at)}</td>
      <td class="acts">
        <FaceCrop gallery={gallery} userId={userId} name={name} />
        <IconButton icon="trash" label={people.eraseOne(name)} onClick={() => onErase({ userId, name })} />
      </td>
    </tr>
  );
}

/** People read by one call: the server's limit. */
const filePageSize = 10_000;

/**
 * The people of a gallery as a table.
 * @param search only people whose name or ID contains it; '' for all
 */
async function peopleTable(gallery: string, search: string, signal: AbortSignal) {
  const people: Person[] = [];
  let cursor: string | undefined;
  do {
    const page = await wajah.listFaces(
      {
        ...{ facegallery_id: gallery, limit: filePageSize, details: true },
        ...(search === '' ? {} : { search }),
        ...(cursor === undefined ? {} : { cursor }),
      },
      { signal },
    );
    people.push(...page.faces);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return {
    heading: ['user_id', 'user_name', 'created_at', 'updated_at'],
    rows: people.map((one) => [one.user_id, one.user_name, one.created_at, one.updated_at]),
  };
}

/** The people who are chosen, also on other pages: name by user_id. */
type Selection = ReadonlyMap<string, string>;

/** A selection with or without some people. */
function withPeople(selection: Selection, people: readonly Person[], chosen: boolean): Selection {
  const next = new Map(selection);
  for (const { user_id: userId, user_name: name } of people) {
    if (chosen) next.set(userId, name);
    else next.delete(userId);
  }
  return next;
}
