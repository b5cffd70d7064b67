/** What other pages call this feature's scope, events and endpoints. */
import type { Facts } from '../../i18n/facts.ts';

export const webhookScopes = {
  scope_webhooks: 'Create, change, test and delete webhooks, which are sent what calls find.',
} as const;

export const webhookEvents = {
  event_webhook_changed: 'Webhook changed',
} as const;

export const webhookSentences = {
  webhook_changed: ({ what }: Facts) => `changed a webhook: ${what}`,
} as const;

export const webhookOperations = [
  'createWebhook',
  'listWebhooks',
  'updateWebhook',
  'rotateWebhookSecret',
  'testWebhook',
  'listWebhookDeliveries',
  'deleteWebhook',
];
