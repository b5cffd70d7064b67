import { useEffect, useId, useState } from 'preact/hooks';
import type { Gallery, Person } from '../api/types.ts';
import { wajah } from '../api/wajah.ts';
import { formatNumber } from '../i18n/format.ts';
import { common, recognise } from '../i18n/messages.ts';
import { useLoad, useRequest } from '../state/request.ts';
import { hrefOf } from '../state/route.ts';
import { storedText } from '../state/session.ts';
import { SelectField } from './field.tsx';
import { EmptyState } from './notice.tsx';

const chosenName = storedText('wajah.gallery');

export function chooseGallery(name: string): void {
  chosenName.value = name;
}

/** The gallery of drawn people that the first client has. The pages enrol nobody else there. */
export const sampleGallery = 'samples';
export const isSampleGallery = (name: string): boolean => name === sampleGallery;

/** All galleries, a page at a time. */
async function readGalleries(signal: AbortSignal) {
  const facegalleries: Gallery[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await wajah.describeGalleries({ limit: 500, ...(cursor && { cursor }) }, { signal });
    facegalleries.push(...page.facegalleries);
    cursor = page.next_cursor;
    if (!cursor) return { ...page, facegalleries };
  }
}

/** The galleries of the client, and the chosen one: the choice stays from page to page. At first it is the largest of real people. */
export function useGalleries() {
  const load = useLoad(readGalleries);
  const galleries = load.answer?.facegalleries ?? [];
  const size = ({ facegallery_id: name, n_face }: Gallery) => (isSampleGallery(name) ? -1 : n_face);
  const chosen: Gallery | undefined =
    galleries.find(({ facegallery_id }) => facegallery_id === chosenName.value) ??
    galleries.toSorted((a, b) => size(b) - size(a))[0];
  return { ...load, galleries, chosen };
}

/** Chooses a gallery. */
export function GalleryChoice({
  galleries,
  chosen,
}: Pick<ReturnType<typeof useGalleries>, 'galleries' | 'chosen'>) {
  return (
    <SelectField
      label={common.gallery}
      value={chosen?.facegallery_id ?? ''}
      options={galleries.map(({ facegallery_id, n_face }) => [
        facegallery_id,
        `${facegallery_id} · ${common.peopleCount(n_face, formatNumber(n_face))}`,
      ])}
      onChange={chooseGallery}
    />
  );
}

/** Says that nobody can be found, and leads to where people are enrolled. @param gallery undefined: there is none */
export function NobodyEnrolled({ gallery }: { gallery: string | undefined }) {
  return (
    <EmptyState icon="galleries" title={recognise.nobodyEnrolled} text={recognise.nobodyEnrolledText}>
      <a class="button main" href={hrefOf('galleries', gallery)}>
        {gallery === undefined ? recognise.openGalleries : recognise.enrolIn(gallery)}
      </a>
    </EmptyState>
  );
}

/** Milliseconds without a key before people are searched. */
const pause = 200;
/** People in the list. */
const most = 20;
/** Characters of a name and an ID with what is between them. */
const longest = 250;
/** The most that is searched for. */
const longestPart = 120;

const typed = { type: 'text', maxLength: longest, autocomplete: 'off', spellcheck: false } as const;

const textOf = ({ user_name, user_id }: Person) => `${user_name} · ${user_id}`;

/**
 * Finds a person of a gallery by a part of the name or ID, as it is typed. Somebody is chosen in the list of the browser,
 * by the whole ID, or by a part that nobody else has, with Enter or on leaving the field: not every browser shows a list.
 */
export function PersonChoice({
  gallery,
  label,
  chosen,
  onChoose,
}: {
  gallery: string;
  label: string;
  chosen: Person | undefined;
  onChoose: (person: Person | undefined) => void;
}) {
  const id = useId();
  const [text, setText] = useState(chosen ? textOf(chosen) : '');
  const [entered, enter] = useState<string>();
  const [wanted, want] = useState(false);
  const { of, people } = usePeople(gallery, text, wanted && chosen === undefined);
  useEffect(() => {
    if (chosen || text === '' || of !== text || entered !== text) return;
    const person =
      people.find(({ user_id }) => user_id === text.trim()) ?? (people.length === 1 ? people[0] : undefined);
    if (!person) return;
    setText(textOf(person));
    onChoose(person);
  }, [of, text, entered]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...typed}
        list={`${id}-list`}
        placeholder={recognise.personHint}
        value={text}
        onFocus={() => want(true)}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          enter(undefined);
          onChoose(people.find((person) => textOf(person) === value));
        }}
        onChange={(event) => enter(event.currentTarget.value)}
      />
      <datalist id={`${id}-list`}>
        {people.map((person) => (
          <option key={person.user_id} value={textOf(person)} />
        ))}
      </datalist>
    </div>
  );
}

/** The first people of a gallery whose name or ID contains the text `of`, which may be an earlier one. */
function usePeople(gallery: string, text: string, wanted: boolean) {
  const search = useRequest<{ readonly of: string; readonly people: readonly Person[] }>();
  useEffect(() => {
    if (!wanted) return;
    const part = text.trim().slice(0, longestPart);
    const request = { facegallery_id: gallery, limit: most, ...(part !== '' && { search: part }) };
    const find = async (signal: AbortSignal) => {
      const { faces } = await wajah.listFaces(request, { signal });
      return { of: text, people: faces };
    };
    const timer = setTimeout(() => void search.run(find), pause);
    return () => clearTimeout(timer);
  }, [gallery, text, wanted]);
  return search.answer ?? { of: undefined, people: [] };
}
