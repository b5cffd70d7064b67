import type { ClientOptions } from './options.ts';

/** A token that was issued. */
export interface Issued {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** Where the token of a call comes from. */
export interface Tokens {
  /** The token to use now; undefined when there is none. */
  current(): Promise<string | undefined>;
  /** Drops a token that was refused or revoked. @returns whether another can be had */
  drop(token: string | undefined): boolean;
}

/** A token is renewed when this share of its life is left, */
const renewalShare = 0.1;
/** or this many milliseconds, whichever is less. */
const renewalMs = 60_000;

/** @param issue fetches a token by name and password */
export function createTokens(
  { token, clientId }: Pick<ClientOptions, 'token' | 'clientId'>,
  issue: () => Promise<Issued>,
): Tokens {
  if (typeof token === 'function') {
    return { current: async () => token(), drop: () => true };
  }
  if (clientId === undefined) return { current: async () => token, drop: () => false };
  return issuedTokens(issue);
}

/** Whoever needs a token while one is fetched waits for that one. */
function issuedTokens(issue: () => Promise<Issued>): Tokens {
  let held: { token: string; renewAt: number } | undefined;
  let fetching: Promise<string> | undefined;
  const renew = async () => {
    const asked = Date.now();
    const { access_token: token, expires_in } = await issue();
    const life = expires_in * 1000;
    held = { token, renewAt: asked + life - Math.min(renewalMs, life * renewalShare) };
    return token;
  };
  return {
    async current() {
      if (held !== undefined && Date.now() < held.renewAt) return held.token;
      fetching ??= renew().finally(() => {
        fetching = undefined;
      });
      return fetching;
    },
    drop(token) {
      // Another call may have renewed it in the meantime.
      if (held?.token === token) held = undefined;
      return true;
    },
  };
}
