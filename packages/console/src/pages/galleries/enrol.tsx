import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { sent, wajah } from '../../api/wajah.ts';
import type { Picture } from '../../draw/picture.ts';
import { featureGalleryViews } from '../../features/gallery-views.ts';
import { formatNumber, formatPercent } from '../../i18n/format.ts';
import { common, enrolment, looksLike, messageFor } from '../../i18n/messages.ts';
import { refusalText } from '../../i18n/refusal-text.ts';
import { type ApiError, useLoad, useRequest } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { ConsentInput, consentFields, newConsent } from '../../ui/consent-input.tsx';
import { Dialog, OpenButton } from '../../ui/dialog.tsx';
import { Check, useFields } from '../../ui/field.tsx';
import { Button, IconButton, Tag } from '../../ui/icon.tsx';
import { type Likeness, LooksLike } from '../../ui/looks-like.tsx';
import { isRetryable, LoadState, Notice, RefusalDetail } from '../../ui/notice.tsx';
import { FaceThumbnail, PictureInput } from '../../ui/picture-input.tsx';
import { useInView } from '../../ui/shell.tsx';
import {
  addPictures,
  addTables,
  awaitedOf,
  awaitPeople,
  change,
  drop,
  type Enrolee,
  type EnrolmentGallery,
  type EnrolmentRules,
  facesIn,
  type Group,
  groupsOf,
  isNamed,
  isReady,
  isRunning,
  type Lifted,
  liftedFor,
  listOf,
  type Rules,
  renamed,
  run,
  stop,
  tableOf,
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
  const { facegallery_id: name } = gallery;
  const table = useRequest<void>();
  const list = listOf(name);
  return (
    <Card title={enrolment.title}>
      <PictureInput
        multiple
        paste={shown}
        compact
        label={enrolment.title}
        onPictures={(pictures) => addPictures(name, pictures)}
        onTables={(files, beside) => table.run(() => takeTables(name, files, beside))}
      />
      {table.error && (
        <Notice tone="bad" alert>
          {enrolment.tableBad}
        </Notice>
      )}
      <TableNotice gallery={name} list={list} />
      <p class="hint">{enrolment.hint}</p>
      {list.length > 0 && <EnrolForm gallery={gallery} list={list} onEnrolled={onEnrolled} />}
    </Card>
  );
}

/** CSV files that name pictures, or those for a view of a feature. @throws Error when they are for none */
async function takeTables(gallery: string, files: readonly File[], beside: readonly string[]): Promise<void> {
  const others = await addTables(gallery, files, beside);
  if (others.length === 0) return;
  for (const [view, { take }] of Object.entries(featureGalleryViews)) {
    if (!(await take?.(gallery, others))) continue;
    location.hash = hrefOf('galleries', gallery, view);
    return;
  }
  throw new Error('no picture is named');
}

/** The list with what is asked of it: the next list begins without. */
function EnrolForm(props: Omit<EnrolPanelProps, 'shown'> & { list: readonly Enrolee[] }) {
  const { gallery, list, onEnrolled } = props;
  const { facegallery_id: name, require_consent } = gallery;
  const [rules, setRules] = useState(byDefault);
  const consent = useFields(newConsent());
  const asked: EnrolmentRules = { ...rules, ...(require_consent && consentFields(consent.values)) };
  const enrol = (chosen?: (one: Enrolee) => boolean) => void run(gallery, asked, chosen).then(onEnrolled);
  const { lists, offers } = useAwaited(name);
  return (
    <form
      class="stack"
      ref={useInView<HTMLFormElement>(name)}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRunning(name) && list.some(isReady)) enrol();
      }}
    >
      {require_consent && <ConsentInput field={consent.field} />}
      <details>
        <summary class="small">{enrolment.options}</summary>
        <EnrolOptions
          rules={rules}
          minimumFace={gallery.minimum_face}
          onChange={(changed) => {
            setRules(changed);
            for (const { picture } of list) change(name, picture, { edited: true });
          }}
        />
      </details>
      <Bar gallery={name} list={list} />
      {offers}
      {groupsOf(list).map((group) => (
        <GroupView
          key={group.kind}
          gallery={name}
          group={group}
          lists={lists}
          onRun={(pictures) => enrol((one) => pictures.includes(one.picture))}
        />
      ))}
    </form>
  );
}

/** Reads whom a gallery awaits, and offers their names and IDs. @returns the ids of two lists, and these */
function useAwaited(gallery: string) {
  const id = useId();
  const { answer } = useLoad((signal) => readAwaited(gallery, signal), gallery);
  useEffect(() => {
    if (answer) awaitPeople(gallery, answer);
  }, [answer]);
  const lists = [`${id}-names`, `${id}-ids`] as const;
  const list = (at: number) => (
    <datalist id={lists[at]}>
      {answer?.map(({ userId, userName }) => (
        <option key={userId} value={at ? userId : userName} label={at ? userName : userId} />
      ))}
    </datalist>
  );
  // Once, and not at each key: there may be thousands.
  const offers = useMemo(() => [list(0), list(1)], [answer]);
  return { lists, offers };
}

async function readAwaited(gallery: string, signal: AbortSignal) {
  const views = Object.values(featureGalleryViews);
  return (
    await Promise.all(views.map(async ({ awaited }) => (await awaited?.(gallery, signal)) ?? []))
  ).flat();
}

/** What a CSV file names, and what of it is not used. */
function TableNotice({ gallery, list }: { gallery: string; list: readonly Enrolee[] }) {
  const table = tableOf(gallery);
  if (!table) return null;
  const pictures = list.map(({ picture }) => picture);
  const { listed, missing } = table.match([...pictures, ...table.dropped]);
  const { refused } = table;
  const namesOf = (isOf: (at: number) => boolean | undefined) =>
    pictures.filter((_, at) => isOf(at)).map(({ name }) => name);
  const unclear = namesOf((at) => listed[at]?.unclear);
  const unlisted = namesOf((at) => !listed[at]?.unclear && !listed[at]?.person);
  const named = pictures.length - unlisted.length - unclear.length;
  return (
    <Notice tone={[missing, refused, unlisted, unclear].some(({ length }) => length > 0) ? 'warn' : 'good'}>
      <p>{enrolment.table(formatNumber(named))}</p>
      {unclear.length > 0 && <p>{enrolment.tableUnclear(unclear.join(', '))}</p>}
      {missing.length > 0 && <p>{enrolment.tableMissing(missing.join(', '))}</p>}
      {unlisted.length > 0 && <p>{enrolment.tableUnlisted(unlisted.join(', '))}</p>}
      {refused.length > 0 && <p>{enrolment.tableRefused(refused.join(', '))}</p>}
    </Notice>
  );
}

/** Progress and buttons, in sight wherever the list is scrolled to. */
function Bar({ gallery, list }: { gallery: string; list: readonly Enrolee[] }) {
  const running = isRunning(gallery);
  const count = (state: Enrolee['state']) => list.filter((one) => one.state === state && !one.before).length;
  const [good, bad] = [count('enrolled'), count('failed')];
  const settled = good + bad + list.filter(({ before }) => before).length;
  const done = enrolment.running(settled, list.length);
  const ready = list.filter(isReady).length;
  return (
    <div class="row enrol-bar">
      {running && <Button onClick={stop}>{common.stop}</Button>}
      {!running && ready > 0 && (
        <Button submit look="main">
          {enrolment.run(ready)}
        </Button>
      )}
      <div class="stack tight" aria-live="polite">
        {running && <progress aria-label={done} max={list.length} value={settled} />}
        {running && <p class="hint">{done}</p>}
        {!running && settled > 0 && <p>{enrolment.summary(good, bad)}</p>}
      </div>
      {!running && (
        <Button look="plain" onClick={() => drop(gallery)}>
          {enrolment.clear}
        </Button>
      )}
    </div>
  );
}

interface GroupProps {
  readonly gallery: string;
  readonly group: Group;
  readonly lists: readonly [names: string, ids: string];
  /** Sends some again. */
  readonly onRun: (pictures: readonly Picture[]) => void;
}

/** Pictures with the same to decide: where nothing is, they are folded away. */
function GroupView({ gallery, group, lists, onRun }: GroupProps) {
  const { kind, members } = group;
  const title = `${groupTitle(group)} (${formatNumber(members.length)})`;
  const rows = (
    <ul class="enrolees">
      {members.map((enrolee) => (
        <EnroleeRow
          key={enrolee.picture.url}
          gallery={gallery}
          enrolee={enrolee}
          lists={lists}
          onAgain={() => onRun([enrolee.picture])}
        />
      ))}
    </ul>
  );
  if (kind === 'enrolled' || kind === 'before') {
    return (
      <details>
        <summary>
          <h3>{title}</h3>
        </summary>
        {rows}
      </details>
    );
  }
  return (
    <section class="stack tight">
      <div class="row between">
        <h3>{title}</h3>
        {!isRunning(gallery) && <ForAll gallery={gallery} group={group} onRun={onRun} />}
      </div>
      {sizesText(members) && <p class="hint">{sizesText(members)}</p>}
      {rows}
    </section>
  );
}

function groupTitle({ kind, members }: Group): string {
  const title = messageFor(enrolment, kind);
  if (title) return title;
  const error = members[0]?.error;
  return error && error.http !== 0 ? refusalText(error).title : common.unreachable;
}

/** Pixels of a face that is too small. */
interface Sizes {
  readonly size: number;
  readonly minimum: number;
}

/** @returns undefined: it was refused for another reason */
function sizesIn(refused: ApiError | undefined): Sizes | undefined {
  const { error, params } = (refused?.answer ?? {}) as { error?: string; params?: Sizes };
  return error === 'faceTooSmall' ? params : undefined;
}

/** @example 'Pixels of these faces: 89 to 98; the rule asks for 100.' */
function sizesText(members: readonly Enrolee[]): string | undefined {
  const sizes = members.flatMap(({ error }) => sizesIn(error) ?? []);
  const [first] = sizes;
  const all = sizes.map(({ size }) => size);
  const [least, most] = [formatNumber(Math.min(...all)), formatNumber(Math.max(...all))];
  return first && enrolment.sizes(enrolment.range(least, most), formatNumber(first.minimum));
}

/** One decision for a group: to enrol in spite of the rule, or to send again what the server could not answer. */
function ForAll({ gallery, group: { members }, onRun }: Omit<GroupProps, 'lists'>) {
  const [first] = members;
  const lifted = first && liftedFor(first);
  const canRepeat = first?.error !== undefined && isRetryable(first.error);
  if (!lifted && !canRepeat) return null;
  const send = () => {
    for (const { picture, lifted: before } of members)
      change(gallery, picture, { state: 'waiting', lifted: { ...before, ...lifted } });
    onRun(members.map(({ picture }) => picture));
  };
  const text = lifted?.if_exists ? enrolment.replaceThis : enrolment.anyway(members.length);
  return <Button onClick={send}>{lifted ? text : common.retry}</Button>;
}

interface EnroleeRowProps {
  readonly gallery: string;
  readonly enrolee: Enrolee;
  readonly lists: readonly [names: string, ids: string];
  /** Sends this one alone. */
  readonly onAgain: () => void;
}

/** A picture with its name and ID to edit, and the result of its enrolment. */
function EnroleeRow({ gallery, enrolee, lists, onAgain }: EnroleeRowProps) {
  const { picture, userName, state, taken, face, likeness, lifted } = enrolee;
  const settled = state === 'working' || state === 'enrolled';
  const running = isRunning(gallery);
  const set = (changes: Partial<Enrolee>) => change(gallery, picture, changes);
  const edit = (changes: Partial<Enrolee>) => set({ ...changes, edited: true, lifted: undefined });
  const again = (changes: Partial<Enrolee>) => {
    set({ state: 'waiting', taken: undefined, ...changes });
    onAgain();
  };
  const choice = !running && state !== 'working' && (face || facesIn(enrolee) > 1) && (
    <ChooseFace enrolee={enrolee} onAgain={again} />
  );
  return (
    <li>
      <TakenFace picture={picture} taken={taken ?? (face && { box: face, found: 1 })} />
      <WhoCells {...{ gallery, enrolee, lists }} disabled={settled} onEdit={edit} />
      <div class="row between">
        <span class="mono small muted">{picture.name}</span>
        <Result gallery={gallery} enrolee={enrolee} />
        {!likeness && choice}
        {!settled && (
          <IconButton
            icon="close"
            label={enrolment.dropRow(picture.name)}
            onClick={() => drop(gallery, picture)}
          />
        )}
      </div>
      {state === 'failed' && likeness && (
        <LooksLike
          key={likeness.userId}
          gallery={gallery}
          picture={picture}
          box={face}
          likeness={likeness}
          disabled={running}
          {...decisionText(likeness, userName)}
          onSame={(theirs, userName) =>
            likeness.samePicture
              ? set({ state: 'enrolled', userName, before: true, error: undefined, likeness: undefined })
              : again({ userId: theirs, userName, lifted: { ...lifted, if_exists: 'append' } })
          }
          onDifferent={() => again({ lifted: { ...lifted, ...decisionOf(likeness) } })}
        >
          {choice}
        </LooksLike>
      )}
    </li>
  );
}

/** What the button says of whoever has the ID. */
function decisionText(likeness: Likeness, name: string) {
  if (likeness.samePicture) return { different: () => looksLike.takeName(name) };
  return likeness.taken && likeness.replaces ? { different: looksLike.replaceOf } : {};
}

/** What is decided by whoever does not take the picture for one more of the person. */
function decisionOf(likeness: Likeness): Lifted {
  if (!likeness.taken) return { check_duplicate: false };
  return likeness.samePicture ? { rename: true } : { if_exists: 'replace' };
}

/** Name and ID, each of which brings the other of a person whom the gallery awaits. */
function WhoCells(
  props: Omit<EnroleeRowProps, 'onAgain'> & {
    disabled: boolean;
    onEdit: (changes: Partial<Enrolee>) => void;
  },
) {
  const { gallery, enrolee, lists, disabled, onEdit } = props;
  const cell = { file: enrolee.picture.name, disabled };
  return (
    <>
      <Cell
        {...cell}
        label={common.name}
        value={enrolee.userName}
        list={lists[0]}
        onInput={(text) => onEdit(renamed(enrolee, text, awaitedOf(gallery)))}
      />
      <Cell
        {...cell}
        label={common.userId}
        value={enrolee.userId}
        look="mono"
        list={lists[1]}
        onInput={(text) => onEdit({ userId: text })}
        // Not at each key: the beginning of an ID may be another one's.
        onChange={(text) => {
          const person = awaitedOf(gallery).find(({ userId }) => userId === text.trim());
          if (person) onEdit(person);
        }}
      />
    </>
  );
}

function Cell(props: {
  file: string;
  label: string;
  value: string;
  look?: string;
  disabled: boolean;
  /** id of what is offered. */
  list: string;
  onInput: (text: string) => void;
  /** When the field is left. */
  onChange?: (text: string) => void;
}) {
  const { file, label, value, look, disabled, list, onInput, onChange } = props;
  return (
    <label class="field cell">
      <span class="label">{label}</span>
      <input
        type="text"
        class={look}
        aria-label={`${label}, ${file}`}
        maxLength={120}
        disabled={disabled}
        list={list}
        value={value}
        title={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      />
    </label>
  );
}

/** Enrols another face of a picture of several. */
function ChooseFace(props: { enrolee: Enrolee; onAgain: (changes: Partial<Enrolee>) => void }) {
  const { state, picture, lifted } = props.enrolee;
  return (
    <OpenButton text={enrolment.chooseFace}>
      {(close) => (
        <FaceChoice
          picture={picture}
          onClose={close}
          onChoose={(face) => {
            close();
            // The largest face was enrolled in its place, unless it was added to the faces of the person.
            const isFirst = state === 'enrolled' && lifted?.if_exists !== 'append';
            props.onAgain({ face, ...(isFirst && { lifted: { ...lifted, if_exists: 'replace' } }) });
          }}
        />
      )}
    </OpenButton>
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
  const { state, taken, face, userId, formerName, error, likeness, edited } = enrolee;
  switch (state) {
    case 'waiting':
      return isNamed(enrolee) ? (
        <span class="tag">{enrolment.waiting}</span>
      ) : (
        <Tag tone="warn">{enrolee.unclear ? enrolment.unclear : enrolment.unnamed}</Tag>
      );
    case 'working':
      return (
        <span class="tag">
          <span class="spinner" aria-hidden="true" />
          {sent.value !== null
            ? common.sending(formatPercent(sent.value))
            : error
              ? common.unreachable
              : enrolment.working}
        </span>
      );
    case 'enrolled':
      return (
        <div class="stack tight small">
          <Tag tone={facesIn(enrolee) > 1 ? 'warn' : 'good'}>{enrolment.enrolled}</Tag>
          {formerName && <span>{`${formerName} → ${enrolee.userName}`}</span>}
          {taken && (
            <span class={taken.found > 1 ? '' : 'muted'}>
              {face ? enrolment.chosenFace : enrolment.taken(taken.found)}
            </span>
          )}
          <a href={hrefOf('galleries', gallery, 'people', userId.trim())}>{enrolment.openPerson}</a>
        </div>
      );
    case 'failed':
      return (
        <div class="stack tight small grow">
          <Tag tone={edited ? 'info' : 'bad'}>{edited ? enrolment.waiting : enrolment.failed}</Tag>
          {error && !likeness && !edited && <Reason error={error} />}
        </div>
      );
  }
}

/** Of a face that is too small its size: the group says the rest. */
function Reason({ error }: { error: ApiError }) {
  const sizes = sizesIn(error);
  if (sizes) return <span>{enrolment.pixels(formatNumber(sizes.size))}</span>;
  if (error.http === 0) return <p>{common.unreachableDetail}</p>;
  return <RefusalDetail refusal={refusalText(error)} />;
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
