import { type JSONWebKeySet, type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import { uuidv7 } from 'uuidv7';
import { Refusal } from '../../errors.ts';
import type { SigningKey } from '../keys/signing-key.ts';

/** Issuer and audience of this server's own tokens. */
const self = 'wajah';
/** Value of the claim `scope` (RFC 9068, section 2.2.3). */
const diagnosticsScope = 'diagnostics';
/** Tolerated clock skew, seconds. */
export const clockSkew = 5;

/** Claims of an access token of this server. */
interface AccessClaims {
  readonly clientId: string;
  readonly jti: string;
  readonly expiresAt: Date;
  /** Creation time of the account, ms since 1970: the token is invalid for a later account of the same name. */
  readonly accountCreatedAt: number;
  /** The token was issued with the scope `diagnostics`. */
  readonly diagnostics: boolean;
}

/** Issues and verifies this server's own access tokens: JWTs with EdDSA (RFC 8037). */
export interface TokenIssuer {
  /** @param diagnostics whether the token has that scope, which no token has by default */
  issue(
    client: { clientId: string; createdAt: Date },
    diagnostics?: boolean,
  ): Promise<{ accessToken: string; expiresIn: number }>;
  /**
   * Verifies a token; does not check whether it is revoked.
   * @param expired accepts an expired token, which is to be revoked
   * @throws Refusal `unauthorized`
   */
  read(token: string, expired?: boolean): Promise<AccessClaims>;
  /** The public keys, for `/.well-known/jwks.json`. */
  jwks(): JSONWebKeySet;
}

/** @param lifetimeSeconds of new tokens */
export function createTokenIssuer(key: SigningKey, lifetimeSeconds: number): TokenIssuer {
  return {
    async issue({ clientId, createdAt }, diagnostics = false) {
      const now = Math.floor(Date.now() / 1000);
      const accessToken = await new SignJWT({
        client_id: clientId,
        account: createdAt.getTime(),
        ...(diagnostics && { scope: diagnosticsScope }),
      })
        .setProtectedHeader({ alg: 'EdDSA', kid: key.kid, typ: 'at+jwt' })
        .setIssuer(self)
        .setAudience(self)
        .setSubject(clientId)
        .setJti(uuidv7())
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeSeconds)
        .sign(key.privateKey);
      return { accessToken, expiresIn: lifetimeSeconds };
    },

    async read(token, expired = false) {
      const { payload } = await verifyToken(() =>
        jwtVerify(token, key.publicKey, {
          algorithms: ['EdDSA'],
          issuer: self,
          audience: self,
          typ: 'at+jwt',
          clockTolerance: expired ? Number.MAX_SAFE_INTEGER : clockSkew,
          requiredClaims: ['exp', 'jti', 'sub'],
        }),
      );
      return claimsOf(payload);
    },

    jwks: () => ({ keys: [key.publicJwk] }),
  };
}

/**
 * Refuses an invalid token without the reason.
 * @throws Refusal `unauthorized`
 */
async function verifyToken<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    throw error instanceof joseErrors.JWTExpired ? expiredToken() : unknownToken();
  }
}

export function unknownToken(): Refusal {
  return new Refusal('unauthorized', 'Accesstoken: the token is not known here; get a new one');
}

export function expiredToken(): Refusal {
  return new Refusal('unauthorized', 'Accesstoken: the token has expired; get a new one');
}

export function revokedToken(): Refusal {
  return new Refusal('unauthorized', 'Accesstoken: the token was revoked; get a new one');
}

function claimsOf({ sub, jti, exp, account, scope }: JWTPayload): AccessClaims {
  if (sub === undefined || jti === undefined || exp === undefined || typeof account !== 'number') {
    throw unknownToken();
  }
  const diagnostics = scope === diagnosticsScope;
  return { clientId: sub, jti, expiresAt: new Date(exp * 1000), accountCreatedAt: account, diagnostics };
}
