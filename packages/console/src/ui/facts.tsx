import { formatNumber } from '../i18n/format.ts';

/** How much of a limit is used, as a bar with text. */
export function UsageBar(props: { name: string; used: number; all: number; text?: string }) {
  const share = props.all === 0 ? 0 : Math.min(1, props.used / props.all);
  const tone = share > 0.95 ? 'bad' : share > 0.8 ? 'warn' : 'info';
  return (
    <div class="share">
      <span>{props.name}</span>
      <span class="numbers muted">
        {props.text ?? `${formatNumber(props.used)} / ${formatNumber(props.all)}`}
      </span>
      <span class={`bar ${tone}`} aria-hidden="true">
        {share > 0 && <span class="fill" style={{ width: `${share * 100}%` }} />}
      </span>
    </div>
  );
}

/** A term of a list with its value and a note. */
export function Fact(props: { name: string; value: string; note?: string | undefined }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd class="numbers">
        {props.value}
        {props.note !== undefined && <span class="muted small"> {props.note}</span>}
      </dd>
    </div>
  );
}
