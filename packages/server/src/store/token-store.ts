import { minuteMs } from '../lib/time.ts';
import type { Database } from './database/session.ts';
import { dateOf, dateOrNull } from './rows.ts';

/** The services of CompreFace that a token can be made for. */
export const boundServices = ['recognition', 'detection', 'verification'] as const;

/** What a token of a compatible interface is bound to: it works for this service only. */
export interface TokenBinding {
  readonly service: (typeof boundServices)[number];
  /** Of a recognition service. */
  readonly galleryId: string | null;
}

/** A long-lived API token, stored as a digest. */
export interface ApiTokenRecord {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly digest: string;
  /** Null: all scopes. */
  readonly scopes: readonly string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** Null: a token of the service's own interface. */
  readonly binding: TokenBinding | null;
}

/** A token to create. */
type NewApiToken = Omit<ApiTokenRecord, 'revokedAt' | 'lastUsedAt' | 'scopes' | 'binding'> &
  Partial<Pick<ApiTokenRecord, 'scopes' | 'binding'>>;

/** Time that a revocation outlives its token, since verifiers tolerate clock skew. */
const jwtGraceMs = 10 * minuteMs;

export interface TokenStore {
  add(token: NewApiToken): Promise<void>;
  find(digest: string): Promise<ApiTokenRecord | null>;
  list(clientId: string): Promise<ApiTokenRecord[]>;
  /**
   * Revokes an API token by id or digest.
   * @param clientId only if it belongs to this client
   * @returns false when there is none
   */
  revoke(idOrDigest: string, at: Date, clientId?: string): Promise<boolean>;
  /** Stores the time of the last use. */
  recordUse(id: string, at: Date): Promise<void>;
  /** Stores the revocation of a JWT until it expires; deletes expired revocations. */
  revokeJwt(jti: string, expiresAt: Date): Promise<void>;
  isJwtRevoked(jti: string): Promise<boolean>;
}

interface TokenRow {
  readonly id: string;
  readonly client_id: string;
  readonly name: string;
  readonly digest: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  /** JSON */
  readonly scopes: string | null;
  readonly last_used_at: number | null;
  readonly service: TokenBinding['service'] | null;
  readonly gallery_id: string | null;
}

function toToken(row: TokenRow): ApiTokenRecord {
  return {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    digest: row.digest,
    createdAt: dateOf(row.created_at),
    expiresAt: dateOrNull(row.expires_at),
    revokedAt: dateOrNull(row.revoked_at),
    scopes: row.scopes === null ? null : (JSON.parse(row.scopes) as string[]),
    lastUsedAt: dateOrNull(row.last_used_at),
    binding: row.service === null ? null : { service: row.service, galleryId: row.gallery_id },
  };
}

export function createTokenStore(db: Database): TokenStore {
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
