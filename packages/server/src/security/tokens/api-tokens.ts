import { createHash, randomBytes } from 'node:crypto';

const prefix = 'waj_';
/** `waj_` and 256 random bits, base64url. */
const format = /^waj_[\w-]{43}$/;

/** A long-lived token that cannot be guessed, so a plain digest is enough to keep. */
export function newApiToken(): string {
  return prefix + randomBytes(32).toString('base64url');
}

export function looksLikeApiToken(token: string): boolean {
  return format.test(token);
}

/** SHA-256, hexadecimal: what the store keeps instead of the token. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
