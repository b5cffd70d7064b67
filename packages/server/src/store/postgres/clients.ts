import { erasePostgresAuditOf } from '../audit/postgres.ts';
import { sqlClients } from '../sql/clients.ts';
import { eraseMarkedRecordings, markRecordingsOfClient } from '../sql/recordings.ts';
import type { ClientStore } from '../store.ts';
import type { PostgresDatabase, Session } from './connection/database.ts';
import { detachGalleries, eraseDetached } from './faces/erase.ts';

const tablesOfClient = [
  'activity',
  'refused_calls',
  'liveness_frames',
  'liveness_sessions',
  'webhook_deliveries',
  'webhook_endpoints',
];

export function postgresClients(db: PostgresDatabase): ClientStore {
  return {
    ...sqlClients(db),
    unregister: async (clientId) => {
      await db.transaction(async (session) => {
        await detachAll(session, clientId);
        for (const table of tablesOfClient)
          await session.run(`DELETE FROM ${table} WHERE client_id = $1`, clientId);
        await session.run(markRecordingsOfClient, clientId);
        await session.run('UPDATE clients SET registered_at = NULL WHERE client_id = $1', clientId);
      });
      await erasePostgresAuditOf(db, clientId);
      await eraseDetached(db);
      await eraseMarkedRecordings(db, () => {});
    },
    remove: async (clientId) => {
      const found = await db.transaction(async (session) => {
        await detachAll(session, clientId);
        await session.run('DELETE FROM activity WHERE client_id = $1', clientId);
        await session.run(markRecordingsOfClient, clientId);
        return (await session.run('DELETE FROM clients WHERE client_id = $1', clientId)) === 1;
      });
      if (found) {
        await erasePostgresAuditOf(db, clientId);
        await eraseDetached(db);
        await eraseMarkedRecordings(db, () => {});
      }
      return found;
    },
  };
}

/** Galleries first and then their client, in the order in which an enrolment locks them. */
async function detachAll(session: Session, clientId: string): Promise<void> {
  await detachGalleries(session, 'client_id = $1', clientId);
  await session.run('SELECT 1 FROM clients WHERE client_id = $1 FOR UPDATE', clientId);
  // A gallery may have been created before the lock; none can be after it.
  await detachGalleries(session, 'client_id = $1', clientId);
}
