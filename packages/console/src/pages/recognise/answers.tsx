import { type EnrolFaceRequest, isWajahError } from '@wajah/client';
import { useId, useState } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { sent, wajah } from '../../api/wajah.ts';
import { croppedPicture, type Picture, releasePictures } from '../../draw/picture.ts';
import { type SimilarityWord, similarityWord } from '../../draw/similarity-scale.ts';
import { userIdOf } from '../../draw/user-id.ts';
import { formatPercent, formatSimilarity } from '../../i18n/format.ts';
import { common, recognise, tryIt } from '../../i18n/messages.ts';
import type { ApiError } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { CallView } from '../../ui/code.tsx';
import { Form, TextField } from '../../ui/field.tsx';
import { Button, IconButton, Tag } from '../../ui/icon.tsx';
import { likenessRemedy } from '../../ui/looks-like.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../ui/notice.tsx';
import { PersonFace } from '../../ui/person-face.tsx';
import { FaceThumbnail } from '../../ui/picture-input.tsx';
import { useInView } from '../../ui/shell.tsx';
import { fmrText, Rate, SimilarityResult } from '../../ui/similarity.tsx';
import { identifiedAt, type Recognition, type SearchedFace, type Verification } from './looks.ts';

interface RecognitionViewProps {
  readonly picture: Picture;
  readonly busy: boolean;
  readonly recognition: Recognition | undefined;
  readonly error: ApiError | undefined;
  readonly gallery: Gallery;
  /** Somebody of the picture was enrolled. */
  readonly onEnrolled: () => void;
  readonly onRetry: () => void;
}

/** The picture with the names of its faces, and the candidates of each. */
export function RecognitionView(props: RecognitionViewProps) {
  const { picture, busy, recognition, error, gallery, onEnrolled, onRetry } = props;
  const [moved, setMoved] = useState<{ of: Recognition; threshold: number }>();
  const [chosen, choose] = useState(0);
  const threshold = (moved?.of === recognition ? moved?.threshold : undefined) ?? recognition?.threshold ?? 1;
  return (
    <div class="look" ref={useInView(picture)}>
      <div class="sight">
        {' '}
        <FaceMarks
          picture={picture}
          faces={recognition?.faces ?? []}
          threshold={threshold}
          chosen={chosen}
          onChoose={choose}
        />
      </div>
      <div class="stack">
        <div aria-live="polite">
          {busy && <Loading text={sendingText(recognise.searching)} />}
          {error && <ErrorNotice error={error} onRetry={onRetry} />}
          {recognition && <Summary recognition={recognition} threshold={threshold} onRetry={onRetry} />}
        </div>
        {recognition && (
          <>
            {recognition.faces.map((face, index) => (
              <FaceCard
                key={index}
                number={index + 1}
                face={face}
                picture={picture}
                threshold={threshold}
                chosen={index === chosen}
                onChoose={() => choose(index)}
                among={recognition.faces.length}
                gallery={gallery}
                onEnrolled={onEnrolled}
              />
            ))}
            <ThresholdControl
              threshold={threshold}
              inForce={recognition.threshold}
              hint={recognise.thresholdHint}
              onMove={(value) => setMoved({ of: recognition, threshold: value })}
            />
            <details class="card">
              <summary>{recognise.call}</summary>
              <CallView call={recognition.call} />
            </details>
          </>
        )}
      </div>
    </div>
  );
}

/** @example 'Ani and Budi. 2 of 3 faces are identified.' */
function Summary(props: { recognition: Recognition; threshold: number; onRetry: () => void }) {
  const { recognition, threshold, onRetry } = props;
  const { faces, found } = recognition;
  const names = faces.flatMap((face) => identifiedAt(face, threshold)?.user_name ?? []);
  return (
    <div class="stack tight">
      <div class="title-line">
        <h2>{names.length > 0 ? names.join(', ') : recognise.nobody}</h2>
        <IconButton icon="refresh" label={recognise.again} onClick={onRetry} />
      </div>
      <p class="muted">{recognise.identified(names.length, faces.length)}</p>
      {found > faces.length && <p class="hint">{tryIt.more(faces.length, found)}</p>}
    </div>
  );
}

interface FaceCardProps {
  readonly number: number;
  readonly face: SearchedFace;
  readonly picture: Picture;
  readonly threshold: number;
  readonly chosen: boolean;
  readonly onChoose: () => void;
  /** Faces of the picture. */
  readonly among: number;
  readonly gallery: Gallery;
  readonly onEnrolled: () => void;
}

/** A face with its verdict and its candidates on the scale. */
function FaceCard(props: FaceCardProps) {
  const { number, face, picture, threshold, chosen, onChoose } = props;
  const person = identifiedAt(face, threshold);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click only highlights the face in the picture
    <article
      class={chosen ? 'card face-card chosen' : 'card face-card'}
      aria-label={tryIt.face(number)}
      onClick={onChoose}
    >
      <div class="face-head">
        <FaceThumbnail picture={picture} box={face.box} />
        <div class="stack tight">
          <h3>
            <span class="badge">{number}</span> {person?.user_name ?? recognise.unknown}
          </h3>
          <div class="row">
            <Tag tone={person ? 'good' : 'warn'}>{person ? tryIt.same : outcomeText(face)}</Tag>
            {face.mask && <Tag tone="warn">{recognise.mask}</Tag>}
            {!person && face.quality.some(({ ok }) => !ok) && <Tag tone="warn">{recognise.unclear}</Tag>}
          </div>
        </div>
      </div>
      <Candidates candidates={face.candidates} threshold={threshold} gallery={props.gallery} />
      {!person && face.outcome === 'not_identified' && <WhoIsThis {...props} />}
    </article>
  );
}

/** How much of a picture is sent; then what the server does with it. */
function sendingText(then: string): string {
  return sent.value === null || sent.value >= 1 ? then : common.sending(formatPercent(sent.value));
}

/** Enrols an unknown face of the picture by a name. */
function WhoIsThis({ face, picture, number, among, gallery, onEnrolled }: FaceCardProps) {
  const [name, setName] = useState('');
  const { facegallery_id, require_consent, require_liveness } = gallery;
  if (require_consent || require_liveness) {
    return <a href={hrefOf('galleries', facegallery_id)}>{recognise.enrolIn(facegallery_id)}</a>;
  }
  const enrol = (how: Partial<EnrolFaceRequest>) => async (signal: AbortSignal) => {
    const cut = await croppedPicture(picture, among > 1 ? face.box : undefined);
    const person = { facegallery_id, user_name: name, image: cut.blob, ...how };
    try {
      const { user_id } = person;
      return await (user_id === undefined
        ? enrolAs(person, signal)
        : wajah.enrolFace({ ...person, user_id }, { signal }));
    } finally {
      releasePictures([cut]);
    }
  };
  return (
    <div class="who">
      <Form
        submit={recognise.enrol}
        busy={recognise.enrolling}
        send={enrol({ check_duplicate: true })}
        onAnswer={onEnrolled}
        remedy={likenessRemedy({ gallery: facegallery_id, picture, box: face.box }, enrol)}
      >
        <TextField
          label={among > 1 ? recognise.whoIsFace(number) : recognise.whoIsThis}
          hint={recognise.whoHint(facegallery_id)}
          value={name}
          onInput={setName}
        />
      </Form>
    </div>
  );
}

/** Enrols under an ID made of the name; of two people of one name the second gets a number behind it. */
async function enrolAs(person: Omit<EnrolFaceRequest, 'user_id'>, signal: AbortSignal) {
  const user_id = userIdOf(person.user_name);
  try {
    return await wajah.enrolFace({ ...person, user_id }, { signal });
  } catch (error) {
    const isTaken = isWajahError(error) && error.status === '409' && !('duplicate_user_id' in error.answer);
    if (!isTaken) throw error;
    const further = `${user_id}-${Math.floor(1000 + Math.random() * 9000)}`;
    return wajah.enrolFace({ ...person, user_id: further }, { signal });
  }
}

function outcomeText({ outcome, candidates }: SearchedFace): string {
  if (outcome === 'too_small') return recognise.tooSmall;
  return candidates.length === 0 ? recognise.noCandidate : recognise.noMatch;
}

/** The one who is identified, or else the most similar one; behind a fold the others, with the false match rates of all. */
function Candidates(
  props: Pick<SearchedFace, 'candidates'> & { readonly threshold: number; readonly gallery: Gallery },
) {
  const { candidates, threshold, gallery } = props;
  const list = (shown: typeof candidates) => (
    <ol class="candidates" aria-label={recognise.candidates}>
      {shown.map((candidate) => (
        <Candidate
          key={candidate.user_id}
          candidate={candidate}
          isFirst={candidate === candidates[0]}
          threshold={threshold}
          gallery={gallery}
        />
      ))}
    </ol>
  );
  const isShown = (one: (typeof candidates)[number]) =>
    one === candidates[0] || one.confidence_level >= threshold;
  const further = candidates.filter((one) => !isShown(one));
  return (
    <>
      {candidates.length > 0 && list(candidates.filter(isShown))}
      {further.length > 0 && (
        <details>
          <summary class="small">{recognise.furtherCandidates(further.length)}</summary>
          {list(further)}
        </details>
      )}
      {candidates.length > 0 && <Rates candidates={candidates} />}
    </>
  );
}

/** Below the threshold nothing is said of whether it is the person: of many, somebody is always the most similar. */
function Candidate(props: {
  candidate: SearchedFace['candidates'][number];
  isFirst: boolean;
  threshold: number;
  gallery: Gallery;
}) {
  const { facegallery_id: gallery, keep_crops: faces } = props.gallery;
  const { user_id, user_name, confidence_level: similarity } = props.candidate;
  const reached = similarity >= props.threshold;
  const word = reached ? tryIt.same : props.isFirst && recognise.mostSimilar;
  return (
    <li class={reached ? 'candidate reached' : 'candidate'}>
      <span class="who">
        {faces && <PersonFace gallery={gallery} userId={user_id} />}
        {user_name} <span class="mono muted">{user_id}</span>
      </span>
      <span class="numbers">{formatSimilarity(similarity)}</span>
      <span class={reached ? 'bar good' : 'bar low'} aria-hidden="true">
        <span class="fill" style={{ width: `${similarity * 100}%` }} />
        <span class="mark" style={{ left: `${Math.min(1, props.threshold) * 100}%` }} />
      </span>
      {word && <span class="word">{word}</span>}
    </li>
  );
}

/** The false match rates of the candidates, folded. */
function Rates({ candidates }: Pick<SearchedFace, 'candidates'>) {
  return (
    <details>
      <summary class="small">{tryIt.rates}</summary>
      <div class="stack tight small">
        {candidates.map(({ user_id, user_name, confidence_level: similarity }) => (
          <Rate key={user_id} of={user_name} similarity={similarity} />
        ))}
      </div>
    </details>
  );
}

/** Pixels of the picture. */
interface Size {
  readonly width: number;
  readonly height: number;
  /** Those that one of the page shows. */
  readonly pixel: number;
}

/** Height of a name on the page, pixels. */
const leastText = 13;

interface FaceMarksProps {
  readonly picture: Picture;
  readonly faces: readonly SearchedFace[];
  readonly threshold: number;
  readonly chosen: number;
  readonly onChoose: (face: number) => void;
}

/** The picture with a box, a number and a name at each face. */
function FaceMarks({ picture, faces, threshold, chosen, onChoose }: FaceMarksProps) {
  const [size, setSize] = useState<Size>();
  return (
    <figure class="canvas">
      <img
        src={picture.url}
        alt={tryIt.pictureOf(picture.name, faces.length)}
        onLoad={({ currentTarget: image }) =>
          setSize({
            width: image.naturalWidth,
            height: image.naturalHeight,
            pixel: image.naturalWidth / Math.max(1, image.clientWidth),
          })
        }
      />
      {size && (
        <svg class="overlay named" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
          {faces.map((face, index) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the cards beside the picture have the same
            <g key={index} class={index === chosen ? 'face chosen' : 'face'} onClick={() => onChoose(index)}>
              <rect
                class={identifiedAt(face, threshold) ? 'box' : 'box unknown'}
                {...face.box}
                rx={face.box.width * 0.03}
              />
              <Label
                face={face}
                number={index + 1}
                name={identifiedAt(face, threshold)?.user_name}
                picture={size}
              />
            </g>
          ))}
        </svg>
      )}
    </figure>
  );
}

/** Number and name above the box; below it where there is no room. */
function Label(props: { face: SearchedFace; number: number; name: string | undefined; picture: Size }) {
  const { box } = props.face;
  const size = Math.max(box.width * 0.13, props.picture.width * 0.022, leastText * props.picture.pixel);
  const y = box.y > size * 1.4 ? box.y - size * 0.4 : box.y + box.height + size * 1.1;
  return (
    <text class={props.name === undefined ? 'unknown' : ''} x={box.x} y={y} font-size={size}>
      {props.number}
      {props.name !== undefined && ` ${props.name}`}
    </text>
  );
}

interface VerificationViewProps {
  readonly picture: Picture;
  readonly busy: boolean;
  readonly verification: Verification | undefined;
  readonly error: ApiError | undefined;
  /** undefined: nobody is chosen yet */
  readonly person: string | undefined;
  readonly onRetry: () => void;
}

/** The picture, and whether it shows the chosen person. */
export function VerificationView({
  picture,
  busy,
  verification,
  error,
  person,
  onRetry,
}: VerificationViewProps) {
  return (
    <div class="look" ref={useInView(picture)}>
      <div class="sight">
        <figure class="canvas">
          <img src={picture.url} alt={tryIt.pictureOf(picture.name, 1)} />
        </figure>
      </div>
      <div class="stack" aria-live="polite">
        {busy && <Loading text={sendingText(tryIt.comparing)} />}
        {error && <ErrorNotice error={error} onRetry={onRetry} />}
        {person === undefined && (
          <EmptyState icon="person" title={recognise.choosePerson} text={recognise.choosePersonText} />
        )}
        {verification && <Verified key={picture.url} verification={verification} onRetry={onRetry} />}
      </div>
    </div>
  );
}

/** Whether a picture shows a person, by the word for the similarity. */
const personText: Readonly<Record<SimilarityWord, (name: string) => string>> = {
  same: (name) => recognise.isSame(name),
  probably: (name) => recognise.isProbably(name),
  unsure: (name) => recognise.isUnsure(name),
  different: (name) => recognise.isDifferent(name),
};

function Verified(props: { verification: Verification; onRetry: () => void }) {
  const { answer, call } = props.verification;
  const [threshold, setThreshold] = useState(answer.threshold);
  return (
    <>
      <div class="title-line">
        <h2>{personText[similarityWord(answer.similarity, threshold)](answer.user_name)}</h2>
        <IconButton icon="refresh" label={recognise.again} onClick={props.onRetry} />
      </div>
      <SimilarityResult comparison={{ ...answer, threshold }} />
      <p class="hint">{recognise.largest}</p>
      <ThresholdControl
        threshold={threshold}
        inForce={answer.threshold}
        hint={recognise.verifyHint}
        onMove={setThreshold}
      />
      <details class="card">
        <summary>{recognise.call}</summary>
        <CallView call={call} />
      </details>
    </>
  );
}

interface ThresholdControlProps {
  readonly threshold: number;
  /** The one that the server decided with. */
  readonly inForce: number;
  /** What it is. */
  readonly hint: string;
  readonly onMove: (threshold: number) => void;
}

/** Moves the threshold on the page alone, to see what another one would decide. */
function ThresholdControl({ threshold, inForce, hint, onMove }: ThresholdControlProps) {
  const id = useId();
  const moved = threshold !== inForce;
  return (
    <div class="card">
      <div class="field">
        <div class="row between">
          <label for={id} class="label">
            {recognise.threshold}
          </label>
          <output for={id} class="numbers">
            {formatSimilarity(threshold)} <span class="muted small">{fmrText(threshold)}</span>
          </output>
        </div>
        <input
          id={id}
          type="range"
          min="0"
          max="1"
          step="0.005"
          value={threshold}
          aria-valuetext={`${formatSimilarity(threshold)}, ${fmrText(threshold)}`}
          aria-describedby={`${id}-hint`}
          onInput={(event) => onMove(event.currentTarget.valueAsNumber)}
        />
        <p class="hint" id={`${id}-hint`}>
          {moved ? recognise.thresholdMoved : hint}
        </p>
      </div>
      {moved && (
        <Button icon="refresh" onClick={() => onMove(inForce)}>
          {recognise.thresholdBack(formatSimilarity(inForce))}
        </Button>
      )}
    </div>
  );
}
