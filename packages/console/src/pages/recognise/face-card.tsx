import type { Picture } from '../../draw/picture.ts';
import { formatNumber } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { Tag } from '../../ui/icon.tsx';
import { fmrText } from '../../ui/similarity/fmr-text.ts';
import { FaceThumbnail } from './face-marks.tsx';
import { identifiedAt, type SearchedFace } from './recognition.ts';

interface Props {
  readonly number: number;
  readonly face: SearchedFace;
  readonly picture: Picture;
  readonly threshold: number;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

/** A face with its verdict and its candidates on the scale. */
export function FaceCard({ number, face, picture, threshold, chosen, onChoose }: Props) {
  const person = identifiedAt(face, threshold);
  const { recognise, tryIt } = messages.value;
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
    </article>
  );
}

function outcomeText({ outcome, candidates }: SearchedFace): string {
  const { recognise } = messages.value;
  if (outcome === 'too_small') return recognise.tooSmall;
  return candidates.length === 0 ? recognise.noCandidate : recognise.noMatch;
}

function Candidate(props: { candidate: SearchedFace['candidates'][number]; threshold: number }) {
  const { user_id, user_name, confidence_level: similarity } = props.candidate;
  const reached = similarity >= props.threshold;
  return (
    <li class={reached ? 'candidate reached' : 'candidate'}>
      <span class="who">
        {user_name} <span class="mono muted">{user_id}</span>
      </span>
      <span class="numbers">{formatNumber(similarity, 4)}</span>
      <span class={reached ? 'bar good' : 'bar low'} aria-hidden="true">
        <span class="fill" style={{ width: `${similarity * 100}%` }} />
        <span class="mark" style={{ left: `${Math.min(1, props.threshold) * 100}%` }} />
      </span>
      <span class="muted small fmr">{fmrText(similarity)}</span>
    </li>
  );
}
