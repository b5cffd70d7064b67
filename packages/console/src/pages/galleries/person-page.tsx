import { type EnrolFaceRequest, isWajahError } from '@wajah/client';
import { useState } from 'preact/hooks';
import type { DescribedPerson, Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { type Picture, releasePictures } from '../../draw/picture.ts';
import { similarityWord } from '../../draw/similarity-scale.ts';
import { formatDate, formatNumber, formatSimilarity, formatTime } from '../../i18n/format.ts';
import { activity, common, enrolment, people, terms, tryIt } from '../../i18n/messages.ts';
import { refusalText } from '../../i18n/refusal-text.ts';
import { useLoad, useRequest } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { Card, Fact } from '../../ui/card.tsx';
import { Check, DaysField, Form, TextField } from '../../ui/field.tsx';
import { Button, Icon } from '../../ui/icon.tsx';
import { LooksLike, likenessIn } from '../../ui/looks-like.tsx';
import { ErrorNotice, Loading, LoadState, Notice, RefusalDetail } from '../../ui/notice.tsx';
import { PictureInput } from '../../ui/picture-input.tsx';
import { PageHeader } from '../../ui/shell.tsx';
import { ErasePeople } from './erase-people.tsx';
import { type Taken, TakenFace } from './faces.tsx';
import { PersonPictures } from './person-pictures.tsx';

interface PersonPageProps {
  readonly gallery: Gallery;
  readonly userId: string;
  /** Called after a change of the person. */
  readonly onChanged: () => void;
}

/** One person of a gallery: name, pictures, history, erasure. */
export function PersonPage({ gallery, userId, onChanged }: PersonPageProps) {
  const name = gallery.facegallery_id;
  const load = useLoad((signal) => wajah.describeFace({ facegallery_id: name, user_id: userId }, { signal }));
  const person = load.answer;
  const changed = () => {
    load.reload();
    onChanged();
  };
  return (
    <div class="stack wide">
      <a class="up" href={hrefOf('galleries', name)}>
        <Icon name="back" />
        {people.back(name)}
      </a>
      <PageHeader title={person?.user_name ?? userId} lead={userId} />
      <LoadState load={load} lines={5} />
      {person && (
        <div class="columns side">
          <div class="stack wide">
            <About person={person} />
            {person.has_crop && (
              <PersonPictures key={person.updated_at} gallery={name} person={person} onChanged={changed} />
            )}
            {gallery.require_liveness ? (
              <Notice tone="warn">{people.needsProof}</Notice>
            ) : (
              <AddPicture gallery={gallery} person={person} onAdded={changed} />
            )}
            <History person={person} />
          </div>
          <div class="stack wide">
            <Rename key={person.user_name} gallery={name} person={person} onRenamed={changed} />
            <Terms key={JSON.stringify(person.consent)} gallery={name} person={person} onChanged={changed} />
            <Erase gallery={name} person={person} onErased={onChanged} />
          </div>
        </div>
      )}
    </div>
  );
}

function About({ person }: { person: DescribedPerson }) {
  const pictures = people.picturesOf(formatNumber(person.n_picture), formatNumber(mostPictures));
  return (
    <Card title={people.about}>
      <dl class="facts">
        <Fact name={people.pictures} value={pictures} />
        <Fact name={people.enrolledAt} value={formatTime(person.created_at)} />
        <Fact name={people.changedAt} value={formatTime(person.updated_at)} />
      </dl>
    </Card>
  );
}

function Erase(props: { gallery: string; person: DescribedPerson; onErased: () => void }) {
  const { gallery, person, onErased } = props;
  const [asking, setAsking] = useState(false);
  const named = { userId: person.user_id, name: person.user_name };
  return (
    <Card title={people.eraseCard}>
      <p class="hint">{people.eraseText}</p>
      <Button look="danger" icon="trash" onClick={() => setAsking(true)}>
        {people.eraseOne(person.user_name)}
      </Button>
      {asking && (
        <ErasePeople
          gallery={gallery}
          people={[named]}
          onClose={() => setAsking(false)}
          onErased={() => {
            onErased();
            location.hash = hrefOf('galleries', gallery);
          }}
        />
      )}
    </Card>
  );
}

type Refused = DescribedPerson['refusals'][number];

/** What the server knows of a person's past: enrolment, last change, refused calls; the newest first. */
function History({ person }: { person: DescribedPerson }) {
  const entries = [
    ...person.refusals.map((call) => ({ at: call.time, what: <RefusedCall call={call} />, tone: 'warn' })),
    ...(person.updated_at === person.created_at
      ? []
      : [{ at: person.updated_at, what: <p>{people.historyChanged}</p>, tone: '' }]),
    { at: person.created_at, what: <p>{people.historyEnrolled}</p>, tone: 'good' },
  ].sort((a, b) => b.at.localeCompare(a.at));
  return (
    <Card title={people.history}>
      <ol class="history">
        {entries.map(({ at, what, tone }, index) => (
          <li key={index} class={tone}>
            <time class="hint numbers" dateTime={at}>
              {formatTime(at)}
            </time>
            <div>{what}</div>
          </li>
        ))}
      </ol>
      <p class="hint">{people.historyHint}</p>
    </Card>
  );
}

function RefusedCall({ call }: { call: Refused }) {
  const { status, status_message: message, detail = '', similarity, trx_id: trxId } = call;
  const refusal = refusalText({ status, message, detail, answer: call });
  return (
    <>
      <p>
        <strong>{status === '200' ? activity.notAccepted : `${status} · ${refusal.title}`}</strong>{' '}
        <span class="muted small">{call.route.split('/').at(-1)}</span>
      </p>
      {similarity === undefined ? (
        <div class="small stack tight">
          <RefusalDetail refusal={refusal} />
        </div>
      ) : (
        <p class="small">
          {people.similarity} {formatSimilarity(similarity)}
        </p>
      )}
      <p class="trx mono muted">{trxId}</p>
    </>
  );
}

/** Changes the name of a person. */
function Rename(props: { gallery: string; person: DescribedPerson; onRenamed: () => void }) {
  const { gallery, person, onRenamed } = props;
  const [name, setName] = useState(person.user_name);
  const fields = { facegallery_id: gallery, user_id: person.user_id, user_name: name };
  return (
    <Card title={people.rename}>
      <Form
        submit={common.save}
        disabled={name.trim() === '' || name.trim() === person.user_name}
        send={() => wajah.updateFace(fields)}
        onAnswer={onRenamed}
      >
        <TextField label={people.newName} value={name} onInput={setName} />
      </Form>
    </Card>
  );
}

/** Pictures that a person may be enrolled with: the server's limit. */
const mostPictures = 50;

/** Adds a picture to those of a person, or replaces them by it. */
function AddPicture({
  gallery,
  person,
  onAdded,
}: {
  gallery: Gallery;
  person: DescribedPerson;
  onAdded: () => void;
}) {
  const full = person.n_picture >= mostPictures;
  const [chosen, setChosen] = useState(false);
  const addition = useAddition(gallery.facegallery_id, person, onAdded);
  const replace = chosen || full;
  return (
    <Card title={people.add}>
      <p class="hint">{people.addHint}</p>
      {full && <Notice>{people.addFull}</Notice>}
      <Check label={people.replaceAll} checked={replace} disabled={full} onChange={setChosen} />
      <PictureInput
        paste
        compact
        label={people.add}
        onPictures={([picture]) => picture && void addition.add(picture, { replace })}
      />
      <p class="hint">{enrolment.size(formatNumber(gallery.minimum_face))}</p>
      <AdditionResult gallery={gallery.facegallery_id} addition={addition} replace={replace} />
    </Card>
  );
}

function AdditionResult(props: {
  gallery: string;
  addition: ReturnType<typeof useAddition>;
  replace: boolean;
}) {
  const { gallery, replace } = props;
  const { picture, outcome, busy, error, add, addTo } = props.addition;
  if (!picture) return null;
  const likeness = error && likenessIn(error);
  return (
    <div class="addition">
      <TakenFace picture={picture} taken={error ? undefined : outcome?.taken} />
      <div class="stack" aria-live="polite">
        {busy && <Loading text={people.comparing} />}
        {error && !likeness && <ErrorNotice error={error} onRetry={() => void add(picture, { replace })} />}
        {likeness && (
          <LooksLike
            key={likeness.userId}
            gallery={gallery}
            picture={picture}
            likeness={likeness}
            onSame={(userId, userName) => void addTo(picture, userId, userName)}
            onDifferent={() => void add(picture, { replace, compare: false, unique: false })}
          />
        )}
        {!error && outcome && (
          <Outcome outcome={outcome} onAnyway={() => void add(picture, { replace, compare: false })} />
        )}
      </div>
    </div>
  );
}

function Outcome({ outcome, onAnyway }: { outcome: Outcome; onAnyway: () => void }) {
  const { taken, compared, to } = outcome;
  if (taken) {
    return (
      <Notice tone="good">
        <p>{people.addedTo(to)}</p>
        {compared && <p>{people.added(formatSimilarity(compared.similarity))}</p>}
        <p>{enrolment.taken(taken.found)}</p>
      </Notice>
    );
  }
  return compared ? (
    <Notice tone="warn">
      <p>{doubt(compared)}</p>
      <p>
        <Button onClick={onAnyway}>{people.addAnyway}</Button>
      </p>
    </Notice>
  ) : null;
}

/** @example 'Not added. Unsure: similarity 0.5312, threshold 0.6250.' */
function doubt({ similarity, threshold }: NonNullable<Outcome['compared']>): string {
  const word = tryIt[similarityWord(similarity, threshold)];
  return people.doubtful(word, formatSimilarity(similarity), formatSimilarity(threshold));
}

/** What became of a picture. */
interface Outcome {
  /** Undefined: it was not added, since the face may be of somebody else. */
  readonly taken: Taken | undefined;
  /** With the pictures before; undefined: not compared. */
  readonly compared: { readonly similarity: number; readonly threshold: number } | undefined;
  /** Name of the person whose picture it is now. */
  readonly to: string;
}

const comparison = (similarity?: number, threshold?: number): Outcome['compared'] =>
  similarity === undefined || threshold === undefined ? undefined : { similarity, threshold };

interface Addition {
  /** In place of all pictures, with which it is not compared then. */
  readonly replace: boolean;
  /** Without it the picture is added whomever it shows. */
  readonly compare?: boolean;
  /** Without it the picture is added whomever else it looks like. */
  readonly unique?: boolean;
}

/** Adds a picture to a person, where the server compares it with those before, or puts it in place of all. */
function useAddition(gallery: string, person: DescribedPerson, onAdded: () => void) {
  const [picture, setPicture] = useState<Picture>();
  const call = useRequest<Outcome>();
  const { user_id, user_name } = person;

  async function enrol(
    fields: Pick<
      EnrolFaceRequest,
      'user_id' | 'user_name' | 'image' | 'append' | 'replace' | 'force_register'
    >,
    check_duplicate: boolean,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const request = { facegallery_id: gallery, ...fields, check_duplicate, details: true };
    const to = fields.user_name;
    try {
      const { face, found, similarity, threshold } = await wajah.enrolFace(request, { signal });
      const taken = { box: face!.box, found: found! };
      return { taken, compared: comparison(similarity, threshold), to };
    } catch (error) {
      if (!isWajahError(error) || error.status !== '411') throw error;
      const { similarity, threshold } = error.answer;
      return { taken: undefined, compared: comparison(similarity, threshold), to };
    }
  }
  async function add(next: Picture, { replace, compare = !replace, unique = true }: Addition): Promise<void> {
    if (picture && picture !== next) releasePictures([picture]);
    setPicture(next);
    const way = replace ? { replace } : { append: true, force_register: !compare };
    const fields = { user_id, user_name, image: next.blob, ...way };
    const done = await call.run((signal) => enrol(fields, unique, signal));
    if (done?.taken) onAdded();
  }
  /** Adds a picture to those of somebody else. */
  async function addTo(next: Picture, userId: string, userName: string): Promise<void> {
    const theirs = { user_id: userId, user_name: userName, image: next.blob, append: true };
    await call.run((signal) => enrol(theirs, false, signal));
  }
  const { busy, error } = call;
  return {
    picture,
    outcome: busy ? undefined : call.answer,
    busy,
    error: busy ? undefined : error,
    add,
    addTo,
  };
}

interface TermsProps {
  readonly gallery: string;
  readonly person: DescribedPerson;
  readonly onChanged: () => void;
}

/** Consent, end of storage and suspension of a person. */
function Terms(props: TermsProps) {
  const { consent, expires_at: expires, suspended_at: suspended } = props.person;
  return (
    <Card title={terms.title}>
      {suspended !== null && <Notice tone="warn">{terms.suspendedSince(formatTime(suspended))}</Notice>}
      <dl class="facts">
        <Fact
          name={terms.consent}
          value={consent ? terms.consentText(consent.reference, formatDate(consent.given_at)) : terms.none}
        />
        {consent?.purpose && <Fact name={terms.purpose} value={consent.purpose} />}
        <Fact name={terms.expires} value={expires === null ? terms.never : formatTime(expires)} />
      </dl>
      <TermsForm {...props} />
      <Suspension {...props} />
    </Card>
  );
}

function TermsForm({ gallery, person, onChanged }: TermsProps) {
  const [reference, setReference] = useState('');
  const [purpose, setPurpose] = useState('');
  const [days, setDays] = useState('');
  const consent = reference.trim() === '' ? {} : { consent_reference: reference, consent_purpose: purpose };
  const retention = days === '' ? {} : { retention_days: Number(days) };
  const of = { facegallery_id: gallery, user_id: person.user_id };
  return (
    <Form
      submit={common.save}
      disabled={reference.trim() === '' && days === ''}
      send={() => wajah.updatePerson({ ...of, ...consent, ...retention })}
      onAnswer={onChanged}
    >
      <TextField
        label={terms.reference}
        hint={terms.referenceHint}
        value={reference}
        onInput={setReference}
        optional
      />
      <TextField label={terms.purpose} value={purpose} onInput={setPurpose} optional />
      <DaysField label={terms.days} hint={terms.daysHint} value={days} onInput={setDays} />
    </Form>
  );
}

function Suspension({ gallery, person, onChanged }: TermsProps) {
  const of = { facegallery_id: gallery, user_id: person.user_id };
  const suspended = person.suspended_at !== null;
  return (
    <Form
      submit={suspended ? terms.resume : terms.suspend}
      send={() => (suspended ? wajah.resumePerson(of) : wajah.suspendPerson(of))}
      onAnswer={onChanged}
    >
      <p class="hint">{terms.suspendHint}</p>
    </Form>
  );
}
