import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

interface FigureProps {
  readonly label: string;
  readonly value: ComponentChildren;
  /** Explanation, shown on hover and focus. */
  readonly why: string;
  /** A bar below the figure; share and limit from 0 to 1. */
  readonly bar?: {
    readonly share: number;
    readonly limit?: number | undefined;
    readonly tone: 'good' | 'warn' | 'bad' | 'info';
  };
  /** Called when hover or focus begins and ends. */
  readonly onHighlight?: (on: boolean) => void;
}

/** A measurement with its label and explanation. Escape hides the explanation. */
export function Figure({ label, value, why, bar, onHighlight }: FigureProps) {
  const id = useId();
  const [dismissed, setDismissed] = useState(false);
  const highlight = (on: boolean) => {
    if (!on) setDismissed(false);
    onHighlight?.(on);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is focusable
    <div
      class={dismissed ? 'figure dismissed' : 'figure'}
      onMouseEnter={() => highlight(true)}
      onMouseLeave={() => highlight(false)}
      onFocusIn={() => highlight(true)}
      onFocusOut={() => highlight(false)}
      onKeyDown={(event) => event.key === 'Escape' && setDismissed(true)}
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

/** Hidden from screen readers, which read the value. */
function Bar({ share, limit, tone }: NonNullable<FigureProps['bar']>) {
  const percent = (part: number) => `${Math.min(1, Math.max(0, part)) * 100}%`;
  return (
    <span class={`bar ${tone}`} aria-hidden="true">
      <span class="fill" style={{ width: percent(share) }} />
      {limit !== undefined && <span class="mark" style={{ left: percent(limit) }} />}
    </span>
  );
}
