import type { SqliteDatabase } from '../sqlite/connection/database.ts';
import { countDropped, insertDeliveries, outboxValues, sqlWebhooks } from './sql.ts';
import type { OutboxEvent, WebhookStore } from './webhook-store.ts';

export function sqliteWebhooks(db: SqliteDatabase): WebhookStore {
  return {
    ...sqlWebhooks(db.executor, ''),
    append: (events) =>
      db.write(() => {
        for (const event of events) writeEvent(db, event);
      }),
  };
}

/** In the transaction of what the event tells. @param event undefined: nobody is told */
export function writeEvent(db: SqliteDatabase, event: OutboxEvent | undefined): void {
  if (!event) return;
  db.run(insertDeliveries, ...outboxValues(event));
  db.run(countDropped, event.clientId, event.type, event.id);
}
