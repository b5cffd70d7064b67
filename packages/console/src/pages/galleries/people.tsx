import { useEffect, useState } from 'preact/hooks';
import type { Gallery, Person } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatDate, formatNumber } from '../../i18n/format.ts';
import { people, terms } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { storedText } from '../../state/session.ts';
import { Card } from '../../ui/card.tsx';
import { InputField, Segments } from '../../ui/field.tsx';
import { Button, IconButton } from '../../ui/icon.tsx';
import { ExportButton, Pager, readPages, usePages } from '../../ui/list.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '../../ui/notice.tsx';
import { PersonFace } from '../../ui/person-face.tsx';
import { ErasePeople, type Named } from './erase-people.tsx';
import { FaceCrop } from './faces.tsx';

/** Milliseconds after the last key before the search starts. */
const debounceMs = 250;

/** How people are shown; empty: with faces where the gallery keeps them. */
const chosenLook = storedText('wajah.people');

type Look = 'faces' | 'table';

function lookOf({ keep_crops }: Gallery): Look {
  const byDefault = keep_crops ? 'faces' : 'table';
  return keep_crops && chosenLook.value !== '' ? (chosenLook.value as Look) : byDefault;
}

interface PeopleListProps {
  readonly gallery: Gallery;
  /** A change of this number reloads the list. */
  readonly version: number;
  readonly onChanged: () => void;
}

/** The people of a gallery in pages, with a search, a selection to erase, and the list as a file. */
export function PeopleList({ gallery: of, version, onChanged }: PeopleListProps) {
  const { facegallery_id: gallery, keep_crops: faces } = of;
  const [search, setSearch] = useState('');
  const [selection, setSelection] = useState<Selection>(new Map());
  const [erasing, setErasing] = useState<readonly Named[]>([]);
  const [report, setReport] = useState('');
  const query = useDebounced(search.trim());
  const chosen = [...selection].map(([userId, name]) => ({ userId, name }));
  return (
    <Card title={people.title}>
      <InputField label={people.search} type="search" maxLength={120} value={search} onInput={setSearch} />
      <div class="row between">
        <PeopleTools
          gallery={gallery}
          search={query}
          selected={selection.size}
          onErase={() => setErasing(chosen)}
          onClear={() => setSelection(new Map())}
        />
        {faces && <LookChoice look={lookOf(of)} />}
      </div>
      <p class="hint" role="status">
        {report}
      </p>
      <PeoplePages
        gallery={gallery}
        look={lookOf(of)}
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

function LookChoice({ look }: { look: Look }) {
  return (
    <Segments
      label={people.look}
      value={look}
      options={[
        { value: 'faces', text: people.lookFaces },
        { value: 'table', text: people.lookTable },
      ]}
      onChoose={(value) => {
        chosenLook.value = value;
      }}
    />
  );
}

interface PeoplePagesProps {
  readonly gallery: string;
  readonly look: Look;
  readonly search: string;
  readonly version: number;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onErase: (person: Named) => void;
}

/** Reads people of a gallery. @param search only those whose name or ID contains it; '' for all */
function readPeople(gallery: string, search: string) {
  return async (cursor: string | undefined, limit: number, signal: AbortSignal) => {
    const page = { facegallery_id: gallery, limit, details: true };
    const only = search === '' ? {} : { search };
    const { faces, next_cursor } = await wajah.listFaces(
      { ...page, ...only, ...(cursor !== undefined && { cursor }) },
      { signal },
    );
    return [faces, next_cursor] as const;
  };
}

function PeoplePages({ gallery, look, search, version, ...table }: PeoplePagesProps) {
  const pages = usePages({ key: search, version, length: pageSize, read: readPeople(gallery, search) });
  const { load, entries, number } = pages;
  if (load.error) return <ErrorNotice error={load.error} onRetry={load.reload} />;
  if (!entries) return <Skeleton lines={5} />;
  if (entries.length === 0 && number === 1) return <NoPeople searched={search !== ''} />;
  return (
    <div class={load.busy ? 'stack stale' : 'stack'} aria-busy={load.busy}>
      {look === 'faces' ? (
        <Wall gallery={gallery} people={entries} {...table} />
      ) : (
        <PeopleTable gallery={gallery} people={entries} {...table} />
      )}
      <Pager pages={pages} newer={people.previous} older={people.next} />
    </div>
  );
}

function NoPeople({ searched }: { searched: boolean }) {
  return searched ? (
    <EmptyState icon="search" title={people.noMatch} text={people.noMatchText} />
  ) : (
    <EmptyState icon="person" title={people.none} text={people.noneText} />
  );
}

interface PeopleTableProps {
  readonly gallery: string;
  readonly people: readonly Person[];
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onErase: (person: Named) => void;
}

/** A page of people as faces with names. */
function Wall({ people: shown, gallery, selection, onSelect }: PeopleTableProps) {
  return (
    <ul class="wall">
      {shown.map((person) => (
        <li key={person.user_id}>
          <a class="tile" href={hrefOf('galleries', gallery, 'people', person.user_id)}>
            <PersonFace sign gallery={gallery} userId={person.user_id} version={person.updated_at} />
            <span class="tile-name">{person.user_name}</span>
          </a>
          <span class="mono muted">{person.user_id}</span>
          {person.suspended_at && <span class="badge">{terms.suspended}</span>}
          <label class="mark">
            <input
              type="checkbox"
              aria-label={people.selectPerson(person.user_name)}
              checked={selection.has(person.user_id)}
              onChange={({ currentTarget }) =>
                onSelect(withPeople(selection, [person], currentTarget.checked))
              }
            />
          </label>
        </li>
      ))}
    </ul>
  );
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
        {person.has_crop && <FaceCrop gallery={gallery} userId={userId} name={name} />}
        <IconButton icon="trash" label={people.eraseOne(name)} onClick={() => onErase({ userId, name })} />
      </td>
    </tr>
  );
}

/** People read by one call: the server's limit. */
const filePageSize = 10_000;

/** The people of a gallery as a table. */
async function peopleTable(gallery: string, search: string, signal: AbortSignal) {
  const people = await readPages(readPeople(gallery, search), filePageSize, signal);
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
