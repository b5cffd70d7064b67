import type { ComponentChildren } from 'preact';
import { commandText } from '../api/program.ts';
import { common } from '../i18n/messages.ts';
import { type RefusalText, refusalText } from '../i18n/refusal-text.ts';
import type { ApiError } from '../state/request.ts';
import { Button, Icon, type IconName } from './icon.tsx';

type Tone = 'info' | 'good' | 'warn' | 'bad';

/** A highlighted message with an icon. @param props.alert read at once by screen readers */
export function Notice(props: { tone?: Tone; alert?: boolean; children: ComponentChildren }) {
  const { tone = 'info', alert, children } = props;
  return (
    <div class={`notice ${tone}`} role={alert ? 'alert' : undefined}>
      <Icon name={tone} />
      <div>{children}</div>
    </div>
  );
}

/** A refusal with the server's status, message, detail and transaction identifier. */
export function ErrorNotice({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  return (
    <Notice tone="bad" alert>
      <p>
        <strong>{headline(error)}</strong>
      </p>
      {error.http === 0 ? <p>{common.unreachableDetail}</p> : <RefusalDetail refusal={refusalText(error)} />}
      {error.trxId !== '' && <p class="trx mono">{common.trx(error.trxId)}</p>}
      {onRetry && isRetryable(error) && (
        <p>
          <Button icon="refresh" onClick={onRetry}>
            {common.retry}
          </Button>
        </p>
      )}
    </Notice>
  );
}

/** @example headline(error); // '413 · Face too small' */
function headline(error: ApiError): string {
  if (error.http === 0) return common.unreachable;
  const parts = [error.status, refusalText(error).title].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(' · ') : common.wrong;
}

/** Whether a retry may succeed: the server was unreachable, busy or failed. */
export function isRetryable({ http }: ApiError): boolean {
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
    <p class="row hint" role="status">
      <span class="spinner" aria-hidden="true" />
      {text ?? common.loading}
    </p>
  );
}

/** A placeholder of content that is loading. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="stack skeleton" role="status">
      <span class="visually-hidden">{common.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} aria-hidden="true" />
      ))}
    </div>
  );
}

/**
 * What a request loads: that it runs, why it failed, or what is made of its answer.
 * @param props.operators the page is refused to a client who is no operator, and says so under this icon
 */
export function LoadState<Answer>(props: {
  load: {
    readonly busy: boolean;
    readonly answer?: Answer | undefined;
    readonly error?: ApiError | undefined;
    reload(): void;
  };
  lines?: number;
  operators?: 'system' | 'clients';
  children?: (answer: Answer) => ComponentChildren;
}) {
  const { load, lines = 3, operators, children } = props;
  const { busy, answer, error, reload } = load;
  if (operators && error?.status === '403') {
    return (
      <EmptyState icon={operators} title={common.denied} text={common.deniedText}>
        <pre class="code">{commandText('client create ops --operator')}</pre>
      </EmptyState>
    );
  }
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={reload} />}
      {answer === undefined && busy && <Skeleton lines={lines} />}
      {answer !== undefined && children?.(answer)}
    </>
  );
}
