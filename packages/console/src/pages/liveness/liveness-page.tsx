import { useEffect, useRef, useState } from 'preact/hooks';
import '@wajah/capture';
import type { LivenessEvents, WajahLiveness } from '@wajah/capture';
import { words } from '../../i18n/words.ts';
import { language } from '../../state/preferences.ts';
import { session } from '../../state/session.ts';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { LivenessResult } from './liveness-result.tsx';
import { type Person, PersonChoice } from './person-choice.tsx';
import { useAppearance } from './use-appearance.ts';

export type Outcome =
  | { readonly kind: 'passed'; readonly detail: LivenessEvents['passed'] }
  | { readonly kind: 'failed'; readonly detail: LivenessEvents['failed'] };

/** A liveness session in the browser, as people's own pages run it. */
export function LivenessPage() {
  const [person, setPerson] = useState<Person>({ steps: 3 });
  const [outcome, setOutcome] = useState<Outcome>();
  const { liveness } = words.value;
  return (
    <div class="page stack wide">
      <PageHeader title={liveness.title} lead={liveness.lead} />
      <div class="columns side">
        <div class="stack">
          <Session person={person} onOutcome={setOutcome} />
          <p class="hint">{liveness.privacy}</p>
          <div aria-live="polite">{outcome && <LivenessResult outcome={outcome} />}</div>
        </div>
        <div class="stack">
          <PersonChoice person={person} onChange={setPerson} />
          <details class="card">
            <summary class="small">{liveness.embed}</summary>
            <pre class="code">{embedding}</pre>
          </details>
        </div>
      </div>
    </div>
  );
}

const embedding = `<script type="module" src="/capture/index.js"></script>
<wajah-liveness
  create-url="/liveness/create"
  submit-url="/liveness/submit"></wajah-liveness>`;

/** The element is made by hand: its settings are attributes, and its token is a property. */
function Session(props: { person: Person; onOutcome: (outcome: Outcome | undefined) => void }) {
  const place = useRef<HTMLDivElement>(null);
  const { person, onOutcome } = props;
  const theme = useAppearance();
  useEffect(() => {
    const element = document.createElement('wajah-liveness');
    element.token = () => session.value?.token ?? '';
    const listeners = new AbortController();
    listen(element, listeners.signal, onOutcome);
    set(element, { 'base-url': '', steps: String(person.steps), lang: language.value, theme });
    if (person.userId) set(element, { 'user-id': person.userId, 'facegallery-id': person.gallery ?? '' });
    place.current?.replaceChildren(element);
    onOutcome(undefined);
    return () => {
      listeners.abort();
      element.remove();
    };
  }, [person, language.value, theme]);
  return <div ref={place} class="liveness" />;
}

function set(element: WajahLiveness, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

function listen(
  element: WajahLiveness,
  signal: AbortSignal,
  onOutcome: (outcome: Outcome | undefined) => void,
): void {
  element.addEventListener('ready', () => onOutcome(undefined), { signal });
  for (const kind of ['passed', 'failed'] as const) {
    element.addEventListener(
      kind,
      (event) => onOutcome({ kind, detail: (event as CustomEvent).detail } as Outcome),
      { signal },
    );
  }
}
