import { createRemoteJWKSet, decodeJwt, errors as joseErrors, jwtVerify } from 'jose';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import { clockSkew, expiredToken, unknownToken } from './token-issuer.ts';

type IssuerConfig = NonNullable<Config['tokens']['issuer']>;

/** Asymmetric signatures only: an HMAC key would be a secret that both servers share. */
const algorithms = ['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']; // biome-ignore format: one list

export type ExternalIssuer = ReturnType<typeof createExternalIssuer>;

/**
 * Verifies the tokens of an external issuer that the operator trusts. Fetches the keys on first use and caches them; fetches again for an unknown kid, at most every 30 s.
 */
export function createExternalIssuer(config: IssuerConfig) {
  const keys = createRemoteJWKSet(new URL(config.jwksUrl), { timeoutDuration: 5000 });
  const { issuer, audience } = config;
  return {
    /** Whether `iss` of a token names this issuer; the token is not verified. */
    claims(token: string): boolean {
      try {
        return decodeJwt(token).iss === issuer;
      } catch {
        return false;
      }
    },

    /**
     * @returns the client that the configured claim names; jti where the token has one
     * @throws Refusal `unauthorized`; `busy` when the issuer's keys cannot be fetched
     */
    async read(token: string): Promise<{ clientId: string; jti: string | undefined }> {
      const options = { algorithms, issuer, audience, clockTolerance: clockSkew, requiredClaims: ['exp'] };
      try {
        const { payload } = await jwtVerify(token, keys, options);
        const clientId = payload[config.clientClaim];
        if (typeof clientId !== 'string') throw unknownToken();
        return { clientId, jti: payload.jti };
      } catch (error) {
        throw refusalOf(error);
      }
    },
  };
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
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
