import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { sent } from '../../api/wajah.ts';
import { formatPercent, formatSimilarity } from '../../i18n/format.ts';
import { common, recognise } from '../../i18n/messages.ts';
import { CallView } from '../../ui/code.tsx';
import { Button, IconButton } from '../../ui/icon.tsx';
import { ErrorNotice, Loading } from '../../ui/notice.tsx';
import { useInView } from '../../ui/shell.tsx';
import { fmrText } from '../../ui/similarity.tsx';
import type { Looked } from './looks.ts';

/**
 * A picture that stays in sight, and what is said about it: that it is sent, why it was refused, or the answer with its call.
 * @param props.summary of the answer, read by screen readers when it arrives
 */
export function AnswerView<Answer>(props: {
  looked: Looked<Answer>;
  busyText: string;
  sight: ComponentChildren;
  summary: (answer: Answer) => ComponentChildren;
  children?: (answer: Answer) => ComponentChildren;
}) {
  const { picture, busy, answered, error, again } = props.looked;
  return (
    <div class="look" ref={useInView(picture)}>
      <div class="sight">{props.sight}</div>
      <div class="stack">
        <div aria-live="polite">
          {busy && <Loading text={sendingText(props.busyText)} />}
          {error && <ErrorNotice error={error} onRetry={again} />}
          {answered && props.summary(answered.answer)}
        </div>
        {answered && (
          <>
            {props.children?.(answered.answer)}
            <details class="card">
              <summary>{recognise.call}</summary>
              <CallView call={answered.call} />
            </details>
          </>
        )}
      </div>
    </div>
  );
}

/** How much of a picture is sent; then what the server does with it. */
function sendingText(then: string): string {
  return sent.value === null || sent.value >= 1 ? then : common.sending(formatPercent(sent.value));
}

/** What was found, with a button that asks again. */
export function TitleLine({ title, onAgain }: { title: string; onAgain: () => void }) {
  return (
    <div class="after">
      <h2>{title}</h2>
      <IconButton icon="refresh" label={recognise.again} onClick={onAgain} />
    </div>
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
export function ThresholdControl({ threshold, inForce, hint, onMove }: ThresholdControlProps) {
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
