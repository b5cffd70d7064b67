import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { z } from 'zod';
import { OperatorError } from '../../errors.ts';

/** A key pair of this server's tokens (Ed25519). */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** With kid, alg and use, as in the JWKS. */
  readonly publicJwk: JWK;
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  /** When the last token that it signed has ended, ms since 1970; null: it signs new tokens. */
  readonly until: number | null;
}

export function newSigningKey(): Promise<SigningKey> {
  return toSigningKey(generateKeyPairSync('ed25519').privateKey, null);
}

async function toSigningKey(privateKey: KeyObject, until: number | null): Promise<SigningKey> {
  const publicKey = createPublicKey(privateKey);
  const jwk = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  return { privateKey, publicKey, kid, publicJwk: { ...jwk, kid, alg: 'EdDSA', use: 'sig' }, until };
}

const keySet = z.object({
  keys: z.array(z.looseObject({ until: z.int().nullable().default(null) })).min(1),
});

/** JSON of private keys: a JWK Set whose keys have a member `until`. */
export function writeKeys(keys: readonly SigningKey[]): string {
  const all = keys.map(({ privateKey, until }) => ({ ...privateKey.export({ format: 'jwk' }), until }));
  return JSON.stringify({ keys: all });
}

/**
 * Reads what `writeKeys` wrote, or the one private JWK of earlier versions.
 * @param name of the file or value, for the message
 * @throws OperatorError when it has no key pair, or a malformed one
 */
export async function readKeys(text: string, name: string): Promise<SigningKey[]> {
  try {
    const given: unknown = JSON.parse(text);
    const { keys } = keySet.parse(isJwk(given) ? { keys: [given] } : given);
    return await Promise.all(keys.map(({ until, ...jwk }) => toSigningKey(parseKey(jwk), until)));
  } catch {
    // The message of a parser may quote the key, so it is not passed on.
    throw new OperatorError(
      `${name} does not hold a private Ed25519 key (JWK); restore it, or delete it, which invalidates all access tokens`,
    );
  }
}

function isJwk(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'kty' in given;
}

function parseKey(jwk: object): KeyObject {
  const key = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('another type of key');
  return key;
}
