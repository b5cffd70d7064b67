import { createHash, type KeyObject } from 'node:crypto';
import { type AskedScope, askedScopes } from '@wajah/contract/values';
import { type JWTHeaderParameters, type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import { uuidv7 } from 'uuidv7';
import { Refusal } from '../../errors.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';

/** Issuer and audience of this server's own tokens. */
export const self = 'wajah';
/** Least time that tokens of a replaced key stay valid, seconds: more than the lifetime of liveness tokens. */
const minOverlap = 600;
/** Tolerated clock skew, seconds. */
export const clockSkew = 5;

/** Claims of an access token of this server. */
type AccessClaims = Readonly<{
  clientId: string;
  jti: string;
  expiresAt: Date;
  /**
   * `tokensSince` of the client, ms since 1970: the token is invalid for a later account of the same name, and after a
   * new password that revokes tokens.
   */
  tokensSince: number;
  /** Scopes that were asked for by name; the claim `scope` (RFC 9068, section 2.2.3). */
  asked: readonly AskedScope[];
}>;

/** What a token says while its key is this one. */
interface VerifiedToken {
  readonly claims: AccessClaims;
  readonly kid: string | undefined;
  readonly key: NonNullable<Awaited<ReturnType<SigningKeys['find']>>>;
}

const verification = {
  algorithms: ['EdDSA'],
  issuer: self,
  audience: self,
  typ: 'at+jwt',
  requiredClaims: ['exp', 'jti', 'sub'],
};

/** Whom a token is issued to. */
export interface Account {
  readonly clientId: string;
  readonly tokensSince: Date;
}

export type TokenIssuer = ReturnType<typeof createTokenIssuer>;

/**
 * Issues and verifies this server's own access tokens: JWTs with EdDSA (RFC 8037).
 * @param lifetimeSeconds of new tokens
 */
export function createTokenIssuer(keys: SigningKeys, lifetimeSeconds: number) {
  const verified = new VerifiedTokens<VerifiedToken>();
  return {
    /** @param asked scopes that the token has besides those of every token */
    async issue({ clientId, tokensSince }: Account, asked: readonly AskedScope[] = []) {
      const now = Math.floor(Date.now() / 1000);
      const key = await keys.current();
      const accessToken = await new SignJWT({
        client_id: clientId,
        account: tokensSince.getTime(),
        ...(asked.length > 0 && { scope: asked.join(' ') }),
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

    /**
     * Verifies a token; does not check whether it is revoked.
     * @param expired accepts an expired token, which is to be revoked
     * @throws Refusal `unauthorized`; StoreUnavailable when the keys cannot be read
     */
    async read(token: string, expired = false): Promise<AccessClaims> {
      const known = verified.get(token);
      if (known && (await keys.find(known.kid)) === known.key) return unlessExpired(known.claims, expired);
      const { payload, protectedHeader } = await verifyToken(() =>
        jwtVerify(token, keyOf(keys), {
          ...verification,
          clockTolerance: expired ? Number.MAX_SAFE_INTEGER : clockSkew,
        }),
      );
      const claims = claimsOf(payload);
      const { kid } = protectedHeader;
      const key = await keys.find(kid);
      if (key) verified.set(token, { claims, kid, key });
      return claims;
    },

    /** The public keys, for `/.well-known/jwks.json`. */
    jwks: () => keys.jwks(),
    /**
     * Replaces the key that signs.
     * @param atOnce tokens of the former key are refused from now on; otherwise they stay valid until they expire
     */
    rotateKey: (atOnce: boolean) =>
      keys.rotate(atOnce ? 0 : Math.max(lifetimeSeconds, minOverlap) + clockSkew),
  };
}

/** @throws Refusal `unauthorized` */
function unlessExpired(claims: AccessClaims, expired: boolean): AccessClaims {
  if (!expired && claims.expiresAt.getTime() + clockSkew * 1000 <= Date.now()) throw expiredToken();
  return claims;
}

/** The key that a token's header names, for `jwtVerify`. */
export function keyOf(keys: Pick<SigningKeys, 'find'>) {
  return async ({ kid }: JWTHeaderParameters): Promise<KeyObject> => {
    const key = await keys.find(kid);
    if (!key) throw new joseErrors.JWKSNoMatchingKey();
    return key.publicKey;
  };
}

/**
 * Refuses an invalid token without the reason. Other errors, as of a store that the keys cannot be read from, do not make
 * a token invalid.
 * @throws Refusal `unauthorized`
 */
async function verifyToken<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    if (!(error instanceof joseErrors.JOSEError)) throw error;
    throw error instanceof joseErrors.JWTExpired ? expiredToken() : unknownToken();
  }
}

export function unknownToken(): Refusal {
  return new Refusal('tokenUnknown');
}

export function expiredToken(): Refusal {
  return new Refusal('tokenExpired');
}

export function revokedToken(): Refusal {
  return new Refusal('tokenRevoked');
}

function claimsOf({ sub, jti, exp, account, scope }: JWTPayload): AccessClaims {
  if (sub === undefined || jti === undefined || exp === undefined || typeof account !== 'number') {
    throw unknownToken();
  }
  const words = typeof scope === 'string' ? scope.split(' ') : [];
  const asked = askedScopes.filter((one) => words.includes(one));
  return { clientId: sub, jti, expiresAt: new Date(exp * 1000), tokensSince: account, asked };
}

/** Tokens that are remembered, those of the last use. */
const most = 10_000;

/**
 * Remembers what a verified token says, since the verification of its signature takes longer than all other work of a
 * call without a picture. Kept by the token's SHA-256, so that no token can be read from memory.
 */
class VerifiedTokens<Said> {
  readonly #said = new Map<string, Said>();

  get(token: string): Said | undefined {
    const digest = digestOf(token);
    const said = this.#said.get(digest);
    if (said === undefined) return undefined;
    this.#said.delete(digest);
    this.#said.set(digest, said);
    return said;
  }

  set(token: string, said: Said): void {
    this.#said.set(digestOf(token), said);
    const [oldest] = this.#said.keys();
    if (this.#said.size > most && oldest !== undefined) this.#said.delete(oldest);
  }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
