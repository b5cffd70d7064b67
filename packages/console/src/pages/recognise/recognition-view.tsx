import { useState } from 'preact/hooks';
import type { ApiError } from '../../api/api-error.ts';
import type { Picture } from '../../draw/picture.ts';
import { messages } from '../../i18n/messages.ts';
import { CallView } from '../../ui/call/call-view.tsx';
import { IconButton } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Loading } from '../../ui/states.tsx';
import { useInView } from '../../ui/use-in-view.ts';
import { FaceCard } from './face-card.tsx';
import { FaceMarks } from './face-marks.tsx';
import { identifiedAt, type Recognition } from './recognition.ts';
import { ThresholdControl } from './threshold-control.tsx';

interface Props {
  readonly picture: Picture;
  readonly busy: boolean;
  readonly recognition: Recognition | undefined;
  readonly error: ApiError | undefined;
  readonly onRetry: () => void;
}

/** The picture with the names of its faces, and the candidates of each. */
export function RecognitionView({ picture, busy, recognition, error, onRetry }: Props) {
  const [moved, setMoved] = useState<{ of: Recognition; threshold: number }>();
  const [chosen, choose] = useState(0);
  const threshold = (moved?.of === recognition ? moved?.threshold : undefined) ?? recognition?.threshold ?? 1;
  const { recognise } = messages.value;
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
  const { recognise, tryIt } = messages.value;
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
