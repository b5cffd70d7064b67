import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import '@wajah/capture';
import type { WajahLiveness } from '@wajah/capture';
import { messages } from '../../i18n/messages.ts';
import { appearance, language } from '../../state/preferences.ts';
import { session } from '../../state/session.ts';
import { PageHeader } from '../../ui/page/shell.tsx';
import { LivenessResult, type Outcome } from './liveness-result.tsx';
import { type Subject, SubjectForm } from './subject-form.tsx';

/** A liveness session with the element that pages of integrators use. */
export function LivenessPage() {
  const [subject, setSubject] = useState<Subject>({ steps: 3 });
  const [outcome, setOutcome] = useState<Outcome>();
  const { liveness } = messages.value;
  return (
    <div class="page stack wide">
      <PageHeader title={liveness.title} lead={liveness.lead} />
      <div class="columns side">
        <div class="stack">
          <Session subject={subject} onOutcome={setOutcome} />
          <p class="hint">{liveness.privacy}</p>
          <div aria-live="polite">{outcome && <LivenessResult outcome={outcome} />}</div>
        </div>
        <div class="stack">
          <SubjectForm subject={subject} onChange={setSubject} />
          <details class="card">
            <summary class="small">{liveness.embed}</summary>
            <pre class="code">{embedCode}</pre>
          </details>
        </div>
      </div>
    </div>
  );
}

const embedCode = `<script type="module" src="/capture/index.js"></script>
<wajah-liveness
  create-url="/liveness/create"
  submit-url="/liveness/submit"></wajah-liveness>`;

/** The element, made without JSX: its settings are attributes, and its token is a property. */
function Session(props: { subject: Subject; onOutcome: (outcome: Outcome | undefined) => void }) {
  const container = useRef<HTMLDivElement>(null);
  const shown = useRef<Shown>(undefined);
  const { subject, onOutcome } = props;
  const { steps } = subject;
  const userId = subject.userId?.trim();
  const gallery = userId ? subject.gallery : undefined;
  // Before the next event, which may be a click on the element's button.
  useLayoutEffect(() => {
    // One that waits takes other settings; replacing it would lose a click.
    if (shown.current?.element.state !== 'idle') {
      end(shown.current);
      shown.current = create(onOutcome);
      onOutcome(undefined);
    }
    const { element } = shown.current;
    setAttributes(element, {
      'base-url': '',
      steps: String(steps),
      lang: language.value,
      theme: appearance.value,
      'user-id': userId || undefined,
      'facegallery-id': gallery,
    });
    if (!element.isConnected) container.current?.replaceChildren(element);
  }, [steps, userId, gallery, language.value, appearance.value]);
  useEffect(() => () => end(shown.current), []);
  return <div ref={container} class="liveness" />;
}

interface Shown {
  readonly element: WajahLiveness;
  readonly listeners: AbortController;
}

function create(onOutcome: (outcome: Outcome | undefined) => void): Shown {
  const element = document.createElement('wajah-liveness');
  element.token = () => session.value?.token ?? '';
  const listeners = new AbortController();
  listen(element, listeners.signal, onOutcome);
  return { element, listeners };
}

function end(shown: Shown | undefined): void {
  shown?.listeners.abort();
  shown?.element.remove();
}

function setAttributes(
  element: WajahLiveness,
  attributes: Readonly<Record<string, string | undefined>>,
): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
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
