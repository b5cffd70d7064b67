import { useState } from 'preact/hooks';
import { sent, wajah } from '../../api/wajah.ts';
import type { Picture } from '../../draw/picture.ts';
import { formatNumber, formatPercent } from '../../i18n/format.ts';
import { common, enrolment } from '../../i18n/messages.ts';
import { useLoad } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { ConsentInput, noConsent } from '../../ui/consent-input.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Check } from '../../ui/field.tsx';
import { Button, IconButton, Tag } from '../../ui/icon.tsx';
import { LooksLike } from '../../ui/looks-like.tsx';
import { ErrorNotice, LoadState } from '../../ui/notice.tsx';
import { FaceThumbnail, PictureInput } from '../../ui/picture-input.tsx';
import {
  addPictures,
  change,
  drop,
  type Enrolee,
  type EnrolmentGallery,
  type EnrolmentRules,
  isReady,
  isRunning,
  liftedFor,
  listOf,
  type Rules,
  renamed,
  run,
  sorted,
  stop,
} from './enrolment.ts';
import { TakenFace } from './faces.tsx';

const byDefault: Rules = {
  replace: false,
  check_duplicate: true,
  check_single_face: false,
  force_register: false,
};

interface EnrolPanelProps {
  readonly gallery: EnrolmentGallery;
  /** Pasted and dropped pictures are for this panel. */
  readonly shown: boolean;
  readonly onEnrolled: () => void;
}

/** Enrols people from pictures, with a result for each. */
export function EnrolPanel({ gallery, shown, onEnrolled }: EnrolPanelProps) {
  const { facegallery_id: name, require_consent } = gallery;
  const [rules, setRules] = useState(byDefault);
  const [consent, setConsent] = useState(noConsent);
  const list = listOf(name);
  const asked: EnrolmentRules = { ...rules, ...(require_consent && consent) };
  const enrol = (chosen?: (one: Enrolee) => boolean) => void run(name, asked, chosen).then(onEnrolled);
  return (
    <Card title={enrolment.title}>
      <PictureInput
        multiple
        paste={shown}
        compact
        label={enrolment.title}
        onPictures={(pictures) => addPictures(name, pictures)}
      />
      {list.length > 0 && (
        <>
          <p class="hint">{enrolment.hint}</p>
          {require_consent && <ConsentInput consent={consent} onChange={setConsent} />}
          <details>
            <summary class="small">{enrolment.options}</summary>
            <EnrolOptions rules={rules} minimumFace={gallery.minimum_face} onChange={setRules} />
          </details>
          <Bar gallery={name} list={list} onRun={() => enrol()} />
          <Rows gallery={name} list={list} onAgain={(picture) => enrol((one) => one.picture === picture)} />
        </>
      )}
    </Card>
  );
}

/** Progress and buttons, in sight wherever the list is scrolled to. */
function Bar(props: { gallery: string; list: readonly Enrolee[]; onRun: () => void }) {
  const { gallery, list, onRun } = props;
  const running = isRunning(gallery);
  const count = (state: Enrolee['state']) => list.filter((one) => one.state === state).length;
  const [good, bad] = [count('enrolled'), count('failed')];
  const done = enrolment.running(good + bad, list.length);
  const ready = list.filter(isReady).length;
  return (
    <div class="row enrol-bar">
      {running ? (
        <Button onClick={stop}>{common.stop}</Button>
      ) : (
        <Button look="main" disabled={ready === 0} onClick={onRun}>
          {enrolment.run(ready)}
        </Button>
      )}
      <div class="stack tight" aria-live="polite">
        {running && <progress aria-label={done} max={list.length} value={good + bad} />}
        {running && <p class="hint">{done}</p>}
        {!running && good + bad > 0 && <p>{enrolment.summary(good, bad)}</p>}
      </div>
      {!running && (
        <Button look="plain" onClick={() => drop(gallery)}>
          {enrolment.clear}
        </Button>
      )}
    </div>
  );
}

function Rows(props: { gallery: string; list: readonly Enrolee[]; onAgain: (picture: Picture) => void }) {
  const { gallery, list, onAgain } = props;
  const running = isRunning(gallery);
  return (
    <div>
      <div class="enrolee-heads" aria-hidden="true">
        <span>{enrolment.picture}</span>
        <span>{common.name}</span>
        <span>{common.userId}</span>
        <span>{enrolment.result}</span>
      </div>
      <ul class="enrolees">
        {sorted(list).map((enrolee) => (
          <EnroleeRow
            key={enrolee.picture.url}
            gallery={gallery}
            enrolee={enrolee}
            running={running}
            onAgain={() => onAgain(enrolee.picture)}
          />
        ))}
      </ul>
    </div>
  );
}

interface EnroleeRowProps {
  readonly gallery: string;
  readonly enrolee: Enrolee;
  readonly running: boolean;
  /** Sends this one alone. */
  readonly onAgain: () => void;
}

/** A picture with its name and ID to edit, and the result of its enrolment. */
function EnroleeRow({ gallery, enrolee, running, onAgain }: EnroleeRowProps) {
  const { picture, userName, userId, state, taken, face, error, likeness, lifted } = enrolee;
  const settled = state === 'working' || state === 'enrolled';
  const set = (changes: Partial<Enrolee>) => change(gallery, picture, changes);
  const again = (changes: Partial<Enrolee>) => {
    set({ state: 'waiting', taken: undefined, ...changes });
    onAgain();
  };
  const line = (label: string, value: string, onInput: (text: string) => void, look = '') => (
    <label class="field cell">
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
      <TakenFace picture={picture} taken={taken ?? (face && { box: face, found: 1 })} />
      {line(common.name, userName, (text) => set({ ...renamed(enrolee, text), lifted: undefined }))}
      {line(common.userId, userId, (text) => set({ userId: text, lifted: undefined }), 'mono')}
      <div class="row between">
        <Result gallery={gallery} enrolee={enrolee} />
        {!settled && (
          <IconButton
            icon="close"
            label={enrolment.dropRow(picture.name)}
            onClick={() => drop(gallery, picture)}
          />
        )}
      </div>
      {error && !likeness && <ErrorNotice error={error} />}
      {!running && state !== 'working' && <Remedies enrolee={enrolee} onAgain={again} />}
      {state === 'failed' && likeness && (
        <LooksLike
          key={likeness.userId}
          gallery={gallery}
          picture={picture}
          box={face}
          likeness={likeness}
          disabled={running}
          onSame={(theirs, userName) =>
            again({ userId: theirs, userName, lifted: { ...lifted, append: true, replace: false } })
          }
          onDifferent={() => again({ lifted: { ...lifted, check_duplicate: false } })}
        />
      )}
    </li>
  );
}

/** What can be done with a refused person, and with a picture of several faces. */
function Remedies(props: { enrolee: Enrolee; onAgain: (changes: Partial<Enrolee>) => void }) {
  const { enrolee, onAgain: again } = props;
  const { picture, state, taken, face: chosen } = enrolee;
  const [choosing, setChoosing] = useState(false);
  const lifted = state === 'failed' ? liftedFor(enrolee) : undefined;
  const isGroup = chosen !== undefined || (taken?.found ?? 0) > 1;
  const group = state === 'failed' ? enrolee.error?.status !== '412' : isGroup && !enrolee.lifted?.append;
  if (!lifted && !group) return null;
  return (
    <div class="wide row">
      {lifted && (
        <Button onClick={() => again({ lifted: { ...enrolee.lifted, ...lifted } })}>
          {lifted.replace ? enrolment.replaceThis : enrolment.anyway}
        </Button>
      )}
      {group && <Button onClick={() => setChoosing(true)}>{enrolment.chooseFace}</Button>}
      {choosing && (
        <FaceChoice
          picture={picture}
          onClose={() => setChoosing(false)}
          onChoose={(face) => {
            setChoosing(false);
            // The largest face was enrolled in its place.
            again({ face, ...(state === 'enrolled' && { lifted: { ...enrolee.lifted, replace: true } }) });
          }}
        />
      )}
    </div>
  );
}

/** The faces of a picture, each a button. */
function FaceChoice(props: {
  picture: Picture;
  onChoose: (face: NonNullable<Enrolee['face']>) => void;
  onClose: () => void;
}) {
  const { picture, onChoose, onClose } = props;
  const load = useLoad((signal) => wajah.detectFaces({ image: picture.blob }, { signal }));
  return (
    <Dialog title={enrolment.chooseFace} dismiss={common.cancel} onClose={onClose}>
      <LoadState load={load} />
      <div class="row">
        {load.answer?.faces.map(({ box }, index) => (
          <button
            key={index}
            type="button"
            class="bare sample"
            aria-label={common.face(index + 1)}
            onClick={() => onChoose(box)}
          >
            <FaceThumbnail picture={picture} box={box} />
          </button>
        ))}
      </div>
    </Dialog>
  );
}

function Result({ gallery, enrolee }: Pick<EnroleeRowProps, 'gallery' | 'enrolee'>) {
  const { state, taken, userId } = enrolee;
  switch (state) {
    case 'waiting':
      return <span class="tag">{enrolment.waiting}</span>;
    case 'working':
      return (
        <span class="tag">
          <span class="spinner" aria-hidden="true" />
          {sent.value === null ? enrolment.working : common.sending(formatPercent(sent.value))}
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
  readonly rules: Rules;
  /** Pixels. */
  readonly minimumFace: number;
  readonly onChange: (rules: Rules) => void;
}

/** What is refused, and what is not, with the rule of the size. */
function EnrolOptions({ rules, minimumFace, onChange }: EnrolOptionsProps) {
  const size = formatNumber(minimumFace);
  const check = (name: keyof Rules, label: string) => (
    <Check
      label={label}
      checked={rules[name]}
      onChange={(checked) => onChange({ ...rules, [name]: checked })}
    />
  );
  return (
    <fieldset class="stack tight">
      <legend class="visually-hidden">{enrolment.options}</legend>
      {check('check_duplicate', enrolment.duplicates)}
      {check('check_single_face', enrolment.singleFace)}
      {check('replace', enrolment.replace)}
      {check('force_register', enrolment.force(size))}
      <p class="hint">{enrolment.size(size)}</p>
    </fieldset>
  );
}
