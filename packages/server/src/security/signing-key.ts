import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { OperatorError } from '../errors.ts';
import { makePrivateFile, readPrivateFile } from './private-file.ts';

/** The key pair that signs this server's tokens (Ed25519). */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** With kid, alg and use: what the JWKS shows. */
  readonly publicJwk: JWK;
  /** RFC 7638 thumbprint. */
  readonly kid: string;
}

/**
 * Reads `<data>/signing-key.json` (a private JWK, mode 0600), or makes it on first start.
 * @throws OperatorError when the file is not such a key
 */
export async function openSigningKey(dataDir: string): Promise<SigningKey> {
  const file = join(dataDir, 'signing-key.json');
  const text = readPrivateFile(file);
  const privateKey = text === null ? makeKey(file) : parseKey(text, file);
  const publicKey = createPublicKey(privateKey);
  const jwk = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  return { privateKey, publicKey, kid, publicJwk: { ...jwk, kid, alg: 'EdDSA', use: 'sig' } };
}

function makeKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  makePrivateFile(file, `${JSON.stringify(privateKey.export({ format: 'jwk' }))}\n`);
  return privateKey;
}

function parseKey(text: string, file: string): KeyObject {
  try {
    const key = createPrivateKey({ key: JSON.parse(text), format: 'jwk' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below: what the parser says would show parts of the key.
  }
  throw new OperatorError(
    `${file} does not hold a private Ed25519 key (JWK); restore it, or delete it: all access tokens then end`,
  );
}
