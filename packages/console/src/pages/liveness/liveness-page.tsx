import { useEffect, useRef, useState } from 'preact/hooks';
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

/** Creates the element without JSX: its settings are attributes, and its token is a property. */
function Session(props: { subject: Subject; onOutcome: (outcome: Outcome | undefined) => void }) {
  const container = useRef<HTMLDivElement>(null);
  const { subject, onOutcome } = props;
  useEffect(() => {
    const element = document.createElement('wajah-liveness');
    element.token = () => session.value?.token ?? '';
    const listeners = new AbortController();
    listen(element, listeners.signal, onOutcome);
    setAttributes(element, {
      'base-url': '',
      steps: String(subject.steps),
      lang: language.value,
      theme: appearance.value,
    });
    if (subject.userId)
      setAttributes(element, { 'user-id': subject.userId, 'facegallery-id': subject.gallery ?? '' });
    container.current?.replaceChildren(element);
    onOutcome(undefined);
    return () => {
      listeners.abort();
      element.remove();
    };
  }, [subject, language.value, appearance.value]);
  return <div ref={container} class="liveness" />;
}

function setAttributes(element: WajahLiveness, attributes: Readonly<Record<string, string>>): void {
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
