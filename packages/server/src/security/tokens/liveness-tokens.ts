import { createHash } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { SigningKey } from '../keys/signing-key.ts';
import { clockSkew } from './token-issuer.ts';

const self = 'wajah';
const type = 'liveness+jwt';

/** Seconds that a liveness token lives. */
export const livenessTokenLifetime = 300;

/** What a liveness token says: in this session of this client, somebody alive showed this face. */
export interface LivenessClaims {
  readonly clientId: string;
  readonly sessionId: string;
  /** Of create-session: who opened the session knows its token by it. */
  readonly nonce: string;
  /** Digest of the sealed template: binds the token to the face and tells nothing of it. */
  readonly face: string;
}

/** Makes and reads liveness tokens: JWTs, EdDSA, under the key of the access tokens but of another type. */
export interface LivenessTokens {
  issue(claims: LivenessClaims): Promise<string>;
  /** @returns null when it is not genuine or its time is over */
  read(token: string): Promise<LivenessClaims | null>;
}

export function createLivenessTokens(key: SigningKey): LivenessTokens {
  return {
    issue({ clientId, sessionId, nonce, face }) {
      const now = Math.floor(Date.now() / 1000);
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
    async read(token) {
      const options = { algorithms: ['EdDSA'], issuer: self, audience: self, typ: type };
      try {
        const limits = { clockTolerance: clockSkew, requiredClaims: ['exp', 'sub', 'sid', 'face'] };
        const { payload } = await jwtVerify(token, key.publicKey, { ...options, ...limits });
        return claimsOf(payload);
      } catch {
        // Whatever is wrong with it: who sends a bad token learns no more than that.
        return null;
      }
    },
  };
}

function claimsOf({ sub, sid, nonce, face }: JWTPayload): LivenessClaims | null {
  const all = [sub, sid, nonce, face];
  if (!all.every((claim) => typeof claim === 'string')) return null;
  const [clientId, sessionId, said, digest] = all as [string, string, string, string];
  return { clientId, sessionId, nonce: said, face: digest };
}

/** SHA-256, base64url. */
export function faceDigest(sealedTemplate: Uint8Array): string {
  return createHash('sha256').update(sealedTemplate).digest('base64url');
}
