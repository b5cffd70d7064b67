import { sqlClients } from '../sql/clients.ts';
import type { ClientStore } from '../store.ts';
import { eraseActivity } from './activity.ts';
import type { SqliteDatabase } from './connection/database.ts';
import { detachGalleries, eraseDetached } from './faces/erase.ts';

export function sqliteClients(db: SqliteDatabase): ClientStore {
  return {
    ...sqlClients(db.executor),
    unregister: async (clientId) => {
      await db.write(() => {
        detachGalleries(db, 'client_id = $1', clientId);
        for (const table of ['refused_calls', 'liveness_frames', 'liveness_sessions'])
          db.run(`DELETE FROM ${table} WHERE client_id = $1`, clientId);
        db.run('UPDATE clients SET registered_at = NULL WHERE client_id = $1', clientId);
      });
      await eraseActivity(db, clientId);
      await eraseDetached(db);
    },
    remove: async (clientId) => {
      const found = await db.write(() => {
        detachGalleries(db, 'client_id = $1', clientId);
        return db.run('DELETE FROM clients WHERE client_id = $1', clientId) === 1;
      });
      if (found) await eraseActivity(db, clientId);
      if (found) await eraseDetached(db);
      return found;
    },
  };
}
