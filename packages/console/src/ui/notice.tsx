import type { ComponentChildren } from 'preact';
import { common } from '../i18n/messages.ts';
import { type RefusalText, refusalText } from '../i18n/refusal-text.ts';
import type { ApiError } from '../state/request.ts';
import { Button, Icon, type IconName } from './icon.tsx';

type Tone = 'info' | 'good' | 'warn' | 'bad';

const icons: Record<Tone, IconName> = { info: 'info', good: 'good', warn: 'warn', bad: 'bad' };

/** A highlighted message with an icon. */
export function Notice({ tone = 'info', children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`}>
      <Icon name={icons[tone]} />
      <div>{children}</div>
    </div>
  );
}

/** A refusal with the server's status, message, detail and transaction identifier. */
export function ErrorNotice({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  return (
    <div role="alert">
      <Notice tone="bad">
        <p>
          <strong>{headline(error)}</strong>
        </p>
        {error.http === 0 ? (
          <p>{common.unreachableDetail}</p>
        ) : (
          <RefusalDetail refusal={refusalText(error)} />
        )}
        {error.trxId !== '' && <p class="trx mono">{common.trx(error.trxId)}</p>}
        {onRetry && isRetryable(error) && (
          <p>
            <Button icon="refresh" onClick={onRetry}>
              {common.retry}
            </Button>
          </p>
        )}
      </Notice>
    </div>
  );
}

/** @example headline(error); // '413 · Face too small' */
function headline(error: ApiError): string {
  if (error.http === 0) return common.unreachable;
  const parts = [error.status, refusalText(error).title].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(' · ') : common.wrong;
}

/** Whether a retry may succeed: the server was unreachable, busy or failed. */
function isRetryable({ http }: ApiError): boolean {
  return http <= 0 || http === 429 || http >= 500;
}

/** The text of a refusal, and the server's own words where they are not translated. */
export function RefusalDetail({ refusal: { text, original } }: { refusal: RefusalText }) {
  return (
    <>
      {text !== '' && <p>{text}</p>}
      {original !== undefined && (
        <p lang="en" class="muted">
          {original}
        </p>
      )}
    </>
  );
}

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
      {text ?? common.loading}
    </p>
  );
}

/** A placeholder of content that is loading. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">{common.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} aria-hidden="true" />
      ))}
    </div>
  );
}

/** What is shown of a request without an answer: why it failed, or that it runs. */
export function LoadState(props: {
  load: {
    readonly busy: boolean;
    readonly answer?: unknown;
    readonly error?: ApiError | undefined;
    reload(): void;
  };
  lines?: number;
}) {
  const { busy, answer, error, reload } = props.load;
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={reload} />}
      {answer === undefined && busy && <Skeleton {...(props.lines && { lines: props.lines })} />}
    </>
  );
}
