import { createHmac } from 'node:crypto';
import type { WebhookSecrets } from '../../security/vaults/webhook-vault.ts';

/** Prefix of a secret, as Standard Webhooks has it. */
export const secretPrefix = 'whsec_';

/**
 * Headers of a delivery (Standard Webhooks 1.0.0): HMAC-SHA-256 over `id.timestamp.body`, with the former secret as well
 * while that is accepted.
 * @param at of this attempt
 */
export function signedHeaders(
  secrets: WebhookSecrets,
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const { present, former } = secrets;
  const keys = [present, ...(former && former.until > at.getTime() ? [former.secret] : [])];
  const sign = (key: string) =>
    createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => `v1,${sign(key)}`).join(' '),
  };
}
