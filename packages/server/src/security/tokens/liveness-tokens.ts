import { createHash } from 'node:crypto';
import { type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { clockSkew, keyOf } from './token-issuer.ts';

const self = 'wajah';
const type = 'liveness+jwt';

/** Lifetime of a liveness token, seconds. */
export const livenessTokenLifetime = 300;

/** Claims of a liveness token: a session of this client showed a bona fide presentation of this face. */
export interface LivenessClaims {
  readonly clientId: string;
  readonly sessionId: string;
  /** The nonce of create-session, by which the program that opened the session recognises its token. */
  readonly nonce: string;
  /** Digest of the sealed template: binds the token to the face without revealing it. */
  readonly face: string;
}

export type LivenessTokens = ReturnType<typeof createLivenessTokens>;

/** Issues and verifies liveness tokens: JWTs with EdDSA, signed with the key of access tokens, of another `typ`. */
export function createLivenessTokens(keys: SigningKeys) {
  return {
    async issue({ clientId, sessionId, nonce, face }: LivenessClaims): Promise<string> {
      const now = Math.floor(Date.now() / 1000);
      const key = await keys.current();
      return new SignJWT({ sid: sessionId, nonce, face })
        .setProtectedHeader({ alg: 'EdDSA', kid: key.kid, typ: type })
        .setIssuer(self)
        .setAudience(self)
        .setSubject(clientId)
        .setJti(sessionId)
        .setIssuedAt(now)
        .setExpirationTime(now + livenessTokenLifetime)
        .sign(key.privateKey);
    },
    /**
     * @returns null when the token is invalid or has expired
     * @throws StoreUnavailable when the keys cannot be read
     */
    async read(token: string): Promise<LivenessClaims | null> {
      const options = { algorithms: ['EdDSA'], issuer: self, audience: self, typ: type };
      try {
        const limits = { clockTolerance: clockSkew, requiredClaims: ['exp', 'sub', 'sid', 'face'] };
        const { payload } = await jwtVerify(token, keyOf(keys), { ...options, ...limits });
        return claimsOf(payload);
      } catch (error) {
        if (!(error instanceof joseErrors.JOSEError)) throw error;
        // The sender does not learn the reason.
        return null;
      }
    },
  };
}

function claimsOf({ sub, sid, nonce, face }: JWTPayload): LivenessClaims | null {
  const all = [sub, sid, nonce, face];
  if (!all.every((claim) => typeof claim === 'string')) return null;
  const [clientId, sessionId, sessionNonce, digest] = all as [string, string, string, string];
  return { clientId, sessionId, nonce: sessionNonce, face: digest };
}

/** The `face` claim: SHA-256, base64url. */
export function faceDigest(sealedTemplate: Uint8Array): string {
  return createHash('sha256').update(sealedTemplate).digest('base64url');
}
