import type { ApiTokenRecord, TokenStore } from '../store.ts';
import { dateOf, dateOrNull, type SqliteDatabase } from './database.ts';

interface TokenRow {
  readonly id: string;
  readonly client_id: string;
  readonly name: string;
  readonly digest: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

export function sqliteTokens(db: SqliteDatabase): TokenStore {
  return {
    add: async ({ id, clientId, name, digest, createdAt, expiresAt }) => {
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
    },
    find: async (digest) => {
      const row = db.get<TokenRow>('SELECT * FROM api_tokens WHERE digest = ?', digest);
      return row ? toRecord(row) : null;
    },
    list: async (clientId) =>
      db
        .all<TokenRow>('SELECT * FROM api_tokens WHERE client_id = ? ORDER BY created_at, id', clientId)
        .map(toRecord),
    revoke: async (idOrDigest, at) =>
      db.run(
        'UPDATE api_tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? OR digest = ?',
        at.getTime(),
        idOrDigest,
        idOrDigest,
      ) > 0,
    revokeJwt: async (jti, expiresAt) => revokeJwt(db, jti, expiresAt),
    isJwtRevoked: async (jti) => db.get('SELECT 1 FROM revoked_jwts WHERE jti = ?', jti) !== undefined,
  };
}

function revokeJwt(db: SqliteDatabase, jti: string, expiresAt: Date): void {
  db.transaction(() => {
    db.run('DELETE FROM revoked_jwts WHERE expires_at < ?', Date.now() - graceMs);
    db.run('INSERT INTO revoked_jwts VALUES (?, ?) ON CONFLICT DO NOTHING', jti, expiresAt.getTime());
  });
}

/** Verifiers allow for clocks that differ a little; no token may come back to life within that. */
const graceMs = 10 * 60 * 1000;

function toRecord(row: TokenRow): ApiTokenRecord {
  return {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    digest: row.digest,
    createdAt: dateOf(row.created_at),
    expiresAt: dateOrNull(row.expires_at),
    revokedAt: dateOrNull(row.revoked_at),
  };
}
