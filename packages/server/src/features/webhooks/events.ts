import { row } from '../../events/row.ts';

export const webhookEvents = {
  /** `what`: created, updated, secret (replaced) or deleted. */
  webhook_changed: row<{ webhook_id: string; what: string }>(),
};
