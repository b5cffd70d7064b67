import { createRemoteJWKSet, decodeJwt, errors as joseErrors, jwtVerify } from 'jose';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import { clockSkew, expiredToken, unknownToken } from './token-issuer.ts';

/** Tokens of another issuer that the operator trusts. */
export interface ExternalIssuer {
  /** Whether a token claims to be of this issuer; nothing is verified. */
  claims(token: string): boolean;
  /**
   * @returns the client that the configured claim names; jti where the token has one
   * @throws Refusal `unauthorized`; `busy` when the issuer's keys cannot be fetched
   */
  read(token: string): Promise<{ clientId: string; jti: string | undefined }>;
}

type IssuerConfig = NonNullable<Config['tokens']['issuer']>;

/** Signatures only by public keys: a shared secret would have to be known here. */
const algorithms = ['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']; // biome-ignore format: one list

/** Keys are fetched when first needed and kept; an unknown kid makes them be fetched again, at most every 30 s. */
export function createExternalIssuer(config: IssuerConfig): ExternalIssuer {
  const keys = createRemoteJWKSet(new URL(config.jwksUrl), { timeoutDuration: 5000 });
  const { issuer, audience } = config;
  return {
    claims(token) {
      try {
        return decodeJwt(token).iss === issuer;
      } catch {
        return false;
      }
    },

    async read(token) {
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
  if (error instanceof joseErrors.JOSEError && !isAboutKeys(error)) return unknownToken();
  return new Refusal('busy', 'Accesstoken: the keys of the token issuer cannot be fetched now; try again');
}

/** The plain, unspecific error is what jose says of an answer that is not 200 or no JSON. */
function isAboutKeys(error: Error): boolean {
  return (
    error.constructor === joseErrors.JOSEError ||
    error instanceof joseErrors.JWKSTimeout ||
    error instanceof joseErrors.JWKSInvalid
  );
}
