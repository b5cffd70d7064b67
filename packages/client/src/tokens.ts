import type { ClientOptions } from './options.ts';
import type { ClientTokenAnswer } from './wire.ts';

/** Supplies the access token of a call. */
export interface TokenSource {
  /** The current token; undefined when the client has neither token nor password. */
  current(): Promise<string | undefined>;
  /** Drops a token that was refused or revoked. @returns whether `current` can supply another */
  drop(token: string | undefined): boolean;
}

/** A token is renewed when this share of its lifetime is left, or `renewalMs`, whichever is less. */
const renewalShare = 0.1;
const renewalMs = 60_000;

/** @param issue requests a token with the client's password */
export function createTokenSource(
  { token, clientId }: Pick<ClientOptions, 'token' | 'clientId'>,
  issue: () => Promise<ClientTokenAnswer>,
): TokenSource {
  if (typeof token === 'function') return { current: async () => token(), drop: () => true };
  if (clientId === undefined) return { current: async () => token, drop: () => false };
  return issuedTokens(issue);
}

/** Concurrent callers share one request for a token. */
function issuedTokens(issue: () => Promise<ClientTokenAnswer>): TokenSource {
  let cached: { token: string; renewAt: number } | undefined;
  let pending: Promise<string> | undefined;
  const renew = async () => {
    const requestedAt = Date.now();
    const { access_token: token, expires_in } = await issue();
    const lifetime = expires_in * 1000;
    cached = { token, renewAt: requestedAt + lifetime - Math.min(renewalMs, lifetime * renewalShare) };
    return token;
  };
  return {
    async current() {
      if (cached !== undefined && Date.now() < cached.renewAt) return cached.token;
      pending ??= renew().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    drop(token) {
      // Another call may have renewed it already.
      if (cached?.token === token) cached = undefined;
      return true;
    },
  };
}
