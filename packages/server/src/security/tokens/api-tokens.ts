import { createHash, randomBytes } from 'node:crypto';

const prefix = 'waj_';
/** `waj_` and 256 random bits, base64url. */
const format = /^waj_[\w-]{43}$/;

/** Generates a long-lived token. Its 256 random bits cannot be guessed, so a digest without salt is stored. */
export function newApiToken(): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Whether a text has the format of an API token. */
export function looksLikeApiToken(token: string): boolean {
  return format.test(token);
}

/** `wls_` and 256 random bits, base64url: the secret of the page of a liveness session. */
const secretFormat = /^wls_[\w-]{43}$/;

/** Generates the secret of a session. */
export function newSessionSecret(): string {
  return `wls_${randomBytes(32).toString('base64url')}`;
}

export function looksLikeSessionSecret(token: string): boolean {
  return secretFormat.test(token);
}

/** SHA-256 of a secret, which is stored instead of it. */
export function secretDigest(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest();
}

/** SHA-256 of a token, hexadecimal, which is stored instead of the token. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
