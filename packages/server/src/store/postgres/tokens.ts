import { type TokenRow, toToken } from '../rows.ts';
import { jwtGraceMs, type TokenStore } from '../token-store.ts';
import type { PostgresDatabase } from './connection/database.ts';

export function postgresTokens(db: PostgresDatabase): TokenStore {
  return {
    add: async ({ id, clientId, name, digest, createdAt, expiresAt, scopes = null }) => {
      await db.run(
        `INSERT INTO api_tokens (id, client_id, name, digest, created_at, expires_at, scopes)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        id,
        clientId,
        name,
        digest,
        createdAt.getTime(),
        expiresAt?.getTime() ?? null,
        scopes && JSON.stringify(scopes),
      );
    },
    find: async (digest) => {
      const row = await db.get<TokenRow>('SELECT * FROM api_tokens WHERE digest = $1', digest);
      return row ? toToken(row) : null;
    },
    list: async (clientId) => {
      const rows = await db.all<TokenRow>(
        'SELECT * FROM api_tokens WHERE client_id = $1 ORDER BY created_at, id',
        clientId,
      );
      return rows.map(toToken);
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
      await db.run('DELETE FROM revoked_jwts WHERE expires_at < $1', Date.now() - jwtGraceMs);
      await db.run(
        'INSERT INTO revoked_jwts VALUES ($1, $2) ON CONFLICT DO NOTHING',
        jti,
        expiresAt.getTime(),
      );
    },
    isJwtRevoked: async (jti) =>
      (await db.get('SELECT 1 FROM revoked_jwts WHERE jti = $1', jti)) !== undefined,
  };
}
