import { isWajahError } from '@wajah/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { type Picture, releasePictures } from '../../draw/picture.ts';
import { formatNumber } from '../../i18n/format.ts';
import { enrolment, galleries, terms } from '../../i18n/messages.ts';
import { type ApiError, asApiError } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { Check, TextField } from '../../ui/field.tsx';
import { Button, IconButton, Tag } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { PictureInput } from '../../ui/picture-input.tsx';
import { type Taken, TakenFace } from './faces.tsx';

const byDefault: Options = {
  replace: false,
  check_duplicate: true,
  check_single_face: false,
  force_register: false,
};

const noConsent: ConsentFields = { consent_reference: '', consent_purpose: '' };

interface EnrolPanelProps {
  readonly gallery: Gallery;
  /** Pasted pictures are for this panel. */
  readonly shown: boolean;
  readonly onEnrolled: () => void;
}

/** Enrols people from pictures, with a result for each. */
export function EnrolPanel({ gallery, shown, onEnrolled }: EnrolPanelProps) {
  const [options, setOptions] = useState(byDefault);
  const [consent, setConsent] = useState(noConsent);
  const list = useEnrolment(gallery.facegallery_id, { ...options, ...consent }, onEnrolled);
  const { enrolees } = list;
  const latest = useRef(enrolees);
  latest.current = enrolees;
  useEffect(() => () => releasePictures(latest.current.map(({ picture }) => picture)), []);
  return (
    <Card title={enrolment.title}>
      <PictureInput
        multiple
        paste={shown}
        compact
        label={enrolment.title}
        onPictures={(pictures) => list.add(pictures.map(enroleeFrom))}
      />
      {enrolees.length > 0 && (
        <>
          <p class="hint">{enrolment.hint}</p>
          <Rows gallery={gallery.facegallery_id} list={list} />
          {gallery.require_consent && <ConsentOfAll consent={consent} onChange={setConsent} />}
          <EnrolOptions options={options} minimumFace={gallery.minimum_face} onChange={setOptions} />
          <Progress enrolees={enrolees} running={list.running} />
          <Actions list={list} />
        </>
      )}
    </Card>
  );
}

/** The gallery requires a consent: one for all people of the list. */
function ConsentOfAll(props: { consent: ConsentFields; onChange: (consent: ConsentFields) => void }) {
  const { consent, onChange } = props;
  return (
    <>
      <TextField
        label={terms.reference}
        value={consent.consent_reference}
        onInput={(consent_reference) => onChange({ ...consent, consent_reference })}
      />
      <TextField
        label={terms.purpose}
        value={consent.consent_purpose}
        onInput={(consent_purpose) => onChange({ ...consent, consent_purpose })}
        optional
      />
    </>
  );
}

function Rows({ gallery, list }: { gallery: string; list: ReturnType<typeof useEnrolment> }) {
  return (
    <div>
      <div class="enrolee-heads" aria-hidden="true">
        <span>{enrolment.picture}</span>
        <span>{enrolment.userName}</span>
        <span>{enrolment.userId}</span>
        <span>{enrolment.result}</span>
      </div>
      <ul class="enrolees">
        {list.enrolees.map((enrolee) => (
          <EnroleeRow
            key={enrolee.picture.url}
            gallery={gallery}
            enrolee={enrolee}
            onChange={(changes) => list.change(enrolee.picture, changes)}
            onDrop={() => list.drop(enrolee.picture)}
          />
        ))}
      </ul>
    </div>
  );
}

function Progress({ enrolees, running }: { enrolees: readonly Enrolee[]; running: boolean }) {
  const count = (state: Enrolee['state']) => enrolees.filter((one) => one.state === state).length;
  const good = count('enrolled');
  const bad = count('failed');
  return (
    <div class="stack tight" aria-live="polite">
      {running && (
        <progress
          aria-label={enrolment.running(good + bad, enrolees.length)}
          max={enrolees.length}
          value={good + bad}
        />
      )}
      {running && <p class="hint">{enrolment.running(good + bad, enrolees.length)}</p>}
      {!running && good + bad > 0 && <p>{enrolment.summary(good, bad)}</p>}
    </div>
  );
}

function Actions({ list }: { list: ReturnType<typeof useEnrolment> }) {
  const ready = list.enrolees.filter(isReady).length;
  if (list.running) {
    return <Button onClick={list.stop}>{galleries.stop}</Button>;
  }
  return (
    <div class="row">
      <Button look="main" disabled={ready === 0} onClick={() => void list.run()}>
        {enrolment.run(ready)}
      </Button>
      <Button look="plain" onClick={list.clear}>
        {enrolment.clear}
      </Button>
    </div>
  );
}

interface EnroleeRowProps {
  readonly gallery: string;
  readonly enrolee: Enrolee;
  readonly onChange: (changes: { userName?: string; userId?: string }) => void;
  readonly onDrop: () => void;
}

/** A picture with its name and ID to edit, and the result of its enrolment. */
function EnroleeRow({ gallery, enrolee, onChange, onDrop }: EnroleeRowProps) {
  const { picture, userName, userId, state, taken, error } = enrolee;
  const settled = state === 'working' || state === 'enrolled';
  const line = (label: string, value: string, onInput: (text: string) => void, look = '') => (
    <label class="cell">
      <span class="label">{label}</span>
      <input
        type="text"
        class={look}
        aria-label={`${label}, ${picture.name}`}
        maxLength={120}
        disabled={settled}
        value={value}
        title={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
  return (
    <li>
      <TakenFace picture={picture} taken={taken} />
      {line(enrolment.userName, userName, (text) => onChange({ userName: text }))}
      {line(enrolment.userId, userId, (text) => onChange({ userId: text }), 'mono')}
      <div class="row between">
        <Result gallery={gallery} enrolee={enrolee} />
        {!settled && <IconButton icon="close" label={enrolment.dropRow(picture.name)} onClick={onDrop} />}
      </div>
      {error && <ErrorNotice error={error} />}
      {enrolee.duplicateOf !== undefined && (
        <a class="wide small" href={hrefOf('galleries', gallery, 'people', enrolee.duplicateOf)}>
          {enrolment.otherPerson(enrolee.duplicateOf)}
        </a>
      )}
    </li>
  );
}

function Result({
  gallery,
  enrolee: { state, taken, userId },
}: Pick<EnroleeRowProps, 'gallery' | 'enrolee'>) {
  switch (state) {
    case 'waiting':
      return <span class="tag">{enrolment.waiting}</span>;
    case 'working':
      return (
        <span class="tag">
          <span class="spinner" aria-hidden="true" />
          {enrolment.working}
        </span>
      );
    case 'enrolled':
      return (
        <div class="stack tight small">
          <Tag tone="good">{enrolment.enrolled}</Tag>
          {taken && <span class={taken.found > 1 ? '' : 'muted'}>{enrolment.taken(taken.found)}</span>}
          <a href={hrefOf('galleries', gallery, 'people', userId.trim())}>{enrolment.openPerson}</a>
        </div>
      );
    case 'failed':
      return <Tag tone="bad">{enrolment.failed}</Tag>;
  }
}

interface EnrolOptionsProps {
  readonly options: Options;
  /** Pixels. */
  readonly minimumFace: number;
  readonly onChange: (options: Options) => void;
}

/** What is refused, and what is not, with the rule of the size. */
function EnrolOptions({ options, minimumFace, onChange }: EnrolOptionsProps) {
  const size = formatNumber(minimumFace);
  const check = (name: keyof Options, label: string) => (
    <Check
      label={label}
      checked={options[name]}
      onChange={(checked) => onChange({ ...options, [name]: checked })}
    />
  );
  return (
    <fieldset class="stack tight">
      <legend>{enrolment.options}</legend>
      {check('check_duplicate', enrolment.duplicates)}
      {check('check_single_face', enrolment.singleFace)}
      {check('replace', enrolment.replace)}
      {check('force_register', enrolment.force(size))}
      <p class="hint">{enrolment.size(size)}</p>
    </fieldset>
  );
}

/** A person to enrol with the state of the enrolment. */
interface Enrolee {
  readonly picture: Picture;
  readonly userId: string;
  readonly userName: string;
  readonly state: 'waiting' | 'working' | 'enrolled' | 'failed';
  readonly taken?: Taken;
  readonly error?: ApiError;
  /** user_id that the face is enrolled under already. */
  readonly duplicateOf?: string;
}

/** Name and ID from a file name. @example 'Sri_Rahayu.jpg' → 'Sri Rahayu', 'sri-rahayu' */
function enroleeFrom(picture: Picture): Enrolee {
  const stem = picture.name.replace(/\.[a-z0-9]{2,5}$/i, '').trim();
  const userName =
    stem
      .replace(/[_\s]+/g, ' ')
      .trim()
      .slice(0, 120) || 'person';
  const userId = userName.toLowerCase().replace(/\s+/g, '-');
  return { picture, userId, userName, state: 'waiting' };
}

/** Whether the person can be enrolled now. */
function isReady({ userId, userName, state }: Enrolee): boolean {
  return (state === 'waiting' || state === 'failed') && userId.trim() !== '' && userName.trim() !== '';
}

interface Options {
  readonly replace: boolean;
  readonly check_duplicate: boolean;
  readonly check_single_face: boolean;
  readonly force_register: boolean;
}

/** Consent that the people of the list have given; empty: none. */
interface ConsentFields {
  readonly consent_reference: string;
  readonly consent_purpose: string;
}

/** The list of people to enrol and its run. */
function useEnrolment(gallery: string, options: Options & ConsentFields, onEnrolled: () => void) {
  const [enrolees, setEnrolees] = useState<readonly Enrolee[]>([]);
  const [running, setRunning] = useState<AbortController>();
  const latest = useRef(enrolees);
  latest.current = enrolees;
  useEffect(() => () => running?.abort(), [running]);

  const change = (picture: Picture, changes: Partial<Enrolee>) =>
    setEnrolees((all) => all.map((one) => (one.picture === picture ? { ...one, ...changes } : one)));

  async function run(): Promise<void> {
    const controller = new AbortController();
    setRunning(controller);
    for (const { picture } of latest.current.filter(isReady)) {
      const enrolee = latest.current.find((one) => one.picture === picture);
      if (controller.signal.aborted || !enrolee) continue;
      change(picture, { state: 'working' });
      change(picture, await enrol(gallery, enrolee, options, controller.signal));
    }
    if (!controller.signal.aborted) setRunning(undefined);
    onEnrolled();
  }

  return {
    enrolees,
    running: running !== undefined,
    run,
    change,
    add: (more: readonly Enrolee[]) => setEnrolees((all) => [...all, ...more]),
    drop(picture: Picture) {
      releasePictures([picture]);
      setEnrolees((all) => all.filter((one) => one.picture !== picture));
    },
    stop() {
      running?.abort();
      setRunning(undefined);
    },
    clear() {
      releasePictures(enrolees.map(({ picture }) => picture));
      setEnrolees([]);
    },
  };
}

async function enrol(
  gallery: string,
  { picture, userId, userName }: Enrolee,
  options: Options & ConsentFields,
  signal: AbortSignal,
): Promise<Partial<Enrolee>> {
  try {
    const person = { facegallery_id: gallery, user_id: userId, user_name: userName, image: picture.blob };
    const { face, found } = await wajah.enrolFace({ ...person, ...options, details: true }, { signal });
    return { state: 'enrolled', taken: { box: face!.box, found: found! } };
  } catch (error) {
    if (signal.aborted) return { state: 'waiting' };
    const other = duplicateIn(error);
    return { state: 'failed', error: asApiError(error), ...(other !== undefined && { duplicateOf: other }) };
  }
}

/** The user whom a refused face belongs to. */
function duplicateIn(error: unknown): string | undefined {
  if (!isWajahError(error) || error.status !== '409') return undefined;
  const { duplicate_user_id: userId } = error.answer;
  return typeof userId === 'string' ? userId : undefined;
}
