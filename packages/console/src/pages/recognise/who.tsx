import { calls, type EnrolFaceRequest, type IdentifyFaceAnswer, isWajahError } from '@wajah/client';
import { useState } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { croppedPicture, type Picture, releasePictures } from '../../draw/picture.ts';
import { userIdOf } from '../../draw/user-id.ts';
import { formatSimilarity } from '../../i18n/format.ts';
import { common, messageFor, recognise } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { Bar } from '../../ui/card.tsx';
import { isSampleGallery } from '../../ui/choice.tsx';
import { Form, TextField } from '../../ui/field.tsx';
import { Tag } from '../../ui/icon.tsx';
import { likenessRemedy } from '../../ui/looks-like.tsx';
import { PersonFace } from '../../ui/person-face.tsx';
import { FaceThumbnail } from '../../ui/picture-input.tsx';
import { PictureView } from '../../ui/picture-view.tsx';
import { Rate } from '../../ui/similarity.tsx';
import { AnswerView, ThresholdControl, TitleLine } from './answer.tsx';
import { type Answered, useLook } from './looks.ts';

type SearchedFace = NonNullable<IdentifyFaceAnswer['faces']>[number];

/** The faces of a picture with their candidates. */
interface Recognition {
  /** The largest first; candidates at any similarity, best first. */
  readonly faces: readonly SearchedFace[];
  /** Faces of the picture, also those beyond the limit of a call. */
  readonly found: number;
  /** Similarity that identified faces reach by the server's decision. */
  readonly threshold: number;
}

/** Faces of one call at most, and candidates of each. */
const limits = { faces: 20, top_k: 5, below_threshold: true } as const;

/**
 * Searches a gallery for each face of a picture, in one call: the server's decision, with the candidates below it.
 * @throws WajahError but 411, which says that nobody reaches the threshold
 */
async function search(
  gallery: string,
  picture: Picture,
  signal: AbortSignal,
): Promise<Answered<Recognition>> {
  const fields = { facegallery_id: gallery, ...limits, image: picture };
  const answer = await wajah.identifyFace({ ...fields, image: picture.blob }, { signal }).catch(asMiss);
  const faces = (answer.faces ?? []).map((face) => ({
    ...face,
    candidates: [...face.candidates, ...(face.below ?? [])],
  }));
  const { found = faces.length, threshold = 1 } = answer;
  return {
    answer: { faces, found, threshold },
    call: { path: calls.identifyFace.path, fields, answer },
  };
}

/** The answer of a 411. */
function asMiss(error: unknown): IdentifyFaceAnswer {
  if (isWajahError(error) && error.status === '411') return error.answer as unknown as IdentifyFaceAnswer;
  throw error;
}

/** The best candidate of a face at a threshold; undefined when the face is not identified at it. */
function identifiedAt({ candidates }: SearchedFace, threshold: number) {
  const [best] = candidates;
  return best && best.confidence_level >= threshold ? best : undefined;
}

/** The picture with the names of its faces, and the candidates of each. */
export function Who({ gallery, onEnrolled }: { gallery: Gallery; onEnrolled: () => void }) {
  const name = gallery.facegallery_id;
  const looked = useLook(`who ${name}`, (picture, signal) => search(name, picture, signal));
  const { picture, again } = looked;
  const recognition = looked.answered?.answer;
  const [moved, setMoved] = useState<{ of: Recognition; threshold: number }>();
  const [chosen, choose] = useState(0);
  const threshold = (moved?.of === recognition ? moved?.threshold : undefined) ?? recognition?.threshold ?? 1;
  const enrolled = () => {
    onEnrolled();
    again();
  };
  if (!picture) return null;
  const shared = { picture, threshold, gallery, onEnrolled: enrolled };
  return (
    <AnswerView
      looked={looked}
      busyText={recognise.searching}
      sight={<NamedFaces {...shared} faces={recognition?.faces ?? []} chosen={chosen} onChoose={choose} />}
      summary={(answer) => <Summary recognition={answer} threshold={threshold} onAgain={again} />}
    >
      {(answer) => (
        <>
          {answer.faces.map((face, index) => (
            <FaceCard
              key={index}
              {...shared}
              number={index + 1}
              face={face}
              chosen={index === chosen}
              onChoose={() => choose(index)}
              among={answer.faces.length}
              strangers={answer.faces.filter((one) => !identifiedAt(one, threshold)).length}
            />
          ))}
          <ThresholdControl
            threshold={threshold}
            inForce={answer.threshold}
            hint={recognise.thresholdHint}
            onMove={(value) => setMoved({ of: answer, threshold: value })}
          />
        </>
      )}
    </AnswerView>
  );
}

/** @example 'Ani and Budi. 2 of 3 faces are identified.' */
function Summary(props: { recognition: Recognition; threshold: number; onAgain: () => void }) {
  const { faces, found } = props.recognition;
  const names = faces.flatMap((face) => identifiedAt(face, props.threshold)?.user_name ?? []);
  return (
    <div class="stack tight">
      <TitleLine title={names.length > 0 ? names.join(', ') : recognise.nobody} onAgain={props.onAgain} />
      <p class="muted">{recognise.identified(names.length, faces.length)}</p>
      {found > faces.length && <p class="hint">{recognise.more(faces.length, found)}</p>}
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
  /** Those of them that are not identified. */
  readonly strangers: number;
  readonly gallery: Gallery;
  readonly onEnrolled: () => void;
}

/** A face with its verdict and its candidates. */
function FaceCard(props: FaceCardProps) {
  const { number, face, picture, threshold, chosen, onChoose } = props;
  const { facegallery_id: gallery } = props.gallery;
  const person = identifiedAt(face, threshold);
  const failed = face.quality.flatMap(({ rule, ok }) =>
    ok ? [] : (messageFor(recognise, `rule_${rule}`) ?? rule),
  );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click only highlights the face in the picture
    <article
      class={chosen ? 'card face-card chosen' : 'card face-card'}
      aria-label={common.face(number)}
      onClick={onChoose}
    >
      <div class="before">
        <FaceThumbnail picture={picture} box={face.box} />
        <div class="stack tight">
          <h3>
            <span class="badge">{number}</span>{' '}
            {person ? <PersonLink gallery={gallery} of={person} /> : recognise.unknown}
          </h3>
          <div class="row">
            <Tag tone={person ? 'good' : 'warn'}>{person ? recognise.same : outcomeText(face)}</Tag>
            {face.mask && <Tag tone="warn">{common.mask}</Tag>}
            {!person && failed.length > 0 && (
              <Tag tone="warn">{`${recognise.unclear}: ${failed.join(', ')}`}</Tag>
            )}
          </div>
        </div>
      </div>
      <Candidates candidates={face.candidates} threshold={threshold} gallery={props.gallery} />
      {!person && face.outcome === 'not_identified' && <WhoIsThis {...props} />}
    </article>
  );
}

function PersonLink({ gallery, of }: { gallery: string; of: SearchedFace['candidates'][number] }) {
  return <a href={hrefOf('galleries', gallery, 'people', of.user_id)}>{of.user_name}</a>;
}

function outcomeText({ outcome, candidates }: SearchedFace): string {
  if (outcome === 'too_small') return recognise.tooSmall;
  if (outcome === 'unclear') return recognise.unclear;
  return candidates.length === 0 ? recognise.noCandidate : recognise.noMatch;
}

/** Enrols an unknown face of the picture by a name; not among the drawn people. */
function WhoIsThis({ face, picture, number, among, strangers, gallery, onEnrolled }: FaceCardProps) {
  const [name, setName] = useState('');
  const { facegallery_id, require_consent, require_liveness } = gallery;
  if (isSampleGallery(facegallery_id)) return <p class="hint">{recognise.drawnOnly}</p>;
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
  const question = among > 1 ? recognise.whoIsFace(number) : recognise.whoIsThis;
  const form = (
    <Form
      submit={recognise.enrol}
      busy={recognise.enrolling}
      send={enrol({ check_duplicate: true })}
      onAnswer={onEnrolled}
      remedy={likenessRemedy({ gallery: facegallery_id, picture, box: face.box }, enrol)}
    >
      <TextField label={question} hint={recognise.whoHint(facegallery_id)} value={name} onInput={setName} />
    </Form>
  );
  if (strangers === 1) return <div class="who">{form}</div>;
  // Of several strangers seldom all are enrolled.
  return (
    <details class="who">
      <summary class="small">{question}</summary>
      {form}
    </details>
  );
}

/** Enrols under an ID made of the name; of two people of one name the second gets a number behind it. */
async function enrolAs(person: Omit<EnrolFaceRequest, 'user_id'>, signal: AbortSignal) {
  const user_id = userIdOf(person.user_name);
  try {
    return await wajah.enrolFace({ ...person, user_id }, { signal });
  } catch (error) {
    const isTaken = isWajahError(error) && ['userEnrolled', 'userSuspended'].includes(error.error ?? '');
    if (!isTaken) throw error;
    const further = `${user_id}-${Math.floor(1000 + Math.random() * 9000)}`;
    return wajah.enrolFace({ ...person, user_id: further }, { signal });
  }
}

/** The one who is identified, or else the most similar one; behind a fold the others, with the false match rates of all. */
function Candidates(
  props: Pick<SearchedFace, 'candidates'> & { readonly threshold: number; readonly gallery: Gallery },
) {
  const { candidates, threshold, gallery } = props;
  if (candidates.length === 0) return null;
  const list = (shown: typeof candidates) => (
    <ol class="stack tight candidates" aria-label={recognise.candidates}>
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
      {list(candidates.filter(isShown))}
      {further.length > 0 && (
        <details>
          <summary class="small">{recognise.furtherCandidates(further.length)}</summary>
          {list(further)}
        </details>
      )}
      <details>
        <summary class="small">{recognise.rates}</summary>
        <div class="stack tight small">
          {candidates.map(({ user_id, user_name, confidence_level: similarity }) => (
            <Rate key={user_id} of={user_name} similarity={similarity} />
          ))}
        </div>
      </details>
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
  const { user_id, confidence_level: similarity } = props.candidate;
  const reached = similarity >= props.threshold;
  const word = reached ? recognise.same : props.isFirst && recognise.mostSimilar;
  return (
    <li class={reached ? 'after hint candidate reached' : 'after hint candidate'}>
      <span class="who">
        {faces && <PersonFace gallery={gallery} userId={user_id} />}
        <PersonLink gallery={gallery} of={props.candidate} /> <span class="mono muted">{user_id}</span>
      </span>
      <span class="numbers">{formatSimilarity(similarity)}</span>
      <Bar tone={reached ? 'good' : 'low'} share={similarity} mark={props.threshold} />
      {word && <span class="word">{word}</span>}
    </li>
  );
}

interface NamedFacesProps {
  readonly picture: Picture;
  readonly faces: readonly SearchedFace[];
  readonly threshold: number;
  readonly chosen: number;
  readonly onChoose: (face: number) => void;
}

/** Height of a name on the page, pixels. */
const leastText = 13;

/** The picture with a box, a number and a name at each face; the name below the box where there is no room above it. */
function NamedFaces({ picture, faces, threshold, chosen, onChoose }: NamedFacesProps) {
  return (
    <PictureView picture={picture} alt={recognise.pictureOf(picture.name, faces.length)} look="named">
      {({ width, pixel }) =>
        faces.map((face, index) => {
          const { box } = face;
          const name = identifiedAt(face, threshold)?.user_name;
          const size = Math.max(box.width * 0.13, width * 0.022, leastText * pixel);
          const y = box.y > size * 1.4 ? box.y - size * 0.4 : box.y + box.height + size * 1.1;
          const look = name === undefined ? 'unknown' : '';
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the cards beside the picture have the same
            <g key={index} class={index === chosen ? 'face chosen' : 'face'} onClick={() => onChoose(index)}>
              <rect class={`box ${look}`} {...box} rx={box.width * 0.03} />
              <text class={look} x={box.x} y={y} font-size={size}>
                {[index + 1, name].filter(Boolean).join(' ')}
              </text>
            </g>
          );
        })
      }
    </PictureView>
  );
}
