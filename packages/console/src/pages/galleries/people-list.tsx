import { useEffect, useState } from 'preact/hooks';
import type { Person } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { messages } from '../../i18n/messages.ts';
import { useLoad } from '../../state/use-request.ts';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { DeletePerson } from './delete-person.tsx';
import { FaceCrop } from './face-crop.tsx';

const pageSize = 25;
/** Milliseconds after the last key before the search starts. */
const debounceMs = 250;

interface Props {
  readonly gallery: string;
  /** A change of this number reloads the list. */
  readonly version: number;
  readonly onChanged: () => void;
}

/** The people of a gallery in pages, with a search. */
export function PeopleList({ gallery, version, onChanged }: Props) {
  const [search, setSearch] = useState('');
  const query = useDebounced(search.trim());
  const { galleries } = messages.value;
  return (
    <section class="card" aria-labelledby="people">
      <h2 id="people">{galleries.people}</h2>
      <Field
        label={galleries.search}
        control={(ids) => (
          <input
            {...ids}
            type="search"
            maxLength={120}
            autocomplete="off"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        )}
      />
      <Pages key={query} gallery={gallery} search={query} version={version} onChanged={onChanged} />
    </section>
  );
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}

/** An answer has only the cursor of the next page, so those of the previous pages are kept. */
function Pages({ gallery, search, version, onChanged }: Props & { search: string }) {
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const cursor = cursors.at(-1);
  const load = useLoad(
    (signal) =>
      wajah.listFaces(
        {
          facegallery_id: gallery,
          limit: pageSize,
          ...(search === '' ? {} : { search }),
          ...(cursor === undefined ? {} : { cursor }),
        },
        { signal },
      ),
    `${cursor} ${version}`,
  );
  if (load.error) return <ErrorNotice error={load.error} onRetry={load.reload} />;
  if (!load.answer) return <Skeleton lines={5} />;
  const { faces, next_cursor: next } = load.answer;
  if (faces.length === 0 && cursors.length === 1) return <NoPeople searched={search !== ''} />;
  return (
    <>
      <PeopleTable gallery={gallery} people={faces} onChanged={onChanged} />
      <PageButtons
        page={cursors.length}
        onPrevious={cursors.length > 1 ? () => setCursors(cursors.slice(0, -1)) : undefined}
        onNext={next === undefined ? undefined : () => setCursors([...cursors, next])}
      />
    </>
  );
}

function NoPeople({ searched }: { searched: boolean }) {
  const { galleries } = messages.value;
  return searched ? (
    <EmptyState icon="search" title={galleries.noMatch} text={galleries.noMatchText} />
  ) : (
    <EmptyState icon="person" title={galleries.noPeople} text={galleries.noPeopleText} />
  );
}

function PeopleTable(props: { gallery: string; people: readonly Person[]; onChanged: () => void }) {
  const { galleries, common } = messages.value;
  return (
    <table class="people">
      <thead>
        <tr>
          <th scope="col">{galleries.picture}</th>
          <th scope="col">{galleries.userName}</th>
          <th scope="col">{galleries.userId}</th>
          <th scope="col">
            <span class="visually-hidden">{common.remove}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.people.map(({ user_id, user_name }) => (
          <tr key={user_id}>
            <td>
              <FaceCrop gallery={props.gallery} userId={user_id} name={user_name} />
            </td>
            <th scope="row">{user_name}</th>
            <td class="mono">{user_id}</td>
            <td class="end">
              <DeletePerson
                gallery={props.gallery}
                userId={user_id}
                name={user_name}
                onDeleted={props.onChanged}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function PageButtons(props: {
  page: number;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}) {
  const { galleries } = messages.value;
  if (!props.onPrevious && !props.onNext) return null;
  return (
    <nav class="row between" aria-label={galleries.pageNumber(props.page)}>
      <button type="button" class="button" disabled={!props.onPrevious} onClick={props.onPrevious}>
        <Icon name="back" />
        {galleries.previous}
      </button>
      <span class="hint" aria-live="polite">
        {galleries.pageNumber(props.page)}
      </span>
      <button type="button" class="button" disabled={!props.onNext} onClick={props.onNext}>
        {galleries.next}
        <Icon name="next" />
      </button>
    </nav>
  );
}
