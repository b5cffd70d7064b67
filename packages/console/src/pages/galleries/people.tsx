import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Gallery, Person } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatDate, formatNumber } from '../../i18n/format.ts';
import { common, people, terms } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { storedText } from '../../state/session.ts';
import { Card, StackedTable } from '../../ui/card.tsx';
import { InputField, Segments } from '../../ui/field.tsx';
import { Button, IconButton } from '../../ui/icon.tsx';
import { ExportButton, Pager, readPages, usePages } from '../../ui/list.tsx';
import { EmptyState, LoadState, Notice } from '../../ui/notice.tsx';
import { askAgain, failedFaces, PersonFace } from '../../ui/person-face.tsx';
import { FaceCrop } from './faces.tsx';
import { ChangePeople, ErasePeople, type Named } from './people-dialogs.tsx';

/** How people are shown; empty: with faces where the gallery keeps them. */
const chosenLook = storedText('wajah.people');

const looks = ['faces', 'table'] as const;
type Look = (typeof looks)[number];

/** The people who are chosen, also on other pages: name by user_id. */
type Selection = ReadonlyMap<string, string>;

/** A question about people that is open. */
interface Asked {
  readonly Dialog: typeof ErasePeople;
  readonly people: readonly Named[];
}

/** The people of a gallery in pages, with a search, a selection to change or erase, and the list as a file. @param props.version another one reads the list again */
export function PeopleList(props: {
  gallery: Gallery;
  version: number;
  /** Of the last change. */
  report: string;
  onDone: (report: string) => void;
  /** Stands beside the title. */
  aside: ComponentChildren;
}) {
  const { facegallery_id: gallery, keep_crops: faces, require_liveness } = props.gallery;
  const [search, setSearch] = useState('');
  const [selection, select] = useState<Selection>(new Map());
  const [asked, ask] = useState<Asked>();
  const query = useDebounced(search.trim());
  const selected = [...selection].map(([userId, name]) => ({ userId, name }));
  const look: Look = faces ? (chosenLook.value as Look) || 'faces' : 'table';
  return (
    <Card title={people.title} aside={props.aside}>
      <InputField label={people.search} type="search" maxLength={120} value={search} onInput={setSearch} />
      <div class="row between">
        <PeopleTools
          gallery={gallery}
          search={query}
          selected={selection.size}
          onErase={() => ask({ Dialog: ErasePeople, people: selected })}
          onChange={() => ask({ Dialog: ChangePeople, people: selected })}
          onClear={() => select(new Map())}
        />
        {faces && (
          <Segments
            label={people.look}
            value={look}
            options={looks.map((value) => ({ value, text: people[`look_${value}`] }))}
            onChoose={(value) => {
              chosenLook.value = value;
            }}
          />
        )}
      </div>
      <p class="hint" role="status">
        {props.report}
      </p>
      <PeoplePages
        {...{ gallery, look, selection }}
        search={query}
        version={props.version}
        noneText={require_liveness ? '' : people.noneText}
        onSelect={(chosen, on) => select(changed(selection, chosen, on))}
        onErase={(person) => ask({ Dialog: ErasePeople, people: [person] })}
      />
      {asked && (
        <asked.Dialog
          gallery={gallery}
          people={asked.people}
          onClose={() => ask(undefined)}
          onDone={(text) => {
            if (asked.Dialog === ErasePeople) select(changed(selection, asked.people, false));
            props.onDone(text);
          }}
        />
      )}
    </Card>
  );
}

/** A selection with or without some people. */
function changed(selection: Selection, people: readonly Named[], chosen: boolean): Selection {
  const next = new Map(selection);
  for (const { userId, name } of people) {
    if (chosen) next.set(userId, name);
    else next.delete(userId);
  }
  return next;
}

/** Milliseconds after the last key before the search starts. */
const debounceMs = 250;

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}

/** What can be done with the selected people, and with the whole list. */
function PeopleTools(props: {
  gallery: string;
  search: string;
  /** Number of people. */
  selected: number;
  onErase: () => void;
  onChange: () => void;
  onClear: () => void;
}) {
  return (
    <div class="row">
      <ExportButton
        name={people.title}
        file={props.gallery}
        table={(signal) => peopleTable(props.gallery, props.search, signal)}
      />
      {props.selected > 0 && (
        <>
          <Button onClick={props.onChange}>{people.changeSelected(formatNumber(props.selected))}</Button>
          <Button look="danger" icon="trash" onClick={props.onErase}>
            {people.eraseSelected(formatNumber(props.selected))}
          </Button>
          <Button look="plain" onClick={props.onClear}>
            {people.unselect}
          </Button>
        </>
      )}
    </div>
  );
}

/** Reads people of a gallery. @param search only those whose name or ID contains it; '' for all */
function readPeople(gallery: string, search: string) {
  return async (cursor: string | undefined, limit: number, signal: AbortSignal) => {
    const page = { facegallery_id: gallery, limit, details: true };
    const only = { ...(search !== '' && { search }), ...(cursor !== undefined && { cursor }) };
    const { faces, next_cursor } = await wajah.listFaces({ ...page, ...only }, { signal });
    return [faces, next_cursor] as const;
  };
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

interface PageProps {
  readonly gallery: string;
  readonly selection: Selection;
  readonly onSelect: (people: readonly Named[], chosen: boolean) => void;
  readonly onErase: (person: Named) => void;
}

/** Whole rows of a wall of 2, 3, 4, 6 or 8 faces. */
const pageSize = 24;

function PeoplePages(props: PageProps & { look: Look; search: string; version: number; noneText: string }) {
  const { gallery, look, search, version, selection, onSelect } = props;
  const pages = usePages({ key: search, version, length: pageSize, read: readPeople(gallery, search) });
  const { load, entries, number } = pages;
  if (load.error || !entries) return <LoadState load={load} lines={5} />;
  if (entries.length === 0 && number === 1) {
    return search === '' ? (
      <EmptyState icon="person" title={people.none} text={props.noneText} />
    ) : (
      <EmptyState icon="search" title={people.noMatch} text={people.noMatchText} />
    );
  }
  const missing = failedFaces(gallery);
  const all = entries.every(({ user_id }) => selection.has(user_id));
  return (
    <div class={load.busy ? 'stack stale' : 'stack'} aria-busy={load.busy}>
      <label class="check small">
        <input type="checkbox" checked={all} onChange={() => onSelect(entries.map(namedOf), !all)} />
        {people.selectPage}
      </label>
      {look === 'faces' && missing > 0 && (
        <Notice tone="warn" alert>
          <p>{people.facesFailed(formatNumber(missing))}</p>
          <p>
            <Button icon="refresh" onClick={askAgain}>
              {common.retry}
            </Button>
          </p>
        </Notice>
      )}
      {look === 'faces' ? <Wall people={entries} {...props} /> : <PeopleTable people={entries} {...props} />}
      <Pager pages={pages} newer={people.previous} older={people.next} />
    </div>
  );
}

const namedOf = ({ user_id: userId, user_name: name }: Person): Named => ({ userId, name });

/** A page of people as faces with names. */
function Wall({ people: shown, ...props }: PageProps & { people: readonly Person[] }) {
  return (
    <ul class="wall">
      {shown.map((person) => (
        <li key={person.user_id}>
          <a class="tile" href={hrefOf('galleries', props.gallery, 'people', person.user_id)}>
            <PersonFace sign gallery={props.gallery} userId={person.user_id} version={person.updated_at} />
            <span class="tile-name">{person.user_name}</span>
          </a>
          <span class="mono muted">{person.user_id}</span>
          {person.suspended_at && <span class="badge">{terms.suspended}</span>}
          <Choice person={person} {...props} />
        </li>
      ))}
    </ul>
  );
}

function Choice({ person, selection, onSelect }: PageProps & { person: Person }) {
  return (
    <label class="mark">
      <input
        type="checkbox"
        aria-label={people.selectPerson(person.user_name)}
        checked={selection.has(person.user_id)}
        onChange={({ currentTarget }) => onSelect([namedOf(person)], currentTarget.checked)}
      />
    </label>
  );
}

/** A page of people as a table. */
function PeopleTable({ people: shown, ...props }: PageProps & { people: readonly Person[] }) {
  const { gallery, onErase } = props;
  return (
    <StackedTable
      look="people"
      columns={[
        [
          common.name,
          (person) => (
            <span class="row">
              <Choice person={person} {...props} />
              <a href={hrefOf('galleries', gallery, 'people', person.user_id)}>{person.user_name}</a>
              {person.suspended_at && <span class="badge">{terms.suspended}</span>}
            </span>
          ),
        ],
        [common.userId, (person) => person.user_id, 'mono'],
        [people.enrolledAt, ({ created_at: at }) => (at === undefined ? '' : formatDate(at))],
        [
          common.actions,
          (person) => (
            <span class="row end">
              {person.has_crop && (
                <FaceCrop gallery={gallery} userId={person.user_id} name={person.user_name} />
              )}
              <IconButton
                icon="trash"
                label={people.eraseOne(person.user_name)}
                onClick={() => onErase(namedOf(person))}
              />
            </span>
          ),
          'end',
        ],
      ]}
      rows={shown}
      keyOf={({ user_id }) => user_id}
    />
  );
}
