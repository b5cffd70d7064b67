import type { RequestOf } from '@wajah/contract';
import type { webhookTypes } from '@wajah/contract/features/webhooks';
import type { Caller } from '../../services/caller.ts';
import type { Alongside } from '../../store/database/session.ts';

/** What may be delivered. */
export type WebhookType = (typeof webhookTypes)[number];

/** An address that receives the events of a client. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly clientId: string;
  readonly url: string;
  /** Null: all. */
  readonly types: readonly WebhookType[] | null;
  /** Sealed. */
  readonly secret: Uint8Array;
  readonly enabled: boolean;
  /** Why it was disabled; null: it is not. */
  readonly disabledReason: string | null;
  readonly createdAt: Date;
  /** Events that were not kept, because the outbox of the endpoint was full. */
  readonly dropped: number;
}

/** An endpoint that is told events. */
export interface EnabledEndpoint extends WebhookEndpoint {
  /** Whether it has deliveries whose time has come. */
  readonly due: boolean;
}

/** An event for the endpoints of a client. */
export interface OutboxEvent {
  /** The same in each delivery of it. */
  readonly id: string;
  readonly type: WebhookType;
  readonly clientId: string;
  /** Whom it is about: it is erased with that user or gallery. */
  readonly galleryId: string | null;
  readonly userId: string | null;
  readonly at: Date;
  /** JSON. */
  readonly payload: string;
  /** Events that may wait for one endpoint; further ones are dropped and counted. */
  readonly limit: number;
}

/** `dead`: given up after the last attempt. */
export type DeliveryState = 'pending' | 'delivered' | 'dead';

/** An event on its way to one endpoint. */
export interface WebhookDelivery {
  readonly id: number;
  readonly endpoint: string;
  readonly eventId: string;
  readonly type: string;
  /** Empty when it is done. */
  readonly payload: string;
  readonly createdAt: Date;
  readonly state: DeliveryState;
  /** Attempts that have failed. */
  readonly attempts: number;
  /** When it is sent next, or its lease ends. */
  readonly nextAt: Date;
  readonly error: string | null;
}

/** What is changed of an endpoint; undefined: it stays. */
export interface EndpointChange {
  readonly url?: string | undefined;
  readonly types?: readonly WebhookType[] | undefined;
}

/** Deliveries by state, and when the oldest event that waits was written; null: none waits. */
export interface OutboxUse {
  readonly pending: number;
  readonly dead: number;
  readonly oldest: Date | null;
  /** Events that were not kept, by all endpoints that exist. */
  readonly dropped: number;
}

/** Endpoints of webhooks, and the outbox: one row for each event and endpoint, erased with user, gallery and client. */
export interface WebhookStore {
  /** Writes a row for each endpoint of the client that wants the event. */
  alongside(event: OutboxEvent): Alongside;
  /** As `alongside`, in a transaction of their own; all events, or none. */
  append(events: readonly OutboxEvent[]): Promise<void>;
  /** @param most endpoints of a client @returns `gone`: there is no such client */
  add(
    endpoint: Pick<WebhookEndpoint, 'id' | 'clientId' | 'url' | 'types' | 'secret' | 'createdAt'>,
    most: number,
  ): Promise<'added' | 'full' | 'gone'>;
  find(id: string): Promise<WebhookEndpoint | null>;
  /** In order of creation. */
  list(clientId: string): Promise<WebhookEndpoint[]>;
  /** @returns false when there is no such endpoint */
  setSecret(id: string, secret: Uint8Array): Promise<boolean>;
  /** No events are sent until it is updated. */
  disable(id: string, reason: string): Promise<void>;
  update(id: string, change: EndpointChange): Promise<void>;
  /** With its deliveries. */
  remove(id: string): Promise<boolean>;
  /** Enabled endpoints of all clients. */
  enabled(now: Date): Promise<EnabledEndpoint[]>;
  /**
   * Takes the oldest delivery whose time has come. No other server takes it before the lease ends.
   * @returns null when there is none
   */
  lease(endpoint: string, now: Date, until: Date): Promise<WebhookDelivery | null>;
  /**
   * Writes the outcome of an attempt, unless the lease was lost.
   * @param next null: it is done, delivered without an error and dead with one, and no longer has user_id and payload
   */
  settle(delivery: WebhookDelivery, now: Date, next: Date | null, error: string | null): Promise<void>;
  /** Erases the deliveries about a user_id, of any gallery or none, but those that tell the erasure. @returns how many */
  forget(clientId: string, userId: string): Promise<number>;
  /** Erases the deliveries of events that were written before, also those that wait: an endpoint may be disabled. */
  prune(before: Date): Promise<void>;
  /** The newest first. */
  deliveries(endpoint: string, state: DeliveryState | null, limit: number): Promise<WebhookDelivery[]>;
  /** The deliveries about a user_id that wait, of any gallery or none, the oldest first. */
  listOf(clientId: string, userId: string): Promise<WebhookDelivery[]>;
  use(): Promise<OutboxUse>;
}

/** Webhooks, managed by their client. All but `create` and `list` throw Refusal `webhookNotFound`. */
export interface ClientWebhooks {
  /** Whether the server sends webhooks. */
  readonly on: boolean;
  /** @returns the secret, which cannot be read again @throws Refusal `malformed` | `denied` */
  create(
    caller: Caller,
    request: RequestOf<'createWebhook'>,
  ): Promise<{ id: string; url: string; types: readonly WebhookType[] | null; secret: string }>;
  /** In the order of their creation. */
  list(caller: Caller): Promise<WebhookEndpoint[]>;
  /** @throws Refusal `malformed` */
  update(caller: Caller, request: RequestOf<'updateWebhook'>): Promise<void>;
  rotate(
    caller: Caller,
    request: RequestOf<'rotateWebhookSecret'>,
  ): Promise<{ secret: string; formerUntil: Date }>;
  remove(caller: Caller, request: RequestOf<'deleteWebhook'>): Promise<void>;
  /** @returns why it was not delivered; null: it was @throws Refusal `denied` | `tooManyRequests` */
  test(caller: Caller, request: RequestOf<'testWebhook'>): Promise<string | null>;
  deliveries(caller: Caller, request: RequestOf<'listWebhookDeliveries'>): Promise<WebhookDelivery[]>;
}

/** The endpoints of clients. */
export interface WebhookEndpoints {
  /**
   * @param url without a problem, as `urlProblem` says
   * @returns id and secret, which is not shown again; `gone`: there is no such client, `full`: it has `maxEndpoints`
   */
  create(
    clientId: string,
    url: string,
    types: readonly WebhookType[] | null,
  ): Promise<{ readonly id: string; readonly secret: string } | 'gone' | 'full'>;
  list(clientId: string): Promise<WebhookEndpoint[]>;
  /** @param clientId whose it must be; absent: anybody's @returns null: there is none */
  find(id: string, clientId?: string): Promise<ManagedEndpoint | null>;
}

/** One endpoint, and its deliveries. */
export interface ManagedEndpoint {
  /** The former secret signs too for a day. */
  rotate(): Promise<{ secret: string; formerUntil: Date }>;
  /** What is undefined stays. One that its receiver has stopped is sent events again. */
  update(change: EndpointChange): Promise<void>;
  /** With the events that wait for it. */
  remove(): Promise<void>;
  /** Sends an event of the type `webhook.test` at once, and answers why it was not delivered; null: it was. */
  test(): Promise<string | null>;
  /** The newest first. */
  deliveries(state: DeliveryState | null, limit: number): Promise<WebhookDelivery[]>;
}

/**
 * Which events the endpoints of clients want, as of the latest look into the store: nothing is written of the others.
 * Until the first look, every event is wanted.
 */
export interface WantedEvents {
  has(clientId: string, type: WebhookType): boolean;
  /** Endpoints have changed: every event is wanted until the next look. */
  changed(): void;
  /** @returns receives what a look that begins now finds, unless endpoints change meanwhile */
  look(): (endpoints: readonly EnabledEndpoint[]) => void;
}
