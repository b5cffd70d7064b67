import type { PostgresDatabase, Session } from '../postgres/connection/database.ts';
import { countDropped, insertDeliveries, outboxValues, sqlWebhooks } from './sql.ts';
import type { OutboxEvent, WebhookStore } from './webhook-store.ts';

export function postgresWebhooks(db: PostgresDatabase): WebhookStore {
  return {
    ...sqlWebhooks(db, 'FOR UPDATE SKIP LOCKED'),
    append: (events) =>
      db.transaction(async (session) => {
        for (const event of events) await writeEvent(session, event);
      }),
  };
}

/** In the transaction of what the event tells. @param event undefined: nobody is told */
export async function writeEvent(session: Session, event: OutboxEvent | undefined): Promise<void> {
  if (!event) return;
  await session.run(insertDeliveries, ...outboxValues(event));
  await session.run(countDropped, event.clientId, event.type, event.id);
}
