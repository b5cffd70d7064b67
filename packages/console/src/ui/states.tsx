import type { ComponentChildren } from 'preact';
import { words } from '../i18n/words.ts';
import { Icon, type IconName } from './icon.tsx';

/** What stands where there is nothing yet: says what belongs here and how to get it. */
export function Empty(props: { icon: IconName; title: string; text: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={props.icon} />
      <h3>{props.title}</h3>
      <p>{props.text}</p>
      {props.children}
    </div>
  );
}

/** Something is under way, in words. */
export function Waiting({ text }: { text?: string }) {
  return (
    <p class="waiting" role="status">
      <span class="spinner" aria-hidden="true" />
      {text ?? words.value.common.loading}
    </p>
  );
}

/** The shape of what is being loaded. */
export function Bones({ lines = 3 }: { lines?: number }) {
  return (
    <div class="bones" role="status">
      <span class="unseen">{words.value.common.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} aria-hidden="true" />
      ))}
    </div>
  );
}
