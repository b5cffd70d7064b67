import { type TokenRow, toToken } from '../rows.ts';
import type { MetaStore } from '../store.ts';
import { jwtGraceMs, type TokenStore } from '../token-store.ts';
import type { SqlExecutor } from './executor.ts';

export function sqlMeta(db: SqlExecutor): MetaStore {
  const find = async (key: string) =>
    (await db.get<{ value: string }>('SELECT value FROM meta WHERE key = $1', key))?.value;
  return {
    get: async (key) => (await find(key)) ?? null,
    setIfAbsent: async (key, value) => {
      await db.run('INSERT INTO meta VALUES ($1, $2) ON CONFLICT DO NOTHING', key, value);
      return (await find(key)) ?? value;
    },
    replace: async (key, from, to) =>
      (await db.run('UPDATE meta SET value = $3 WHERE key = $1 AND value = $2', key, from, to)) === 1,
    set: async (key, value) => {
      const upsert =
        'INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
      if (value === null) await db.run('DELETE FROM meta WHERE key = $1', key);
      else await db.run(upsert, key, value);
    },
  };
}

export function sqlTokens(db: SqlExecutor): TokenStore {
  return {
    add: async ({ id, clientId, name, digest, createdAt, expiresAt, scopes = null, binding = null }) => {
      await db.run(
        `INSERT INTO api_tokens (id, client_id, name, digest, created_at, expires_at, scopes, service, gallery_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        id,
        clientId,
        name,
        digest,
        createdAt.getTime(),
        expiresAt?.getTime() ?? null,
        scopes && JSON.stringify(scopes),
        binding?.service ?? null,
        binding?.galleryId ?? null,
      );
    },
    find: async (digest) => {
      const row = await db.get<TokenRow>('SELECT * FROM api_tokens WHERE digest = $1', digest);
      return row ? toToken(row) : null;
    },
    list: async (clientId) => {
      const sql = 'SELECT * FROM api_tokens WHERE client_id = $1 ORDER BY created_at, id';
      return (await db.all<TokenRow>(sql, clientId)).map(toToken);
    },
    revoke: async (idOrDigest, at, clientId) =>
      (await db.run(
        `UPDATE api_tokens SET revoked_at = coalesce(revoked_at, $2)
         WHERE (id = $1 OR digest = $1) AND client_id = coalesce($3, client_id)`,
        idOrDigest,
        at.getTime(),
        clientId ?? null,
      )) > 0,
    recordUse: async (id, at) => {
      await db.run('UPDATE api_tokens SET last_used_at = $2 WHERE id = $1', id, at.getTime());
    },
    revokeJwt: async (jti, expiresAt) => {
      await db.erase('DELETE FROM revoked_jwts WHERE expires_at < $1', Date.now() - jwtGraceMs);
      const insert = 'INSERT INTO revoked_jwts VALUES ($1, $2) ON CONFLICT DO NOTHING';
      await db.run(insert, jti, expiresAt.getTime());
    },
    isJwtRevoked: async (jti) =>
      (await db.get('SELECT 1 FROM revoked_jwts WHERE jti = $1', jti)) !== undefined,
  };
}
