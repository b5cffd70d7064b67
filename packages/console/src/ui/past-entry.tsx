import type { ComponentChild, ComponentChildren } from 'preact';
import { formatTime } from '../i18n/format.ts';

/** Something that happened, with the colour of what it was. */
export function PastEntry(props: {
  title: string;
  time: string;
  tone?: string;
  children?: ComponentChildren;
}) {
  return (
    <li class={props.tone}>
      <div class="row between">
        <strong>{props.title}</strong>
        <time class="hint numbers" dateTime={props.time}>
          {formatTime(props.time)}
        </time>
      </div>
      {props.children}
    </li>
  );
}

/** What a feature knows of a person's past. */
export type PastOf = (
  person: { readonly user_id: string; readonly facegallery_id: string },
  signal: AbortSignal,
) => Promise<readonly { readonly time: string; readonly entry: ComponentChild }[]>;
