import { useId, useState } from 'preact/hooks';
import type { Picture } from '../../draw/picture.ts';
import { type SimilarityWord, similarityWord } from '../../draw/similarity-scale.ts';
import { formatSimilarity } from '../../i18n/format.ts';
import { recognise, tryIt } from '../../i18n/messages.ts';
import type { ApiError } from '../../state/request.ts';
import { CallView } from '../../ui/code.tsx';
import { Button, IconButton, Tag } from '../../ui/icon.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../ui/notice.tsx';
import { useInView } from '../../ui/shell.tsx';
import { fmrText, Rate, SimilarityResult, toneOf } from '../../ui/similarity.tsx';
import { identifiedAt, type Recognition, type SearchedFace, type Verification } from './looks.ts';

interface RecognitionViewProps {
  readonly picture: Picture;
  readonly busy: boolean;
  readonly recognition: Recognition | undefined;
  readonly error: ApiError | undefined;
  readonly onRetry: () => void;
}

/** The picture with the names of its faces, and the candidates of each. */
export function RecognitionView({ picture, busy, recognition, error, onRetry }: RecognitionViewProps) {
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
          {busy && <Loading text={recognise.searching} />}
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
              />
            ))}
            <ThresholdControl
              threshold={threshold}
              inForce={recognition.threshold}
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
}

/** A face with its verdict and its candidates on the scale. */
function FaceCard({ number, face, picture, threshold, chosen, onChoose }: FaceCardProps) {
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
          </div>
        </div>
      </div>
      {face.candidates.length > 0 && (
        <ol class="candidates" aria-label={recognise.candidates}>
          {face.candidates.map((candidate) => (
            <Candidate key={candidate.user_id} candidate={candidate} threshold={threshold} />
          ))}
        </ol>
      )}
      {face.candidates.length > 0 && <Rates candidates={face.candidates} />}
    </article>
  );
}

function outcomeText({ outcome, candidates }: SearchedFace): string {
  if (outcome === 'too_small') return recognise.tooSmall;
  return candidates.length === 0 ? recognise.noCandidate : recognise.noMatch;
}

function Candidate(props: { candidate: SearchedFace['candidates'][number]; threshold: number }) {
  const { user_id, user_name, confidence_level: similarity } = props.candidate;
  const word = similarityWord(similarity, props.threshold);
  const reached = word === 'same';
  return (
    <li class={reached ? 'candidate reached' : 'candidate'}>
      <span class="who">
        {user_name} <span class="mono muted">{user_id}</span>
      </span>
      <span class="numbers">{formatSimilarity(similarity)}</span>
      <span class={word === 'different' ? 'bar low' : `bar ${toneOf[word]}`} aria-hidden="true">
        <span class="fill" style={{ width: `${similarity * 100}%` }} />
        <span class="mark" style={{ left: `${Math.min(1, props.threshold) * 100}%` }} />
      </span>
      <span class="word">{tryIt[word]}</span>
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

/** Pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

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
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setSize({ width, height })
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
  const size = Math.max(box.width * 0.13, props.picture.width * 0.022);
  const y = box.y > size * 1.4 ? box.y - size * 0.4 : box.y + box.height + size * 1.1;
  return (
    <text class={props.name === undefined ? 'unknown' : ''} x={box.x} y={y} font-size={size}>
      {props.number}
      {props.name !== undefined && ` ${props.name}`}
    </text>
  );
}

/** The face of a box, cut out of the picture with some room around it. */
function FaceThumbnail({ picture, box }: { picture: Picture; box: SearchedFace['box'] }) {
  const side = Math.max(box.width, box.height) * 1.5;
  const left = box.x + box.width / 2 - side / 2;
  const top = box.y + box.height / 2 - side * 0.56;
  const [size, setSize] = useState<Size>();
  return (
    <span class="crop thumbnail" aria-hidden="true">
      <img
        src={picture.url}
        alt=""
        style={
          size && {
            width: `${(size.width / side) * 100}%`,
            left: `${(-left / side) * 100}%`,
            top: `${(-top / side) * 100}%`,
          }
        }
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setSize({ width, height })
        }
      />
    </span>
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
        {busy && <Loading text={tryIt.comparing} />}
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
      <ThresholdControl threshold={threshold} inForce={answer.threshold} onMove={setThreshold} />
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
  readonly onMove: (threshold: number) => void;
}

/** Moves the threshold on the page alone, to see what another one would decide. */
function ThresholdControl({ threshold, inForce, onMove }: ThresholdControlProps) {
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
          {moved ? recognise.thresholdMoved : recognise.thresholdHint}
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
