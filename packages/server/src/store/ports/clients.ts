/** Limits of a client; −1 is unlimited. */
export interface Quota {
  readonly hits: number;
  readonly faces: number;
  readonly galleries: number;
}

/** An account and its usage. */
export interface ClientRecord {
  readonly clientId: string;
  /** Encoded scrypt hash; null for clients of an external issuer. */
  readonly passwordHash: string | null;
  /** Null until registered. */
  readonly registeredAt: Date | null;
  readonly createdAt: Date;
  /** Access tokens that were issued before are refused. */
  readonly tokensSince: Date;
  /** May read the server's status. */
  readonly operator: boolean;
  readonly quota: Quota;
  readonly used: Quota;
}

/** A quota of which a client has used much. */
export interface QuotaUse {
  readonly clientId: string;
  readonly quota: keyof Quota;
  readonly used: number;
  readonly limit: number;
}

/** Which tokens a new password revokes, and when. */
export interface PasswordChange {
  readonly at: Date;
  /** `access`: those issued for a password · `all`: API tokens too. */
  readonly revoke: 'all' | 'access' | 'none';
  /** Hash of the password that is replaced; absent: any. */
  readonly former?: string;
}

/** Accounts of clients. */
export interface ClientStore {
  /** @returns false when the client exists already */
  create(client: Pick<ClientRecord, 'clientId' | 'passwordHash' | 'quota'>): Promise<boolean>;
  get(clientId: string): Promise<ClientRecord | null>;
  /** In the order of their names, after one (exclusive). @param page default: all */
  list(page?: { readonly after?: string | undefined; readonly limit?: number }): Promise<ClientRecord[]>;
  /** @returns false when there is no such client */
  setQuota(clientId: string, quota: Partial<Quota>): Promise<boolean>;
  setPassword(clientId: string, passwordHash: string, change: PasswordChange): Promise<boolean>;
  /** @returns false when there is no such client */
  setOperator(clientId: string, operator: boolean): Promise<boolean>;
  /** Marks the client registered; idempotent. @returns whether this call did it */
  register(clientId: string, at: Date): Promise<boolean>;
  /** Erases galleries, and all else that is of the client. The account stays, unregistered, with its used hits. */
  unregister(clientId: string): Promise<void>;
  /** Erases the account and everything that belongs to it. @returns false when there is no such client */
  remove(clientId: string): Promise<boolean>;
  /**
   * Counts hits, 1 by default, atomically. The embedded store may lose them in a power failure, and not before.
   * @returns how many remain, and the quota, both infinity without one; null when fewer than `hits` remained, or the
   *   client is not registered: then none is counted
   */
  takeHits(clientId: string, hits?: number): Promise<{ left: number; quota: number } | null>;
  nearQuota(): Promise<QuotaUse[]>;
  /** Takes back one hit, of a call refused as busy. */
  returnHit(clientId: string): Promise<void>;
}
