import { useState } from 'preact/hooks';
import type { Picture } from '../../draw/picture.ts';
import { recognise, tryIt } from '../../i18n/messages.ts';
import type { ApiError } from '../../state/request.ts';
import { CallView } from '../../ui/code.tsx';
import { IconButton } from '../../ui/icon.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../ui/notice.tsx';
import { SimilarityResult } from '../../ui/similarity.tsx';
import { useInView } from '../../ui/use-in-view.ts';
import type { Verification } from './looks.ts';
import { ThresholdControl } from './threshold-control.tsx';

interface Props {
  readonly picture: Picture;
  readonly busy: boolean;
  readonly verification: Verification | undefined;
  readonly error: ApiError | undefined;
  /** undefined: nobody is chosen yet */
  readonly person: string | undefined;
  readonly onRetry: () => void;
}

/** The picture, and whether it shows the chosen person. */
export function VerificationView({ picture, busy, verification, error, person, onRetry }: Props) {
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

function Verified(props: { verification: Verification; onRetry: () => void }) {
  const { answer, call } = props.verification;
  const [threshold, setThreshold] = useState(answer.threshold);
  const verified = answer.similarity >= threshold;
  return (
    <>
      <div class="title-line">
        <h2>{verified ? recognise.isPerson(answer.user_name) : recognise.isNotPerson(answer.user_name)}</h2>
        <IconButton icon="refresh" label={recognise.again} onClick={props.onRetry} />
      </div>
      <SimilarityResult comparison={{ ...answer, threshold, verified }} />
      <p class="hint">{recognise.largest}</p>
      <ThresholdControl threshold={threshold} inForce={answer.threshold} onMove={setThreshold} />
      <details class="card">
        <summary>{recognise.call}</summary>
        <CallView call={call} />
      </details>
    </>
  );
}
