import type { ComponentChildren } from 'preact';
import { messages } from '../i18n/messages.ts';
import { Icon, type IconName } from './icon.tsx';

/** The placeholder of an empty list or result. */
export function EmptyState(props: {
  icon: IconName;
  title: string;
  text: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={props.icon} />
      <p class="title">{props.title}</p>
      <p>{props.text}</p>
      {props.children}
    </div>
  );
}

export function Loading({ text }: { text?: string }) {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      {text ?? messages.value.common.loading}
    </p>
  );
}

/** A placeholder of content that is loading. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">{messages.value.common.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} aria-hidden="true" />
      ))}
    </div>
  );
}
