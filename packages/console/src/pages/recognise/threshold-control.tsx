import { useId } from 'preact/hooks';
import { formatNumber } from '../../i18n/format.ts';
import { recognise } from '../../i18n/messages.ts';
import { Button } from '../../ui/icon.tsx';
import { fmrText } from '../../ui/similarity.tsx';

interface Props {
  readonly threshold: number;
  /** The one that the server decided with. */
  readonly inForce: number;
  readonly onMove: (threshold: number) => void;
}

/** Moves the threshold on the page alone, to see what another one would decide. */
export function ThresholdControl({ threshold, inForce, onMove }: Props) {
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
            {formatNumber(threshold, 3)} <span class="muted small">{fmrText(threshold)}</span>
          </output>
        </div>
        <input
          id={id}
          type="range"
          min="0"
          max="1"
          step="0.005"
          value={threshold}
          aria-valuetext={`${formatNumber(threshold, 3)}, ${fmrText(threshold)}`}
          aria-describedby={`${id}-hint`}
          onInput={(event) => onMove(event.currentTarget.valueAsNumber)}
        />
        <p class="hint" id={`${id}-hint`}>
          {moved ? recognise.thresholdMoved : recognise.thresholdHint}
        </p>
      </div>
      {moved && (
        <Button icon="refresh" onClick={() => onMove(inForce)}>
          {recognise.thresholdBack(formatNumber(inForce, 3))}
        </Button>
      )}
    </div>
  );
}
