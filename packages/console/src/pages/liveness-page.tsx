import '../styles/liveness.css';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Card, StackedTable } from '../ui/card.tsx';
import { SelectField } from '../ui/field.tsx';
import '@wajah/capture';
import { type LivenessEvents, type StepResult, textsFor, type WajahLiveness } from '@wajah/capture';
import { wajah } from '../api/wajah.ts';
import { formatNumber, formatSimilarity } from '../i18n/format.ts';
import { common, liveness, recognise } from '../i18n/messages.ts';
import { appearance, language } from '../state/preferences.ts';
import { useLoad } from '../state/request.ts';
import { serverUrl } from '../state/server-url.ts';
import { session } from '../state/session.ts';
import { GalleryChoice, PersonChoice, useGalleries } from '../ui/choice.tsx';
import { Tag } from '../ui/icon.tsx';
import { EmptyState, Notice } from '../ui/notice.tsx';
import { lazyPage, Page } from '../ui/shell.tsx';
import { LivenessLinks, type Subject } from './liveness-links.tsx';

const Token = lazyPage(async () => (await import('./liveness-token.tsx')).Token);

/** A liveness session with the element that pages of integrators use. */
export function LivenessPage() {
  const [subject, setSubject] = useState<Subject>({ steps: 3, person: null });
  const [outcome, setOutcome] = useState<Outcome>();
  const server = useLoad((signal) => wajah.ready(undefined, { signal }));
  return (
    <Page title={common.liveness} lead={liveness.lead}>
      {server.answer?.pad === 'none' && <Notice tone="warn">{liveness.padMissing}</Notice>}
      <div class="columns">
        <div class="stack">
          {subject.person === undefined ? (
            <EmptyState icon="person" title={recognise.choosePerson} text={recognise.personHint} />
          ) : (
            <Session subject={subject} onOutcome={setOutcome} />
          )}
          <p class="hint">{liveness.privacy}</p>
          <div aria-live="polite">{outcome && <LivenessResult outcome={outcome} />}</div>
        </div>
        <div class="stack">
          <SubjectForm subject={subject} onChange={setSubject} />
          <LivenessLinks subject={subject} />
          <details class="card">
            <summary class="small">{liveness.embed}</summary>
            <pre class="code wrap">{embedCode()}</pre>
          </details>
        </div>
      </div>
    </Page>
  );
}

/** The URLs belong to the backend of the page. */
const embedCode = () => `<script type="module" src="${serverUrl}/capture/index.js"></script>
<wajah-liveness
  create-url="/liveness/create"
  begin-url="/liveness/begin"
  detect-url="/liveness/detect"
  frame-url="/liveness/frame"
  submit-url="/liveness/submit"></wajah-liveness>`;

/** The element, made without JSX: its settings are attributes, and its token is a property. */
function Session(props: { subject: Subject; onOutcome: (outcome: Outcome | undefined) => void }) {
  const container = useRef<HTMLDivElement>(null);
  const shown = useRef<Shown>(undefined);
  const { subject, onOutcome } = props;
  const { steps } = subject;
  const { user_id: userId, gallery } = subject.person ?? {};
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
      'keep-frame': '',
      steps: String(steps),
      lang: language.value,
      theme: appearance.value,
      'user-id': userId,
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
  element.addEventListener('ready', () => onOutcome(undefined), listeners);
  for (const kind of ['passed', 'failed'] as const) {
    element.addEventListener(
      kind,
      (event) => onOutcome({ kind, detail: (event as CustomEvent).detail, at: Date.now() } as Outcome),
      listeners,
    );
  }
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

/** Chooses any person or an enrolled one. */
function SubjectForm({ subject, onChange }: { subject: Subject; onChange: (subject: Subject) => void }) {
  const kind = subject.person === null ? 'anybody' : 'somebody';
  return (
    <Card title={common.person}>
      <fieldset class="stack tight">
        <legend class="visually-hidden">{common.person}</legend>
        {(['anybody', 'somebody'] as const).map((one) => (
          <label key={one} class="check">
            <input
              type="radio"
              name="whom"
              checked={kind === one}
              onChange={() => onChange({ ...subject, person: one === 'anybody' ? null : undefined })}
            />
            {liveness[one]}
          </label>
        ))}
      </fieldset>
      {kind === 'somebody' && <EnrolledUser subject={subject} onChange={onChange} />}
      <SelectField
        label={liveness.steps}
        value={String(subject.steps)}
        options={['2', '3', '4', '5']}
        onChange={(steps) => onChange({ ...subject, steps: Number(steps) })}
      />
    </Card>
  );
}

function EnrolledUser({ subject, onChange }: { subject: Subject; onChange: (subject: Subject) => void }) {
  const galleries = useGalleries();
  const gallery = galleries.chosen?.facegallery_id;
  const chosen = subject.person ?? undefined;
  useEffect(() => {
    if (chosen && chosen.gallery !== gallery) onChange({ ...subject, person: undefined });
  }, [gallery]);
  return (
    <>
      <GalleryChoice {...galleries} />
      {gallery !== undefined && (
        <PersonChoice
          key={gallery}
          gallery={gallery}
          label={common.person}
          chosen={chosen}
          onChoose={(found) => onChange({ ...subject, person: found && { ...found, gallery } })}
        />
      )}
    </>
  );
}

type Outcome = (
  | { readonly kind: 'passed'; readonly detail: LivenessEvents['passed'] }
  | { readonly kind: 'failed'; readonly detail: LivenessEvents['failed'] }
) & {
  /** When it came, milliseconds. */
  readonly at: number;
};

/** The results of the steps; the element itself shows the verdict. */
function LivenessResult({ outcome }: { outcome: Outcome }) {
  const results = outcome.detail.results ?? [];
  const { liveness_token: token, expires_in: seconds = 0 } =
    outcome.kind === 'passed' ? outcome.detail : { liveness_token: undefined };
  if (results.length === 0) return null;
  return (
    <Card title={liveness.result}>
      <StackedTable
        columns={[
          [liveness.step, ({ result: { step } }) => textsFor(language.value).stepNames[step]],
          [
            liveness.verdict,
            ({ result: { match } }) => (
              <Tag tone={match ? 'good' : 'bad'}>{match ? common.yes : common.no}</Tag>
            ),
          ],
          [liveness.detail, ({ result }) => measurements(result)],
        ]}
        rows={results.map((result, index) => ({ result, index }))}
        keyOf={({ index }) => String(index)}
      />
      {token !== undefined && <Token token={token} until={outcome.at + 1000 * seconds} />}
    </Card>
  );
}

const shownFields = [
  'yaw',
  'pitch',
  'roll',
  'left_eye',
  'right_eye',
  'mouth',
  'spoof_score',
  'similarity',
] as const;

/** @example measurements(result); // 'yaw 24.5 · pitch -3.4 · roll 1.2' */
function measurements(result: StepResult): string {
  return shownFields
    .flatMap((name) => {
      const value = result[name];
      if (value === undefined) return [];
      return [`${name} ${typeof value === 'number' ? measurement(name, value) : String(value)}`];
    })
    .join(' · ');
}

function measurement(name: string, value: number): string {
  if (name === 'similarity') return formatSimilarity(value);
  return formatNumber(value, name === 'spoof_score' ? 2 : 1);
}
