import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

export interface FigureProps {
  readonly label: string;
  readonly value: ComponentChildren;
  /** What the figure means; shown while the pointer or the focus is on it. */
  readonly why: string;
  /** A bar below the figure: a share from 0 to 1, a limit on it, and which colour. */
  readonly bar?: {
    readonly share: number;
    readonly limit?: number | undefined;
    readonly tone: 'good' | 'warn' | 'bad' | 'info';
  };
  /** Told while the pointer or the focus is on it. */
  readonly onLook?: (looking: boolean) => void;
}

/** One figure with its name, its value and its explanation. Escape hides the explanation. */
export function Figure({ label, value, why, bar, onLook }: FigureProps) {
  const id = useId();
  const [hushed, setHushed] = useState(false);
  const look = (looking: boolean) => {
    if (!looking) setHushed(false);
    onLook?.(looking);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is what keyboards reach
    <div
      class={hushed ? 'figure hushed' : 'figure'}
      onMouseEnter={() => look(true)}
      onMouseLeave={() => look(false)}
      onFocusIn={() => look(true)}
      onFocusOut={() => look(false)}
      onKeyDown={(event) => event.key === 'Escape' && setHushed(true)}
    >
      <button type="button" class="term" aria-describedby={id}>
        {label}
      </button>
      <span class="numbers">{value}</span>
      {bar && <Bar {...bar} />}
      <div role="tooltip" id={id} class="tip">
        {why}
      </div>
    </div>
  );
}

/** Only for the eye: the value beside it says the same. */
function Bar({ share, limit, tone }: NonNullable<FigureProps['bar']>) {
  const percent = (part: number) => `${Math.min(1, Math.max(0, part)) * 100}%`;
  return (
    <span class={`bar ${tone}`} aria-hidden="true">
      <span class="fill" style={{ width: percent(share) }} />
      {limit !== undefined && <span class="mark" style={{ left: percent(limit) }} />}
    </span>
  );
}
