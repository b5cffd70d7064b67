import type { ComponentChildren } from 'preact';
import { sent } from '../../api/wajah.ts';
import { formatPercent, formatSimilarity } from '../../i18n/format.ts';
import { common, recognise } from '../../i18n/messages.ts';
import { CallView } from '../../ui/code.tsx';
import { InputField } from '../../ui/field.tsx';
import { Button, IconButton } from '../../ui/icon.tsx';
import { ErrorNotice, Loading } from '../../ui/notice.tsx';
import { useInView } from '../../ui/shell.tsx';
import { fmrText } from '../../ui/similarity.tsx';
import type { Looked } from './looks.ts';

interface AnswerProps<Answer> {
  readonly looked: Looked<Answer>;
  readonly busyText: string;
  /** Before anything is asked. */
  readonly idle?: ComponentChildren;
  /** Read by screen readers when the answer arrives. */
  readonly summary: (answer: Answer) => ComponentChildren;
  readonly children?: (answer: Answer) => ComponentChildren;
}

/** What is said about a picture: that it is sent, why it was refused, or the answer with its call. */
export function AnswerText<Answer>({ looked, busyText, idle, summary, children }: AnswerProps<Answer>) {
  const { busy, answered, error, again } = looked;
  return (
    <>
      <div aria-live="polite">
        {busy && <Loading text={sendingText(busyText)} />}
        {error && <ErrorNotice error={error} onRetry={again} />}
        {answered && summary(answered.answer)}
        {!busy && !error && !answered && idle}
      </div>
      {answered && (
        <>
          {children?.(answered.answer)}
          <details class="card">
            <summary>{recognise.call}</summary>
            <CallView call={answered.call} />
          </details>
        </>
      )}
    </>
  );
}

/** A picture that stays in sight, and what is said about it. */
export function AnswerView<Answer>({ sight, ...answer }: AnswerProps<Answer> & { sight: ComponentChildren }) {
  return (
    <div class="look" ref={useInView(answer.looked.picture)}>
      <div class="sight">{sight}</div>
      <div class="stack">
        <AnswerText {...answer} />
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
  const moved = threshold !== inForce;
  const text = `${formatSimilarity(threshold)}, ${fmrText(threshold)}`;
  return (
    <div class="card">
      <InputField
        label={`${common.threshold}: ${text}`}
        hint={moved ? recognise.thresholdMoved : hint}
        type="range"
        min={0}
        max={1}
        step={0.005}
        value={threshold}
        aria-valuetext={text}
        onInput={(value) => onMove(Number(value))}
      />
      {moved && (
        <Button icon="refresh" onClick={() => onMove(inForce)}>
          {recognise.thresholdBack(formatSimilarity(inForce))}
        </Button>
      )}
    </div>
  );
}
