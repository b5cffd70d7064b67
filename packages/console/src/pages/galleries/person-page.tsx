import { type EnrolFaceAnswer, type EnrolFaceRequest, isWajahError } from '@wajah/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DescribedPerson, Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { type Picture, releasePictures } from '../../draw/picture.ts';
import { similarityWord } from '../../draw/similarity-scale.ts';
import { featurePast } from '../../features/history.ts';
import { formatDate, formatNumber, formatSimilarity, formatTime } from '../../i18n/format.ts';
import { common, enrolment, looksLike, people, recognise, terms } from '../../i18n/messages.ts';
import { type ApiError, useLoad, useRequest } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { isSampleGallery } from '../../ui/choice.tsx';
import { ConsentInput, lacksReference, newTerms, termsFields } from '../../ui/consent-input.tsx';
import { OpenButton } from '../../ui/dialog.tsx';
import { Check, CountField, Form, TextField, useFields } from '../../ui/field.tsx';
import { Button } from '../../ui/icon.tsx';
import { LooksLike, likenessIn } from '../../ui/looks-like.tsx';
import { ErrorNotice, Loading, LoadState, Notice } from '../../ui/notice.tsx';
import { PastEntry } from '../../ui/past-entry.tsx';
import { PictureInput } from '../../ui/picture-input.tsx';
import { PageHeader } from '../../ui/shell.tsx';
import { type Taken, TakenFace } from './faces.tsx';
import { ErasePeople } from './people-dialogs.tsx';
import { PersonPictures } from './person-pictures.tsx';

interface PersonPageProps {
  readonly gallery: Gallery;
  readonly userId: string;
  /** Called after a change of the person. */
  readonly onChanged: () => void;
  /** Called after the erasure, with its report. */
  readonly onErased: (report: string) => void;
}

/** One person of a gallery: name, pictures, history, erasure. */
export function PersonPage({ gallery, userId, onChanged, onErased }: PersonPageProps) {
  const name = gallery.facegallery_id;
  const load = useLoad((signal) => wajah.describeFace({ facegallery_id: name, user_id: userId }, { signal }));
  const person = load.answer;
  const changed = () => {
    load.reload();
    onChanged();
  };
  return (
    <div class="stack wide">
      <PageHeader
        title={person?.user_name ?? userId}
        heading={person && <Name gallery={name} person={person} onRenamed={changed} />}
        lead={userId}
        back={[people.back(name), hrefOf('galleries', name)]}
      />
      <LoadState load={load} lines={5} />
      {person && (
        <div class="columns">
          <div class="stack wide">
            <About person={person} />
            {person.has_crop && (
              <PersonPictures key={person.updated_at} gallery={name} person={person} onChanged={changed} />
            )}
            {isSampleGallery(name) || gallery.require_liveness ? (
              <Notice>{isSampleGallery(name) ? enrolment.drawnOnly : people.needsProof}</Notice>
            ) : (
              <AddPicture gallery={gallery} person={person} onAdded={changed} />
            )}
            <History gallery={gallery.facegallery_id} person={person} />
          </div>
          <div class="stack wide">
            <Terms key={JSON.stringify(person.consent)} gallery={name} person={person} onChanged={changed} />
            <Erase gallery={name} person={person} onErased={onErased} />
          </div>
        </div>
      )}
    </div>
  );
}

/** What is said where the person of the page was erased meanwhile, in another tab or by somebody else. */
const ifErased = ({ status }: ApiError) =>
  status === '415' ? (
    <Notice tone="warn" alert>
      {people.erasedMeanwhile}
    </Notice>
  ) : undefined;

function About({ person }: { person: DescribedPerson }) {
  const pictures = people.picturesOf(formatNumber(person.n_picture), formatNumber(mostPictures));
  return (
    <Card title={people.about}>
      <Facts
        of={[
          [people.pictures, pictures],
          [people.enrolledAt, formatTime(person.created_at)],
          [people.changedAt, formatTime(person.updated_at)],
        ]}
      />
    </Card>
  );
}

function Erase(props: Pick<PersonPageProps, 'onErased'> & { gallery: string; person: DescribedPerson }) {
  const { gallery, person, onErased } = props;
  return (
    <Card title={people.eraseCard} hint={people.eraseText}>
      <OpenButton look="danger" icon="trash" text={people.eraseOne(person.user_name)}>
        {(close) => (
          <ErasePeople
            gallery={gallery}
            people={[{ userId: person.user_id, name: person.user_name }]}
            onClose={close}
            onDone={(report) => {
              onErased(report);
              location.hash = hrefOf('galleries', gallery);
            }}
          />
        )}
      </OpenButton>
    </Card>
  );
}

/** What the server knows of a person's past: enrolment, last change, what features know; the newest first. */
function History({ gallery, person }: { gallery: string; person: DescribedPerson }) {
  const { user_id, created_at: created, updated_at: updated } = person;
  const who = { user_id, facegallery_id: gallery };
  const past = useLoad(
    async (signal) => (await Promise.all(featurePast.map((read) => read(who, signal)))).flat(),
    JSON.stringify([gallery, person]),
  );
  const entries = [
    ...(past.answer ?? []).map(({ time, entry }) => [time, entry] as const),
    ...(updated === created
      ? []
      : [[updated, <PastEntry title={people.historyChanged} time={updated} />] as const]),
    [created, <PastEntry title={people.enrolledAt} time={created} tone="good" />] as const,
  ].sort(([a], [b]) => b.localeCompare(a));
  return (
    <Card title={people.history}>
      {past.error && <ErrorNotice error={past.error} onRetry={past.reload} />}
      <ol class="stack history">{entries.map(([, entry]) => entry)}</ol>
      <p class="hint">{people.historyHint}</p>
    </Card>
  );
}

/** The name of a person, which is changed where it stands. Escape leaves it as it is. */
function Name(props: { gallery: string; person: DescribedPerson; onRenamed: () => void }) {
  const { user_id, user_name: name } = props.person;
  const [typed, setTyped] = useState<string>();
  const place = useRef<HTMLDivElement>(null);
  const isTyped = typed !== undefined;
  const before = useRef(isTyped);
  useEffect(() => {
    if (before.current !== isTyped)
      place.current?.querySelector<HTMLElement>(isTyped ? 'input' : 'button')?.focus();
    before.current = isTyped;
  }, [isTyped]);
  const close = () => setTyped(undefined);
  const user_name = (typed ?? '').trim();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is of the field in it
    <div ref={place} class="row" onKeyDown={(event) => event.key === 'Escape' && close()}>
      <h1 class={isTyped ? 'visually-hidden' : ''}>{name}</h1>
      {!isTyped && (
        <Button look="plain" aria-label={people.renameOf(name)} onClick={() => setTyped(name)}>
          {people.rename}
        </Button>
      )}
      {isTyped && (
        <Form
          submit={common.save}
          disabled={user_name === '' || user_name === name}
          send={() => wajah.updateFace({ facegallery_id: props.gallery, user_id, user_name })}
          onAnswer={() => {
            close();
            props.onRenamed();
          }}
          onCancel={close}
          remedy={ifErased}
        >
          <TextField label={people.newName} value={typed} onInput={setTyped} />
        </Form>
      )}
    </div>
  );
}

/** Pictures that a person may be enrolled with: the server's limit. */
const mostPictures = 50;

/** Adds a picture to those of a person, with which the server compares it, or puts it in place of all. */
function AddPicture(props: { gallery: Gallery; person: DescribedPerson; onAdded: () => void }) {
  const { gallery, person, onAdded } = props;
  const full = person.n_picture >= mostPictures;
  const [chosen, setChosen] = useState(false);
  const [picture, setPicture] = useState<Picture>();
  const call = useRequest<Addition>();
  const replace = chosen || full;
  async function add(next: Picture, more?: Partial<EnrolFaceRequest>): Promise<void> {
    setPicture(next);
    const { user_id, user_name } = person;
    const fields = { facegallery_id: gallery.facegallery_id, user_id, user_name, image: next.blob };
    const how = { check_duplicate: true, if_exists: replace ? 'replace_same' : 'append', ...more } as const;
    const request = { ...fields, ...how, details: true };
    const done = await call.run((signal) => enrol(request, signal));
    if (!done?.taken) return;
    setChosen(false);
    if (done.to === user_name) onAdded();
  }
  return (
    <Card title={people.add} hint={people.addHint}>
      {full && <Notice>{people.addFull}</Notice>}
      <Check label={people.replaceAll} checked={replace} disabled={full} onChange={setChosen} />
      <PictureInput
        paste
        compact
        label={people.add}
        onTake={() => {
          call.clear();
          if (picture) releasePictures([picture]);
          setPicture(undefined);
        }}
        onPictures={([taken]) => taken && void add(taken)}
      />
      <p class="hint">{enrolment.size(formatNumber(gallery.minimum_face))}</p>
      {picture && (
        <AdditionResult
          gallery={gallery.facegallery_id}
          name={person.user_name}
          picture={picture}
          call={call}
          adds={!replace}
          onAgain={(more) => void add(picture, more)}
        />
      )}
    </Card>
  );
}

/** What became of a picture. */
interface Addition {
  /** Undefined: it was not added, since the face may be of somebody else. */
  readonly taken: Taken | undefined;
  /** With the pictures before; undefined: not compared, or they are replaced. */
  readonly similarity: number | undefined;
  readonly threshold: number | undefined;
  /** Name of the person whose picture it is now. */
  readonly to: string;
  /** The person had it already. */
  readonly before?: boolean | undefined;
}

/** That the face is another one is an answer, too: it was compared, and the picture was not taken. */
async function enrol(request: EnrolFaceRequest, signal: AbortSignal): Promise<Addition> {
  const to = request.user_name;
  try {
    // Who was erased meanwhile does not come back as a new person.
    const { facegallery_id, user_id } = request;
    await wajah.describeFace({ facegallery_id, user_id }, { signal });
    const added = await wajah.enrolFace(request, { signal });
    const taken = { box: added.face!.box, found: added.found! };
    const similarity = request.if_exists === 'append' ? added.similarity : undefined;
    return { taken, similarity, threshold: added.threshold, to, before: added.same_picture };
  } catch (error) {
    if (!isWajahError(error) || (error.status !== '411' && error.error !== 'userEnrolled')) throw error;
    const { similarity, threshold } = error.answer as EnrolFaceAnswer;
    return { taken: undefined, similarity, threshold, to };
  }
}

function AdditionResult(props: {
  gallery: string;
  /** Of the person. */
  name: string;
  picture: Picture;
  call: Pick<ReturnType<typeof useRequest<Addition>>, 'busy' | 'answer' | 'error'>;
  /** It is one more, and replaces none. */
  adds: boolean;
  /** Sends the picture again, with other fields. */
  onAgain: (more?: Partial<EnrolFaceRequest>) => void;
}) {
  const { gallery, name, picture, call, adds, onAgain } = props;
  const { busy } = call;
  const [answer, error] = busy ? [] : [call.error ? undefined : call.answer, call.error];
  const likeness = error && likenessIn(error);
  const anyway = adds ? ({ force_register: true } as const) : ({ if_exists: 'replace' } as const);
  return (
    <div class="addition">
      <TakenFace picture={picture} taken={answer?.taken} />
      <div class="stack" aria-live="polite">
        {busy && <Loading text={people.comparing} />}
        {error && !likeness && (ifErased(error) ?? <ErrorNotice error={error} onRetry={() => onAgain()} />)}
        {likeness && (
          <LooksLike
            key={likeness.userId}
            gallery={gallery}
            picture={picture}
            likeness={likeness}
            different={() => (adds ? looksLike.addTo : looksLike.replaceOf)(name)}
            onSame={(user_id, user_name) =>
              onAgain({ user_id, user_name, if_exists: 'append', check_duplicate: false })
            }
            onDifferent={() => onAgain({ ...anyway, check_duplicate: false })}
          />
        )}
        {answer && <Added answer={answer} adds={adds} onAnyway={() => onAgain(anyway)} />}
      </div>
    </div>
  );
}

function Added({ answer, adds, onAnyway }: { answer: Addition; adds: boolean; onAnyway: () => void }) {
  const { taken, similarity, threshold = 1, to } = answer;
  if (taken) {
    return (
      <Notice tone="good">
        <p>{people.addedTo(to)}</p>
        {similarity !== undefined && (
          <p>{answer.before ? people.addedBefore : people.added(formatSimilarity(similarity))}</p>
        )}
        <p>{enrolment.taken(taken.found)}</p>
      </Notice>
    );
  }
  if (similarity === undefined) return null;
  const word = recognise[similarityWord(similarity, threshold)];
  return (
    <Notice tone="warn">
      <p>{people.doubtful(word, formatSimilarity(similarity), formatSimilarity(threshold))}</p>
      <p>
        <Button onClick={onAnyway}>{adds ? people.addAnyway : people.replaceAnyway}</Button>
      </p>
    </Notice>
  );
}

interface TermsProps {
  readonly gallery: string;
  readonly person: DescribedPerson;
  readonly onChanged: () => void;
}

/** Consent, end of storage and suspension of a person. */
function Terms({ gallery, person, onChanged }: TermsProps) {
  const { consent, expires_at: expires, suspended_at: suspended } = person;
  const of = { facegallery_id: gallery, user_id: person.user_id };
  const { values, field } = useFields(newTerms());
  const changes = termsFields(values);
  return (
    <Card title={terms.title}>
      {suspended !== null && <Notice tone="warn">{terms.suspendedSince(formatTime(suspended))}</Notice>}
      <Facts
        of={[
          [
            terms.consent,
            consent ? terms.consentText(consent.reference, formatDate(consent.given_at)) : terms.none,
          ],
          [terms.purpose, consent?.purpose || undefined],
          [terms.expires, expires === null ? terms.never : formatTime(expires)],
        ]}
      />
      <Form
        submit={common.save}
        disabled={Object.keys(changes).length === 0 && !lacksReference(values)}
        send={() => wajah.updatePerson({ ...of, ...changes })}
        onAnswer={onChanged}
        remedy={ifErased}
      >
        <ConsentInput field={field} optional />
        <CountField label={terms.days} hint={terms.daysHint} {...field('days')} />
      </Form>
      <Form
        submit={suspended === null ? terms.suspend : terms.resume}
        send={() => (suspended === null ? wajah.suspendPerson(of) : wajah.resumePerson(of))}
        onAnswer={onChanged}
        remedy={ifErased}
      >
        <p class="hint">{terms.suspendHint}</p>
      </Form>
    </Card>
  );
}
