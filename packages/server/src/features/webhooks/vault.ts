import { openJsonVault } from '../../security/vaults/row-vaults.ts';
import type { Keys } from '../../security/vaults/sealing.ts';
import { webhookSealed } from './tables.ts';

/** What is sealed of an endpoint: the secrets that sign its deliveries, base64, 32 bytes each. */
export interface WebhookSecrets {
  readonly present: string;
  /** Signs beside the present one until that time, milliseconds since 1970; null: there is none. */
  readonly former: { readonly secret: string; readonly until: number } | null;
}

export type WebhookVault = ReturnType<typeof createWebhookVault>;

/** Encrypts the secrets of webhooks. */
export const createWebhookVault = (...masterKeys: Keys) =>
  openJsonVault<WebhookSecrets>(masterKeys, webhookSealed.webhookSecret);
