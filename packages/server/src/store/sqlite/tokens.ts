import { type TokenRow, toToken } from '../rows.ts';
import { jwtGraceMs, type TokenStore } from '../store.ts';
import type { SqliteDatabase } from './database.ts';

export function sqliteTokens(db: SqliteDatabase): TokenStore {
  return {
    add: ({ id, clientId, name, digest, createdAt, expiresAt }) =>
      db.write(() => {
        db.run(
          `INSERT INTO api_tokens (id, client_id, name, digest, created_at, expires_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
          id,
          clientId,
          name,
          digest,
          createdAt.getTime(),
          expiresAt?.getTime() ?? null,
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
    revoke: (idOrDigest, at) => db.write(() => revoke(db, idOrDigest, at)),
    revokeJwt: (jti, expiresAt) => db.write(() => revokeJwt(db, jti, expiresAt)),
    isJwtRevoked: async (jti) => db.get('SELECT 1 FROM revoked_jwts WHERE jti = ?', jti) !== undefined,
  };
}

function revoke(db: SqliteDatabase, idOrDigest: string, at: Date): boolean {
  const changed = db.run(
    'UPDATE api_tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? OR digest = ?',
    at.getTime(),
    idOrDigest,
    idOrDigest,
  );
  return changed > 0;
}

function revokeJwt(db: SqliteDatabase, jti: string, expiresAt: Date): void {
  db.run('DELETE FROM revoked_jwts WHERE expires_at < ?', Date.now() - jwtGraceMs);
  db.run('INSERT INTO revoked_jwts VALUES (?, ?) ON CONFLICT DO NOTHING', jti, expiresAt.getTime());
}
