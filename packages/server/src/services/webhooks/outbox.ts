import { uuidv7 } from 'uuidv7';
import { StoreUnavailable } from '../../errors.ts';
import { createBatchWriter } from '../../lib/batch-writer.ts';
import type { OutboxEvent, WebhookStore, WebhookType } from '../../store/webhook-store.ts';
import { createWanted } from './wanted.ts';

/** Wait until events that the store refused are written again, milliseconds. */
const rewriteMs = 1000;

/** What an event says: names of the wire. No template, no picture. */
export type WebhookData = Readonly<
  Record<string, string | number | boolean | null | readonly string[] | undefined>
>;

/** Whom an event concerns: it is erased with that user or gallery. */
export interface WebhookSubject {
  readonly clientId: string;
  readonly trxId: string | null;
  readonly galleryId?: string | null | undefined;
  readonly userId?: string | null | undefined;
}

interface OutboxDependencies {
  readonly store: Pick<WebhookStore, 'append'>;
  /** Events that may wait for one endpoint. */
  readonly limit: number;
  readonly log: { warn(fields: object, message: string): void };
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Writes events for the endpoints of clients: in order, those of concurrent calls in one transaction. While the store
 * takes no writes they wait in memory, and their calls do not.
 */
export function createOutbox({ store, limit, log }: OutboxDependencies) {
  const wanted = createWanted();
  const writer = createBatchWriter<OutboxEvent, null>({
    write: async (events) => {
      await store.append(events);
      return [];
    },
    isOutage: (error) => error instanceof StoreUnavailable,
    lost(events, error) {
      const reason = error instanceof Error ? error.message : 'too many events wait for the store';
      for (const _ of events) log.warn({ reason }, 'a webhook event was not written');
    },
    retryMs: rewriteMs,
  });
  let wake = () => {};
  return {
    /** An event for the transaction of what it tells. Call `written` after it. @returns undefined: nobody wants it */
    create: (type: WebhookType, subject: WebhookSubject, data: WebhookData): OutboxEvent | undefined =>
      wanted.has(subject.clientId, type) ? createEvent(type, subject, data, limit) : undefined,
    /** Resolves when the event outlives the process. Never rejects. @param event undefined: nobody wants it */
    async write(event: OutboxEvent | undefined): Promise<void> {
      if (!event) return;
      await writer.add(event);
      wake();
    },
    /** Events were written: whoever sends them need not wait. */
    written: () => wake(),
    /** @param listener is called after events were written */
    onWritten(listener: () => void): void {
      wake = listener;
    },
    wanted,
    /** Resolves when the events so far are written or lost. */
    settled: writer.settled,
  };
}

function createEvent(
  type: WebhookType,
  { clientId, trxId, galleryId = null, userId = null }: WebhookSubject,
  data: WebhookData,
  limit: number,
): OutboxEvent {
  const [id, at] = [uuidv7(), new Date()];
  const payload = payloadOf(id, type, at, {
    ...(trxId !== null && { trx_id: trxId }),
    ...(galleryId !== null && { facegallery_id: galleryId }),
    ...(userId !== null && { user_id: userId }),
    ...data,
  });
  return { id, type, clientId, galleryId, userId, at, payload, limit };
}

/** The body of a delivery: `type`, `timestamp` and `data` of Standard Webhooks, and the `id` that its header has too. */
export function payloadOf(id: string, type: string, at: Date, data: WebhookData): string {
  return JSON.stringify({ id, type, timestamp: at.toISOString(), data });
}
