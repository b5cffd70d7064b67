import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/api-error.ts';
import { words } from '../i18n/words.ts';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'info' | 'good' | 'warn' | 'bad';

const icons: Record<Tone, IconName> = { info: 'info', good: 'good', warn: 'warn', bad: 'bad' };

/** A sentence or two that matter, in a colour and with an icon. */
export function Notice({ tone = 'info', children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`}>
      <Icon name={icons[tone]} />
      <div>{children}</div>
    </div>
  );
}

/** A refusal as the server told it: status and message, the detail, and the transaction to ask about. */
export function ErrorNotice({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  const { common } = words.value;
  return (
    <div role="alert">
      <Notice tone="bad">
        <p>
          <strong>{headline(error)}</strong>
        </p>
        <p>{error.http === 0 ? common.unreachableDetail : error.detail}</p>
        {error.trxId !== '' && <p class="trx mono">{common.trx(error.trxId)}</p>}
        {onRetry && mayHelp(error) && (
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
export function headline({ http, status, message }: ApiError): string {
  const { common } = words.value;
  if (http === 0) return common.unreachable;
  const parts = [status, message].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(' · ') : common.wrong;
}

/** Whether the same call may end better: the server was away, busy or broken. */
function mayHelp({ http }: ApiError): boolean {
  return http <= 0 || http === 429 || http >= 500;
}
