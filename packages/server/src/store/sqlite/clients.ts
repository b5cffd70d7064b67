import { eraseAuditOf } from '../audit/sql.ts';
import { sqlClients } from '../sql/clients.ts';
import { eraseFrames } from '../sql/frames.ts';
import { eraseMarkedRecordings, markRecordingsOfClient } from '../sql/recordings.ts';
import type { ClientStore } from '../store.ts';
import { eraseActivity } from './activity.ts';
import type { SqliteDatabase } from './connection/database.ts';
import { detachGalleries, eraseDetached } from './faces/erase.ts';

const tablesOfClient = [
  'refused_calls',
  'liveness_frames',
  'liveness_sessions',
  'webhook_deliveries',
  'webhook_endpoints',
];

export function sqliteClients(db: SqliteDatabase): ClientStore {
  return {
    ...sqlClients(db.executor),
    unregister: async (clientId) => {
      await eraseFrames(db.executor, 'client_id = $1', clientId);
      await db.write(
        () => {
          detachGalleries(db, 'client_id = $1', clientId);
          for (const table of tablesOfClient) db.run(`DELETE FROM ${table} WHERE client_id = $1`, clientId);
          db.run(markRecordingsOfClient, clientId);
          db.run('UPDATE clients SET registered_at = NULL WHERE client_id = $1', clientId);
        },
        { erases: true },
      );
      await eraseRest(db, clientId);
    },
    remove: async (clientId) => {
      // The foreign key would erase all of them in one transaction, which holds the event loop.
      await eraseFrames(db.executor, 'client_id = $1', clientId);
      const found = await db.write(
        () => {
          detachGalleries(db, 'client_id = $1', clientId);
          db.run(markRecordingsOfClient, clientId);
          return db.run('DELETE FROM clients WHERE client_id = $1', clientId) === 1;
        },
        { erases: true },
      );
      if (found) await eraseRest(db, clientId);
      return found;
    },
  };
}

/** What takes several transactions. */
async function eraseRest(db: SqliteDatabase, clientId: string): Promise<void> {
  await eraseActivity(db, clientId);
  await eraseAuditOf(db.executor, clientId);
  await eraseDetached(db);
  await eraseMarkedRecordings(db.executor, () => db.purge());
}
