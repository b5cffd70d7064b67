import { useEffect, useState } from 'preact/hooks';
import type { Person } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { words } from '../../i18n/words.ts';
import { useLoad } from '../../state/use-call.ts';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Bones, Empty } from '../../ui/states.tsx';
import { FaceCrop } from './face-crop.tsx';
import { PersonDelete } from './person-delete.tsx';

const pageSize = 25;
/** Milliseconds without a key before the server is asked. */
const typingPause = 250;

interface Props {
  readonly gallery: string;
  /** Counts the changes made elsewhere on the page. */
  readonly change: number;
  readonly onChanged: () => void;
}

/** The people of a gallery, a page at a time, perhaps only those that match. */
export function PeopleList({ gallery, change, onChanged }: Props) {
  const [search, setSearch] = useState('');
  const wanted = usePaused(search.trim());
  const { galleries } = words.value;
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
      <Pages key={wanted} gallery={gallery} search={wanted} change={change} onChanged={onChanged} />
    </section>
  );
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), typingPause);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** The server only knows the next page, so the cursors of those before are kept. */
function Pages({ gallery, search, change, onChanged }: Props & { search: string }) {
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
    `${cursor} ${change}`,
  );
  if (load.error) return <ErrorNotice error={load.error} onRetry={load.reload} />;
  if (!load.answer) return <Bones lines={5} />;
  const { faces, next_cursor: next } = load.answer;
  if (faces.length === 0 && cursors.length === 1) return <Nobody searched={search !== ''} />;
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

function Nobody({ searched }: { searched: boolean }) {
  const { galleries } = words.value;
  return searched ? (
    <Empty icon="search" title={galleries.noMatch} text={galleries.noMatchText} />
  ) : (
    <Empty icon="person" title={galleries.noPeople} text={galleries.noPeopleText} />
  );
}

function PeopleTable(props: { gallery: string; people: readonly Person[]; onChanged: () => void }) {
  const { galleries, common } = words.value;
  return (
    <table class="people">
      <thead>
        <tr>
          <th scope="col">{galleries.picture}</th>
          <th scope="col">{galleries.userName}</th>
          <th scope="col">{galleries.userId}</th>
          <th scope="col">
            <span class="unseen">{common.remove}</span>
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
              <PersonDelete
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
  const { galleries } = words.value;
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
