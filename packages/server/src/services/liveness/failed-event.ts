import type { OutboxEvent } from '../../store/webhook-store.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';

/** A check that did not pass. */
interface FailedCheck {
  readonly way: 'single' | 'batch' | 'session';
  /** Names of reasons, without repetition. */
  readonly reasons: readonly string[];
  readonly sessionId?: string;
  readonly galleryId: string | null | undefined;
  readonly userId: string | null | undefined;
}

/** The event of a failed check; undefined when nobody wants it. */
export function failedEvent(
  { outbox }: Pick<ServiceDependencies, 'outbox'>,
  { clientId, trxId }: Caller,
  { way, reasons, sessionId, galleryId, userId }: FailedCheck,
): OutboxEvent | undefined {
  const subject = { clientId, trxId, galleryId, userId };
  return outbox?.create('liveness.failed', subject, { way, reasons, session_id: sessionId });
}
