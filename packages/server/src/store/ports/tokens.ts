import type { Scope } from '@wajah/contract';

/** A service of a compatible interface that has tokens of its own. */
export type CompatibleService = 'recognition' | 'detection' | 'verification';

/** What a token is bound to: it works for this service only, or identifies faces in a gallery and does nothing else. */
export interface TokenBinding {
  readonly service: CompatibleService | 'gallery';
  /** Of a recognition service, and of a gallery. */
  readonly galleryId: string | null;
}

/** A long-lived API token, stored as a digest. */
export interface ApiTokenRecord {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly digest: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** Null: a token of the service's own interface. */
  readonly binding: TokenBinding | null;
}

/** A token to create. */
export type NewApiToken = Omit<ApiTokenRecord, 'revokedAt' | 'lastUsedAt' | 'binding'> &
  Partial<Pick<ApiTokenRecord, 'binding'>>;

export interface JwtState {
  readonly revoked: boolean;
  /** Creation of the client, and `ClientRecord.tokensSince`, ms since 1970; null: there is no such client. */
  readonly account: { readonly created: number; readonly since: number } | null;
}

/** API tokens, which are revoked with the gallery that they are bound to, and revoked access tokens. */
export interface TokenStore {
  /** @returns false when there is no such gallery as it is bound to */
  add(token: NewApiToken): Promise<boolean>;
  find(digest: string): Promise<ApiTokenRecord | null>;
  list(clientId: string): Promise<ApiTokenRecord[]>;
  /**
   * Revokes an API token by id or digest.
   * @param clientId only if it belongs to this client
   * @returns false when there is none
   */
  revoke(idOrDigest: string, at: Date, clientId?: string): Promise<boolean>;
  /** Stores the time of the last use. A token of a gallery that expires does so as long after it as after its creation. */
  recordUse(id: string, at: Date): Promise<void>;
  /** Stores the revocation of a JWT until it expires; deletes expired revocations. */
  revokeJwt(jti: string, expiresAt: Date): Promise<void>;
  /** What a JWT of a client is checked against, in one statement. */
  jwtState(jti: string, clientId: string): Promise<JwtState>;
}
