import { createRemoteJWKSet, customFetch, decodeJwt, errors as joseErrors, jwtVerify } from 'jose';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import { clockSkew, expiredToken, self, unknownToken } from './token-issuer.ts';

type IssuerConfig = NonNullable<Config['tokens']['issuer']>;

/** Asymmetric signatures only: an HMAC key would be a secret that both servers share. */
const algorithms = ['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']; // biome-ignore format: one list

export type ExternalIssuer = ReturnType<typeof createExternalIssuer>;

/**
 * Verifies the tokens of an external issuer that the operator trusts. Fetches the keys on first use and caches them; fetches again for an unknown kid, at most every 30 s.
 * Whoever sends a token is not told what is wrong with it; the log is.
 */
export function createExternalIssuer(config: IssuerConfig, log: Pick<Logger, 'warn'>) {
  const keys = createRemoteJWKSet(new URL(config.jwksUrl), {
    timeoutDuration: 5000,
    [customFetch]: fetchKeys,
  });
  const { issuer, audience } = config;
  const report = (reason: string) => log.warn({ reason }, 'a token of the external issuer was refused');
  return {
    /** Refuses a verified token whose claim names no client. */
    refuseClient(found: unknown): Refusal {
      report(`${config.clientClaim} is ${shown(found)}, which is no client ID`);
      return unknownToken();
    },

    /** Whether `iss` of a token names this issuer; the token is not verified. */
    claims(token: string): boolean {
      try {
        const { iss } = decodeJwt(token);
        if (iss !== issuer && iss !== self) report(`iss is ${shown(iss)}, WAJAH_ISSUER is "${issuer}"`);
        return iss === issuer;
      } catch {
        return false;
      }
    },

    /**
     * @returns the client that the configured claim names; jti where the token has one
     * @throws Refusal `unauthorized`; `busy` when the issuer's keys cannot be fetched
     */
    async read(token: string): Promise<{ clientId: string; jti: string | undefined }> {
      // Of a key that was added since, nothing is known until the set may be fetched again.
      const mayBeOlder = keys.coolingDown;
      const options = { algorithms, issuer, audience, clockTolerance: clockSkew, requiredClaims: ['exp'] };
      try {
        const { payload } = await jwtVerify(token, keys, options);
        const clientId = payload[config.clientClaim];
        if (typeof clientId !== 'string') throw this.refuseClient(clientId);
        return { clientId, jti: payload.jti };
      } catch (error) {
        if (error instanceof Refusal) throw error;
        report(reasonOf(error));
        if (mayBeOlder && error instanceof joseErrors.JWKSNoMatchingKey)
          throw new Refusal('issuerUnreachable');
        throw refusalOf(error);
      }
    },
  };
}

/** Why the keys of the issuer cannot be fetched; null: they can. */
export async function issuerFault({ jwksUrl }: Pick<IssuerConfig, 'jwksUrl'>): Promise<string | null> {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 5000, [customFetch]: fetchKeys });
  return keys.reload().then(
    () => null,
    (error: unknown) => reasonOf(error),
  );
}

/** Sets of keys have a few kilobytes; parsing megabytes would hold up all calls. */
const maxKeySetBytes = 2 ** 18;

/** As `fetch`. @throws Error when the body is too large */
async function fetchKeys(url: string, init: Parameters<typeof fetch>[1]): Promise<Response> {
  const response = await fetch(url, init);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxKeySetBytes) throw new Error(`the key set has more than ${maxKeySetBytes} bytes`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), response);
}

/** A claim of a token, which may be long and of any kind. */
function shown(claim: unknown): string {
  return claim === undefined ? 'absent' : JSON.stringify(claim).slice(0, 120);
}

/** jose's words; where a claim is wrong, with what it is; where keys cannot be fetched, with the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  if (error instanceof joseErrors.JWTClaimValidationFailed || error instanceof joseErrors.JWTExpired) {
    return `${message}: it is ${shown(error.payload[error.claim])}`;
  }
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof joseErrors.JWTExpired) return expiredToken();
  if (error instanceof joseErrors.JOSEError && !isKeySetError(error)) return unknownToken();
  return new Refusal('issuerUnreachable');
}

/** jose throws its base class when the key set is not answered with status 200 and JSON. */
function isKeySetError(error: Error): boolean {
  return (
    error.constructor === joseErrors.JOSEError ||
    error instanceof joseErrors.JWKSTimeout ||
    error instanceof joseErrors.JWKSInvalid
  );
}
