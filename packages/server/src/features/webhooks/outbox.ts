import { uuidv7 } from 'uuidv7';
import { StoreUnavailable } from '../../errors.ts';
import type { Actor, EventSubscriber, Facts, Subject } from '../../events/ports.ts';
import { createBatchWriter } from '../../lib/batch-writer.ts';
import type { EnabledEndpoint, OutboxEvent, WantedEvents, WebhookStore, WebhookType } from './ports.ts';
import { toldEvents, type WebhookData } from './told-events.ts';

/** Wait until events that the store refused are written again, milliseconds. */
const rewriteMs = 1000;

/** Events that may wait for one endpoint: an hour of three enrolments a second. Further ones are dropped and counted. */
const maxWaiting = 10_000;

interface OutboxDependencies {
  readonly store: Pick<WebhookStore, 'append' | 'alongside'>;
  /** Events that may wait for one endpoint; 10,000 by default. */
  readonly limit?: number;
  readonly log: { warn(fields: object, message: string): void };
  readonly wanted: WantedEvents;
  /** Is called after events were written: whoever sends them need not wait. */
  readonly onWritten?: (() => void) | undefined;
}

/**
 * Writes events for the endpoints of clients: in order, those of concurrent calls in one transaction. While the store
 * takes no writes they wait in memory, and their calls do not.
 */
export function createOutbox({
  store,
  limit = maxWaiting,
  log,
  wanted,
  onWritten = () => {},
}: OutboxDependencies): Required<Pick<EventSubscriber, 'keepingOf'>> & { settled(): Promise<void> } {
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
    keepingOf({ name, about, facts, detail }) {
      const told = (toldEvents as AnyTold)[name]?.(facts, detail);
      if (!told || about.clientId === null || !wanted.has(about.clientId, told[0])) return undefined;
      const event = createEvent(about.clientId, about, told, limit);
      return {
        write: store.alongside(event),
        async keep() {
          await writer.add(event);
          onWritten();
        },
        written: onWritten,
      };
    },
    settled: writer.settled,
  };
}

type Told = readonly [type: WebhookType, data: WebhookData];
type AnyTold = Readonly<Record<string, ((facts: Facts, detail: unknown) => Told | null) | undefined>>;

function createEvent(
  clientId: string,
  { trxId, galleryId = null, userId = null }: Actor & Subject,
  [type, data]: Told,
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

export function createWanted(): WantedEvents {
  let known: ReadonlyMap<string, Wanted> | null = null;
  let changes = 0;
  return {
    has(clientId, type) {
      if (known === null) return true;
      const types = known.get(clientId);
      return types === 'all' || types?.has(type) === true;
    },
    changed() {
      known = null;
      changes += 1;
    },
    look() {
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
