/** The client behind a call, and the request that it serves. Services do not depend on HTTP. */
export interface Caller {
  readonly clientId: string;
  readonly trxId: string;
  /** Scopes of the token; null or absent: all. */
  readonly scopes?: readonly string[] | null;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}
