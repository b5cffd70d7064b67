import { uuidv7 } from 'uuidv7';
import { StoreUnavailable } from '../../errors.ts';
import type { OutboxEvent, WebhookStore, WebhookType } from '../../store/webhook-store.ts';
import { createWanted } from './wanted.ts';

/** Events that wait to be written; further ones are lost, and the log says so. */
const maxWaiting = 10_000;
/** Events in one transaction. */
const maxBatch = 200;
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

interface Job {
  readonly event: OutboxEvent;
  /** To be called once the event is written, lost, or waits for a store that does not take it. */
  readonly resolve: () => void;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Writes events for the endpoints of clients: in order, those of concurrent calls in one transaction. While the store
 * takes no writes they wait in memory, and their calls do not.
 */
export function createOutbox({ store, limit, log }: OutboxDependencies) {
  const wanted = createWanted();
  const writer = createWriter(store, (reason) => log.warn({ reason }, 'a webhook event was not written'));
  let wake = () => {};
  return {
    /** An event for the transaction of what it tells. Call `written` after it. @returns undefined: nobody wants it */
    create: (type: WebhookType, subject: WebhookSubject, data: WebhookData): OutboxEvent | undefined =>
      wanted.has(subject.clientId, type) ? createEvent(type, subject, data, limit) : undefined,
    /** Resolves when the event outlives the process. Never rejects. @param event undefined: nobody wants it */
    async write(event: OutboxEvent | undefined): Promise<void> {
      if (!event) return;
      await writer.write(event);
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

function createWriter(store: OutboxDependencies['store'], onLost: (reason: string) => void) {
  const waiting: Job[] = [];
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const lost = (jobs: readonly Job[], error: unknown) => {
    for (const { resolve } of jobs) {
      onLost(error instanceof Error ? error.message : String(error));
      resolve();
    }
  };
  /** @returns false when the store takes no writes */
  const writeBatch = async (jobs: readonly Job[]): Promise<boolean> => {
    try {
      await store.append(jobs.map(({ event }) => event));
      for (const { resolve } of jobs) resolve();
    } catch (error) {
      if (error instanceof StoreUnavailable) return false;
      // One of them may be the reason.
      if (jobs.length === 1) lost(jobs, error);
      else for (const job of jobs) if (!(await writeBatch([job]))) return false;
    }
    return true;
  };
  const writeAll = async () => {
    for (let batch = waiting.slice(0, maxBatch); batch.length > 0; batch = waiting.slice(0, maxBatch)) {
      if (!(await writeBatch(batch))) break;
      waiting.splice(0, batch.length);
    }
    for (const { resolve } of waiting) resolve();
    running = null;
    clearTimeout(timer);
    if (waiting.length > 0) timer = setTimeout(start, rewriteMs).unref();
  };
  const start = () => {
    running ??= Promise.resolve().then(writeAll);
  };
  return {
    write: (event: OutboxEvent): Promise<void> =>
      new Promise((resolve) => {
        const job = { event, resolve };
        if (waiting.length >= maxWaiting) return lost([job], 'too many events wait for the store');
        waiting.push(job);
        start();
      }),
    async settled(): Promise<void> {
      start();
      while (running !== null) await running;
      clearTimeout(timer);
      lost(waiting.splice(0), 'the store takes no writes');
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
