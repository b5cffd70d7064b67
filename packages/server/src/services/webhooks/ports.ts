import type {
  CreateWebhookRequest,
  ListDeliveriesRequest,
  UpdateWebhookRequest,
  WebhookRequest,
} from '@wajah/contract';
import type { EventOutbox } from '../../events/ports.ts';
import type {
  DeliveryState,
  EnabledEndpoint,
  EndpointChange,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookType,
} from '../../store/ports.ts';
import type { Caller } from '../caller.ts';

/** Webhooks, managed by their client. All but `create` and `list` throw Refusal `webhookNotFound`. */
export interface ClientWebhooks {
  /** Whether the server sends webhooks. */
  readonly on: boolean;
  /** @returns the secret, which cannot be read again @throws Refusal `malformed` | `denied` */
  create(
    caller: Caller,
    request: CreateWebhookRequest,
  ): Promise<{ id: string; url: string; types: readonly WebhookType[] | null; secret: string }>;
  /** In the order of their creation. */
  list(caller: Caller): Promise<WebhookEndpoint[]>;
  /** @throws Refusal `malformed` */
  update(caller: Caller, request: UpdateWebhookRequest): Promise<void>;
  rotate(caller: Caller, request: WebhookRequest): Promise<{ secret: string; formerUntil: Date }>;
  remove(caller: Caller, request: WebhookRequest): Promise<void>;
  /** @returns why it was not delivered; null: it was @throws Refusal `denied` | `tooManyRequests` */
  test(caller: Caller, request: WebhookRequest): Promise<string | null>;
  deliveries(caller: Caller, request: ListDeliveriesRequest): Promise<WebhookDelivery[]>;
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

/** Writes events for the endpoints of clients. */
export interface Outbox extends EventOutbox {
  /** Resolves when the events so far are written or lost. */
  settled(): Promise<void>;
}
