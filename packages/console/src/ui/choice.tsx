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

/** The galleries of the client, and the chosen one: the choice stays from page to page. At first it is the largest of real people. */
export function useGalleries() {
  const load = useLoad((signal) => wajah.describeGalleries({}, { signal }));
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
const most = 8;

const typed = { type: 'text', maxLength: 120, autocomplete: 'off', spellcheck: false } as const;

/** Finds a person of a gallery by a part of the name or ID, as it is typed: the combobox of the ARIA practices. */
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
  const [text, setText] = useState(chosen?.user_name ?? '');
  const [open, setOpen] = useState(false);
  const [marked, mark] = useState(0);
  const { people, latest } = usePeople(gallery, text, open);
  const take = (person: Person) => {
    setText(person.user_name);
    setOpen(false);
    onChoose(person);
  };
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const person = people[marked];
    if (event.key === 'Escape') setOpen(false);
    else if (event.key === 'Enter' && open && person) {
      // The list of an earlier text is shown until that of this one is there.
      if (latest) take(person);
    } else if (step !== undefined) {
      if (open) mark((marked + step + people.length) % Math.max(1, people.length));
      setOpen(true);
    } else return;
    event.preventDefault();
  }
  return (
    <div class="field combobox">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...typed}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={open && people.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={open && people.length > 0 ? `${id}-${marked}` : undefined}
        placeholder={recognise.personHint}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          mark(0);
          setOpen(true);
          onChoose(undefined);
        }}
        onFocus={() => setOpen(chosen === undefined)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {chosen && <span class="hint mono">{chosen.user_id}</span>}
      <People id={id} open={open} people={people} marked={marked} label={label} onTake={take} />
    </div>
  );
}

function People(props: {
  id: string;
  open: boolean;
  people: readonly Person[];
  marked: number;
  label: string;
  onTake: (person: Person) => void;
}) {
  return (
    <div
      id={`${props.id}-list`}
      role="listbox"
      aria-label={props.label}
      hidden={!props.open || props.people.length === 0}
    >
      {props.people.map((person, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        <div
          key={person.user_id}
          id={`${props.id}-${index}`}
          role="option"
          aria-selected={index === props.marked}
          // Keeps the focus in the field, whose loss closes the list.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => props.onTake(person)}
        >
          {person.user_name} <span class="mono muted">{person.user_id}</span>
        </div>
      ))}
    </div>
  );
}

/** The first people of a gallery whose name or ID contains the text, or an earlier one. */
function usePeople(gallery: string, text: string, wanted: boolean) {
  const search = useRequest<{ readonly of: string; readonly people: readonly Person[] }>();
  useEffect(() => {
    if (!wanted) return;
    const request = {
      facegallery_id: gallery,
      limit: most,
      ...(text.trim() !== '' && { search: text.trim() }),
    };
    const find = async (signal: AbortSignal) => {
      const { faces } = await wajah.listFaces(request, { signal });
      return { of: text, people: faces };
    };
    const timer = setTimeout(() => void search.run(find), pause);
    return () => clearTimeout(timer);
  }, [gallery, text, wanted]);
  const { of, people = [] } = search.answer ?? {};
  return { people, latest: of === text };
}
