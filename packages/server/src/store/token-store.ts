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
  /** Stores the time of the last use. */
  recordUse(id: string, at: Date): Promise<void>;
  /** Stores the revocation of a JWT until it expires; deletes expired revocations. */
  revokeJwt(jti: string, expiresAt: Date): Promise<void>;
  isJwtRevoked(jti: string): Promise<boolean>;
}
