import { idTokenAlgorithms } from '@wajah/contract/features/openid';
import type { Database } from '../../store/database/session.ts';
import { rowMapper } from '../../store/rows.ts';
import type { OpenidApp, OpenidState, OpenidStore } from './ports.ts';

const apps = rowMapper<OpenidApp>(
  'openid_apps',
  {
    id: 'text',
    clientId: 'text',
    galleryId: 'text',
    redirectUris: 'texts',
    secret: 'bytes',
    identify: 'flag',
    idTokenAlg: 'text',
    createdAt: 'time',
  },
  {},
  { idTokenAlg: (alg) => idTokenAlgorithms.includes(alg) },
);

const states = rowMapper<OpenidState>('openid_states', {
  id: 'text',
  clientId: 'text',
  app: 'text',
  galleryId: 'text',
  userId: 'text',
  grantId: 'text',
  payload: 'bytes',
  expiresAt: 'time',
  consumedAt: 'time',
});

const keys = rowMapper<{ keys: Uint8Array }>('openid_keys', { keys: 'bytes' });

export function createOpenidStore(db: Database): OpenidStore {
  return { ...appStore(db), ...stateStore(db) };
}

function appStore(db: Database) {
  return {
    async addApp(app, most) {
      const [id, ...others] = apps.values(app);
      const sql = `INSERT INTO openid_apps (${Object.keys(apps.columns)})
        SELECT $1, g.client_id, g.gallery_id, $4, $5, CAST($6 AS bigint), $7, CAST($8 AS bigint) FROM galleries g
         WHERE g.client_id = $2 AND g.gallery_id = $3
           AND (SELECT count(*) FROM openid_apps a WHERE a.client_id = $2) < CAST($9 AS bigint) ${db.dialect.forKeyShare}`;
      return (await db.run(sql, id!, ...others, most)) === 1;
    },
    app: (id) => apps.get(db, 'SELECT * FROM openid_apps WHERE id = $1', id),
    apps: (clientId) =>
      apps.all(db, 'SELECT * FROM openid_apps WHERE client_id = $1 ORDER BY created_at, id', clientId),
    async removeApp(id) {
      await db.erase('DELETE FROM openid_states WHERE app = $1', id);
      return (await db.erase('DELETE FROM openid_apps WHERE id = $1', id)) === 1;
    },
    async keys(id, made) {
      const read = () => keys.get(db, 'SELECT keys FROM openid_keys WHERE id = $1', id);
      const found = await read();
      if (found) return found.keys;
      const sql = 'INSERT INTO openid_keys (id, keys) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING';
      await db.run(sql, id, await made());
      return (await read())!.keys;
    },
    async replaceKeys(id, from, to) {
      const sql = 'UPDATE openid_keys SET keys = $3 WHERE id = $1 AND keys = $2';
      return (await db.run(sql, id, from, to)) === 1;
    },
  } satisfies Partial<OpenidStore>;
}

function stateStore(db: Database) {
  return {
    async put(state) {
      const columns = Object.keys(states.columns);
      const sql = `INSERT INTO openid_states (${columns})
        SELECT $1, a.client_id, a.id, a.gallery_id, $5, $6, $7, CAST($8 AS bigint), CAST($9 AS bigint)
          FROM openid_apps a WHERE a.client_id = $2 AND a.id = $3 AND a.gallery_id = $4
        ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, payload = excluded.payload,
          expires_at = excluded.expires_at`;
      await db.run(sql, ...states.values(state));
    },
    state: (id) => states.get(db, 'SELECT * FROM openid_states WHERE id = $1', id),
    async consume(id, at) {
      const sql = 'UPDATE openid_states SET consumed_at = $2 WHERE id = $1 AND consumed_at IS NULL';
      return (await db.run(sql, id, at.getTime())) === 1;
    },
    async remove(id) {
      await db.erase('DELETE FROM openid_states WHERE id = $1', id);
    },
    async removeOfGrant(grantId) {
      await db.erase('DELETE FROM openid_states WHERE grant_id = $1', grantId);
    },
    async prune(now) {
      await db.erase('DELETE FROM openid_states WHERE expires_at < $1', now.getTime());
    },
  } satisfies Partial<OpenidStore>;
}
