import { minuteMs } from '../lib/time.ts';
import type { Database, Session } from './database/session.ts';
import type { ApiTokenRecord, TokenBinding, TokenStore } from './ports/tokens.ts';
import { orNull, rowMapper } from './rows.ts';

const kinds = {
  id: 'text',
  clientId: 'text',
  name: 'text',
  digest: 'text',
  scopes: 'texts',
  createdAt: 'time',
  expiresAt: 'time',
  revokedAt: 'time',
  lastUsedAt: 'time',
} as const;
const bindingKinds = { service: 'text', galleryId: 'text' } as const;
const services = ['recognition', 'detection', 'verification', 'gallery'];
const bindings = rowMapper<TokenBinding>(
  'api_tokens',
  bindingKinds,
  {},
  { service: (name) => services.includes(name) },
);
const tokens = rowMapper<ApiTokenRecord>('api_tokens', { ...kinds, binding: orNull(bindings, 'service') });
const rows = rowMapper<Omit<ApiTokenRecord, 'binding'> & Nullable<TokenBinding>>('api_tokens', {
  ...kinds,
  ...bindingKinds,
});

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/** Time that a revocation outlives its token, since verifiers tolerate clock skew. */
const jwtGraceMs = 10 * minuteMs;

const recordUse = `
  UPDATE api_tokens SET last_used_at = $2, expires_at = CASE service
      WHEN 'gallery' THEN expires_at + $2 - coalesce(last_used_at, created_at) ELSE expires_at END
    WHERE id = $1`;

/** The gallery is not erased until the transaction ends. */
const galleryFor = ({ dialect }: Session) =>
  `SELECT 1 FROM galleries WHERE client_id = $1 AND gallery_id = $2 ${dialect.forKeyShare}`;

export function createTokenStore(db: Database): TokenStore {
  return {
    add: ({ binding, ...token }) =>
      db.transaction(async (session) => {
        const { service = null, galleryId = null } = binding ?? {};
        if (galleryId !== null && !(await session.get(galleryFor(session), token.clientId, galleryId)))
          return false;
        const row = { ...token, service, galleryId, revokedAt: null, lastUsedAt: null };
        await session.run(rows.insert(), ...rows.values(row));
        return true;
      }),
    find: (digest) => tokens.get(db, 'SELECT * FROM api_tokens WHERE digest = $1', digest),
    async list(clientId) {
      const sql = 'SELECT * FROM api_tokens WHERE client_id = $1 ORDER BY created_at, id';
      return tokens.all(db, sql, clientId);
    },
    async revoke(idOrDigest, at, clientId) {
      const sql = `UPDATE api_tokens SET revoked_at = coalesce(revoked_at, $2)
        WHERE (id = $1 OR digest = $1) AND client_id = coalesce($3, client_id)`;
      return (await db.run(sql, idOrDigest, at.getTime(), clientId ?? null)) > 0;
    },
    async recordUse(id, at) {
      await db.run(recordUse, id, at.getTime());
    },
    async revokeJwt(jti, expiresAt) {
      await db.erase('DELETE FROM revoked_jwts WHERE expires_at < $1', Date.now() - jwtGraceMs);
      const insert = 'INSERT INTO revoked_jwts VALUES ($1, $2) ON CONFLICT DO NOTHING';
      await db.run(insert, jti, expiresAt.getTime());
    },
    async jwtState(jti, clientId) {
      const row = await db.get<{ revoked: number; created: number | null; since: number | null }>(
        `SELECT (SELECT count(*) FROM revoked_jwts WHERE jti = $1) AS revoked,
           c.created_at AS created, coalesce(c.tokens_since, c.created_at) AS since
           FROM (SELECT 1) AS one LEFT JOIN clients c ON c.client_id = $2`,
        jti,
        clientId,
      );
      const { revoked, created, since } = row!;
      return { revoked: revoked > 0, account: created === null ? null : { created, since: since! } };
    },
  };
}
