import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/api-error.ts';
import { messages } from '../i18n/messages.ts';
import { refusalText } from '../i18n/server/refusal-text.ts';
import { Icon, type IconName } from './icon.tsx';
import { RefusalDetail } from './refusal-detail.tsx';

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
  const { common } = messages.value;
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
            <button type="button" class="button" onClick={onRetry}>
              <Icon name="refresh" />
              {common.retry}
            </button>
          </p>
        )}
      </Notice>
    </div>
  );
}

/** @example headline(error); // '413 · Face too small' */
function headline(error: ApiError): string {
  const { common } = messages.value;
  if (error.http === 0) return common.unreachable;
  const parts = [error.status, refusalText(error).title].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(' · ') : common.wrong;
}

/** Whether a retry may succeed: the server was unreachable, busy or failed. */
function isRetryable({ http }: ApiError): boolean {
  return http <= 0 || http === 429 || http >= 500;
}
