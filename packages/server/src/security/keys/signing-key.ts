import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { OperatorError } from '../../errors.ts';
import type { MetaStore } from '../../store/store.ts';
import { seal, unseal } from '../vaults/sealing.ts';
import { deriveKey } from '../vaults/template-vault.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** The key pair that signs this server's tokens (Ed25519). */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** With kid, alg and use, as in the JWKS. */
  readonly publicJwk: JWK;
  /** RFC 7638 thumbprint. */
  readonly kid: string;
}

/**
 * Reads `<data>/signing-key.json` (a private JWK, mode 0600); the first start generates it.
 * @throws OperatorError when the file is not such a key
 */
export async function openSigningKey(dataDir: string): Promise<SigningKey> {
  const file = fileOf(dataDir);
  const text = readPrivateFile(file);
  if (text !== null) return toSigningKey(parseKey(text, file));
  const privateKey = generateKey();
  writePrivateFile(file, `${toJwkText(privateKey)}\n`);
  return toSigningKey(privateKey);
}

/**
 * The key pair that the servers of a database share, stored there sealed under the master key; the first server
 * generates it.
 * @throws OperatorError when the stored value is no key; SealError when it was sealed under another master key
 */
export async function openSharedSigningKey(masterKey: Uint8Array, meta: MetaStore): Promise<SigningKey> {
  const sealed =
    (await meta.get(metaName)) ?? (await storeIfAbsent(toJwkText(generateKey()), masterKey, meta));
  return toSigningKey(parseKey(unsealText(sealed, masterKey), metaName));
}

/** Seals a private JWK (JSON) and stores it if there is none yet. @returns the stored one, sealed */
function storeIfAbsent(jwk: string, masterKey: Uint8Array, meta: MetaStore): Promise<string> {
  const sealed = seal(sealingKey(masterKey), Buffer.from(jwk, 'utf8'), context);
  return meta.setIfAbsent(metaName, Buffer.from(sealed).toString('base64'));
}

/**
 * Copies the key pair from one store to another, so that access tokens stay valid. Without a key it does nothing: the
 * first start creates one.
 */
export async function copySigningKey(
  masterKey: Uint8Array,
  from: { readonly meta: MetaStore } | { readonly dataDir: string },
  to: { readonly meta: MetaStore } | { readonly dataDir: string },
): Promise<void> {
  const sealed = 'meta' in from ? await from.meta.get(metaName) : null;
  const jwk =
    'meta' in from ? sealed && unsealText(sealed, masterKey) : readPrivateFile(fileOf(from.dataDir));
  if (!jwk) return;
  if ('meta' in to) await storeIfAbsent(jwk, masterKey, to.meta);
  else if (readPrivateFile(fileOf(to.dataDir)) === null) writePrivateFile(fileOf(to.dataDir), jwk);
}

const fileOf = (dataDir: string) => join(dataDir, signingKeyFile);

/** File of the data directory. */
const signingKeyFile = 'signing-key.json';

const metaName = 'signing_key';
const context = Buffer.from(metaName, 'utf8');
const sealingKey = (masterKey: Uint8Array) => deriveKey(masterKey, 'wajah signing key');

function unsealText(sealed: string, masterKey: Uint8Array): string {
  return Buffer.from(unseal(sealingKey(masterKey), Buffer.from(sealed, 'base64'), context)).toString('utf8');
}

async function toSigningKey(privateKey: KeyObject): Promise<SigningKey> {
  const publicKey = createPublicKey(privateKey);
  const jwk = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  return { privateKey, publicKey, kid, publicJwk: { ...jwk, kid, alg: 'EdDSA', use: 'sig' } };
}

function generateKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey;
}

function toJwkText(key: KeyObject): string {
  return JSON.stringify(key.export({ format: 'jwk' }));
}

function parseKey(text: string, file: string): KeyObject {
  try {
    const key = createPrivateKey({ key: JSON.parse(text), format: 'jwk' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The message of the parser may quote the key, so it is not passed on.
  }
  throw new OperatorError(
    `${file} does not hold a private Ed25519 key (JWK); restore it, or delete it, which invalidates all access tokens`,
  );
}
