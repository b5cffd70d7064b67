/** A long-lived API token; only the digest of its secret is kept. */
export interface ApiTokenRecord {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly digest: string;
  /** What it may do; null: everything. */
  readonly scopes: readonly string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** A token as it is made. */
type NewApiToken = Omit<ApiTokenRecord, 'revokedAt' | 'lastUsedAt' | 'scopes'> &
  Partial<Pick<ApiTokenRecord, 'scopes'>>;

/** Verifiers allow for clocks that differ a little; no revoked token may come back to life within that. */
export const jwtGraceMs = 10 * 60 * 1000;

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
  /** Remembers when an API token was used last. */
  recordUse(id: string, at: Date): Promise<void>;
  /** Remembers that a JWT is revoked until it would have expired; forgets those that have. */
  revokeJwt(jti: string, expiresAt: Date): Promise<void>;
  isJwtRevoked(jti: string): Promise<boolean>;
}
