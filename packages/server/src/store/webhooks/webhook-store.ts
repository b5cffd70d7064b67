import type { webhookTypes } from '@wajah/contract';

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
  /** Why it was disabled; null: it is not, or the operator did it. */
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
  readonly payload: string;
  readonly createdAt: Date;
  readonly state: DeliveryState;
  /** Attempts that have failed. */
  readonly attempts: number;
  /** When it is sent next, or its lease ends. */
  readonly nextAt: Date;
  readonly error: string | null;
}

/** Which deliveries of an endpoint are sent again. */
export interface ReplayFilter {
  readonly eventId?: string | undefined;
  readonly since?: Date | undefined;
  readonly state?: DeliveryState | undefined;
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
  setEnabled(id: string, enabled: boolean, reason: string | null): Promise<boolean>;
  /** With its deliveries. */
  remove(id: string): Promise<boolean>;
  /** Writes a row for each endpoint of the client that wants the event; all events, or none. */
  append(events: readonly OutboxEvent[]): Promise<void>;
  /** Enabled endpoints of all clients. */
  enabled(now: Date): Promise<EnabledEndpoint[]>;
  /**
   * Takes the oldest delivery whose time has come. No other server takes it before the lease ends.
   * @returns null when there is none
   */
  lease(endpoint: string, now: Date, until: Date): Promise<WebhookDelivery | null>;
  /**
   * Writes the outcome of an attempt, unless the lease was lost. An erasure that was told is forgotten.
   * @param next null: it is done, delivered without an error and dead with one
   */
  settle(delivery: WebhookDelivery, now: Date, next: Date | null, error: string | null): Promise<void>;
  /** The newest first. */
  deliveries(endpoint: string, state: DeliveryState | null, limit: number): Promise<WebhookDelivery[]>;
  /** Makes deliveries that are done pending again. @returns how many */
  replay(endpoint: string, filter: ReplayFilter, now: Date): Promise<number>;
  /** The deliveries about a user_id, of any gallery or none, the oldest first. */
  listOf(clientId: string, userId: string): Promise<WebhookDelivery[]>;
  /** Erases the deliveries about a user_id, of any gallery or none, but those that tell the erasure. @returns how many */
  forget(clientId: string, userId: string): Promise<number>;
  use(): Promise<OutboxUse>;
  /** Erases deliveries that were done before. */
  prune(before: Date): Promise<void>;
}
