import type {
  CreateWebhookRequest,
  ListDeliveriesRequest,
  UpdateWebhookRequest,
  WebhookRequest,
} from '@wajah/contract';
import type { WebhookDelivery, WebhookEndpoint, WebhookType } from '../../store/ports.ts';
import type { Caller } from '../caller.ts';

/** Webhooks, managed by their client. All but `create` and `list` throw Refusal `webhookNotFound`. */
export interface ClientWebhooks {
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
