import { showNumber } from '../i18n/words.ts';

/** How much of something is used, as a bar with words. */
export function Share(props: { name: string; used: number; all: number; text?: string }) {
  const share = props.all === 0 ? 0 : Math.min(1, props.used / props.all);
  const tone = share > 0.95 ? 'bad' : share > 0.8 ? 'warn' : 'info';
  return (
    <div class="share">
      <span>{props.name}</span>
      <span class="numbers muted">
        {props.text ?? `${showNumber(props.used)} / ${showNumber(props.all)}`}
      </span>
      <span class={`bar ${tone}`} aria-hidden="true">
        {share > 0 && <span class="fill" style={{ width: `${share * 100}%` }} />}
      </span>
    </div>
  );
}
