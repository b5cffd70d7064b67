import { type TokenRow, toToken } from '../rows.ts';
import { jwtGraceMs, type TokenStore } from '../token-store.ts';
import type { SqliteDatabase } from './connection/database.ts';

export function sqliteTokens(db: SqliteDatabase): TokenStore {
  return {
    add: ({ id, clientId, name, digest, createdAt, expiresAt, scopes = null }) =>
      db.write(() => {
        db.run(
          `INSERT INTO api_tokens (id, client_id, name, digest, created_at, expires_at, scopes)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
          id,
          clientId,
          name,
          digest,
          createdAt.getTime(),
          expiresAt?.getTime() ?? null,
          scopes && JSON.stringify(scopes),
        );
      }),
    find: async (digest) => {
      const row = db.get<TokenRow>('SELECT * FROM api_tokens WHERE digest = ?', digest);
      return row ? toToken(row) : null;
    },
    list: async (clientId) =>
      db
        .all<TokenRow>('SELECT * FROM api_tokens WHERE client_id = ? ORDER BY created_at, id', clientId)
        .map(toToken),
    revoke: (idOrDigest, at, clientId) => db.write(() => revoke(db, idOrDigest, at, clientId)),
    recordUse: (id, at) =>
      db.write(() => {
        db.run('UPDATE api_tokens SET last_used_at = ? WHERE id = ?', at.getTime(), id);
      }),
    revokeJwt: (jti, expiresAt) => db.write(() => revokeJwt(db, jti, expiresAt)),
    isJwtRevoked: async (jti) => db.get('SELECT 1 FROM revoked_jwts WHERE jti = ?', jti) !== undefined,
  };
}

function revoke(db: SqliteDatabase, idOrDigest: string, at: Date, clientId: string | null = null): boolean {
  const changed = db.run(
    `UPDATE api_tokens SET revoked_at = coalesce(revoked_at, ?1)
     WHERE (id = ?2 OR digest = ?2) AND client_id = coalesce(?3, client_id)`,
    at.getTime(),
    idOrDigest,
    clientId,
  );
  return changed > 0;
}

function revokeJwt(db: SqliteDatabase, jti: string, expiresAt: Date): void {
  db.run('DELETE FROM revoked_jwts WHERE expires_at < ?', Date.now() - jwtGraceMs);
  db.run('INSERT INTO revoked_jwts VALUES (?, ?) ON CONFLICT DO NOTHING', jti, expiresAt.getTime());
}
