import { isWajahError } from '@wajah/client';
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
              <Notice tone="warn">{enrolment.needsProof}</Notice>
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
        onPictures={([picture]) => picture && void addition.add(picture, replace, true)}
      />
      <p class="hint">{enrolment.size(formatNumber(gallery.minimum_face))}</p>
      <AdditionResult addition={addition} replace={replace} />
    </Card>
  );
}

function AdditionResult(props: { addition: ReturnType<typeof useAddition>; replace: boolean }) {
  const { picture, outcome, busy, error, add } = props.addition;
  if (!picture) return null;
  return (
    <div class="addition">
      <TakenFace picture={picture} taken={error ? undefined : outcome?.taken} />
      <div class="stack" aria-live="polite">
        {busy && <Loading text={people.comparing} />}
        {error && <ErrorNotice error={error} onRetry={() => void add(picture, props.replace, true)} />}
        {!error && outcome?.taken && (
          <Notice tone="good">
            <p>
              {outcome.compared
                ? people.added(formatSimilarity(outcome.compared.similarity))
                : enrolment.enrolled}
            </p>
            <p>{enrolment.taken(outcome.taken.found)}</p>
          </Notice>
        )}
        {!error && outcome?.compared && !outcome.taken && (
          <Notice tone="warn">
            <p>{doubt(outcome.compared)}</p>
            <p>
              <Button onClick={() => void add(picture, props.replace, false)}>{people.addAnyway}</Button>
            </p>
          </Notice>
        )}
      </div>
    </div>
  );
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
  /** With the person before; undefined: not compared. */
  readonly compared: { readonly similarity: number; readonly threshold: number } | undefined;
}

const comparison = (similarity?: number, threshold?: number): Outcome['compared'] =>
  similarity === undefined || threshold === undefined ? undefined : { similarity, threshold };

/** Adds a picture to a person: the server compares it with those before. */
function useAddition(gallery: string, person: DescribedPerson, onAdded: () => void) {
  const [picture, setPicture] = useState<Picture>();
  const call = useRequest<Outcome>();
  const of = { facegallery_id: gallery, user_id: person.user_id };

  /** @param forced appends the picture also when the server finds that it differs from those before */
  async function enrol(
    image: Blob,
    replace: boolean,
    forced: boolean,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const way = replace ? { replace: true } : { append: true, force_register: forced };
    const fields = {
      ...of,
      user_name: person.user_name,
      image,
      check_duplicate: true,
      details: true,
      ...way,
    };
    try {
      const { face, found, similarity, threshold } = await wajah.enrolFace(fields, { signal });
      const taken = { box: face!.box, found: found! };
      return { taken, compared: comparison(similarity, threshold) };
    } catch (error) {
      if (!isWajahError(error) || error.status !== '411') throw error;
      const { similarity, threshold } = error.answer;
      return { taken: undefined, compared: comparison(similarity, threshold) };
    }
  }
  /** @param checked without it the picture is added whomever it shows */
  async function add(next: Picture, replace: boolean, checked: boolean): Promise<void> {
    if (picture && picture !== next) releasePictures([picture]);
    setPicture(next);
    const done = await call.run((signal) => enrol(next.blob, replace, !checked, signal));
    if (done?.taken) onAdded();
  }
  return { picture, outcome: call.busy ? undefined : call.answer, busy: call.busy, error: call.error, add };
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
