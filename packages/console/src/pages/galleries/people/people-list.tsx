import { useEffect, useState } from 'preact/hooks';
import { messages } from '../../../i18n/messages.ts';
import { Field } from '../../../ui/field.tsx';
import { ErasePeople, type Named } from './erase-people.tsx';
import { PeoplePages } from './people-pages.tsx';
import { PeopleTools } from './people-tools.tsx';
import type { Selection } from './selection.ts';

/** Milliseconds after the last key before the search starts. */
const debounceMs = 250;

interface Props {
  readonly gallery: string;
  /** A change of this number reloads the list. */
  readonly version: number;
  readonly onChanged: () => void;
}

/** The people of a gallery in pages, with a search, a selection to erase, and the list as a file. */
export function PeopleList({ gallery, version, onChanged }: Props) {
  const [search, setSearch] = useState('');
  const [selection, setSelection] = useState<Selection>(new Map());
  const [erasing, setErasing] = useState<readonly Named[]>([]);
  const [report, setReport] = useState('');
  const query = useDebounced(search.trim());
  const { people } = messages.value;
  const chosen = [...selection].map(([userId, name]) => ({ userId, name }));
  return (
    <section class="card" aria-labelledby="people">
      <h2 id="people">{people.title}</h2>
      <SearchField value={search} onInput={setSearch} />
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
    </section>
  );
}

function SearchField({ value, onInput }: { value: string; onInput: (text: string) => void }) {
  return (
    <Field
      label={messages.value.people.search}
      control={(ids) => (
        <input
          {...ids}
          type="search"
          maxLength={120}
          autocomplete="off"
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    />
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
