import { uuidv7 } from 'uuidv7';
import type { OutboxEvent, WebhookStore, WebhookType } from '../../store/webhooks/webhook-store.ts';

/** Events that wait to be written; further ones are lost, and the log says so. */
const maxWaiting = 10_000;

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

/** Writes events for the endpoints of clients, in the background, one at a time and in order. */
export function createOutbox({ store, limit, log }: OutboxDependencies) {
  const waiting: OutboxEvent[] = [];
  let running: Promise<void> | null = null;
  let wake = () => {};
  const lost = (error: unknown) =>
    log.warn(
      { reason: error instanceof Error ? error.message : String(error) },
      'a webhook event was not written',
    );
  const writeAll = async () => {
    for (let event = waiting.shift(); event; event = waiting.shift()) {
      await store.append(event).catch(lost);
    }
    running = null;
    wake();
  };
  const create = (type: WebhookType, subject: WebhookSubject, data: WebhookData) =>
    createEvent(type, subject, data, limit);
  return {
    /** An event for the transaction of what it tells. Call `written` after it. */
    create,
    /** Writes an event soon. Never throws. */
    publish(type: WebhookType, subject: WebhookSubject, data: WebhookData): void {
      if (waiting.length >= maxWaiting) {
        lost('too many events wait for the store');
        return;
      }
      waiting.push(create(type, subject, data));
      running ??= Promise.resolve().then(writeAll);
    },
    /** Events were written: whoever sends them need not wait. */
    written: () => wake(),
    /** @param listener is called after events were written */
    onWritten(listener: () => void): void {
      wake = listener;
    },
    /** Resolves when the events so far are written or lost. */
    async settled(): Promise<void> {
      while (running !== null) await running;
    },
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
