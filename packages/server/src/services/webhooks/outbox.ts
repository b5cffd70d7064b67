import { uuidv7 } from 'uuidv7';
import { StoreUnavailable } from '../../errors.ts';
import type { EventOutbox, WebhookData } from '../../events/ports.ts';
import { createBatchWriter } from '../../lib/batch-writer.ts';
import type { EnabledEndpoint, OutboxEvent, WebhookStore, WebhookType } from '../../store/ports.ts';

/** Wait until events that the store refused are written again, milliseconds. */
const rewriteMs = 1000;

/** Events that may wait for one endpoint: an hour of three enrolments a second. Further ones are dropped and counted. */
const maxWaiting = 10_000;

interface OutboxDependencies {
  readonly store: Pick<WebhookStore, 'append'>;
  /** Events that may wait for one endpoint; 10,000 by default. */
  readonly limit?: number;
  readonly log: { warn(fields: object, message: string): void };
  readonly wanted?: ReturnType<typeof createWanted>;
  /** Is called after events were written: whoever sends them need not wait. */
  readonly onWritten?: (() => void) | undefined;
}

type WebhookSubject = Parameters<EventOutbox['create']>[1];

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Writes events for the endpoints of clients: in order, those of concurrent calls in one transaction. While the store
 * takes no writes they wait in memory, and their calls do not.
 */
export function createOutbox({
  store,
  limit = maxWaiting,
  log,
  wanted = createWanted(),
  onWritten = () => {},
}: OutboxDependencies) {
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
  return {
    /** An event for the transaction of what it tells. Call `written` after it. @returns undefined: nobody wants it */
    create: (type: WebhookType, subject: WebhookSubject, data: WebhookData): OutboxEvent | undefined =>
      wanted.has(subject.clientId, type) ? createEvent(type, subject, data, limit) : undefined,
    /** Resolves when the event outlives the process. Never rejects. @param event undefined: nobody wants it */
    async write(event: OutboxEvent | undefined): Promise<void> {
      if (!event) return;
      await writer.add(event);
      onWritten();
    },
    /** To be called after a transaction with events. */
    written: onWritten,
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

type Wanted = 'all' | ReadonlySet<WebhookType>;

/**
 * Which events the endpoints of clients want, as of the latest look into the store: nothing is written of the others.
 * Until the first look, every event is wanted.
 */
export function createWanted() {
  let known: ReadonlyMap<string, Wanted> | null = null;
  let changes = 0;
  return {
    has(clientId: string, type: WebhookType): boolean {
      if (known === null) return true;
      const types = known.get(clientId);
      return types === 'all' || types?.has(type) === true;
    },
    /** Endpoints have changed: every event is wanted until the next look. */
    changed(): void {
      known = null;
      changes += 1;
    },
    /** @returns receives what a look that begins now finds, unless endpoints change meanwhile */
    look(): (endpoints: readonly EnabledEndpoint[]) => void {
      const before = changes;
      return (endpoints) => {
        if (changes === before) known = byClient(endpoints);
      };
    },
  };
}

function byClient(endpoints: readonly EnabledEndpoint[]): Map<string, Wanted> {
  const known = new Map<string, Wanted>();
  for (const { clientId, types } of endpoints) {
    const others = known.get(clientId) ?? new Set();
    known.set(clientId, types === null || others === 'all' ? 'all' : new Set([...others, ...types]));
  }
  return known;
}
