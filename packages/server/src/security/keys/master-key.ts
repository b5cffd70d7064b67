import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import type { MetaStore } from '../../store/meta-store.ts';
import { deriveKey, type Keys } from '../vaults/sealing.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const keyBytes = 32;
/** Name of the stored digest of the master key. */
export const masterKeyCheck = 'master_key_check';

/** Where the master keys come from. */
export interface MasterKeySources {
  readonly dataDir: string;
  /** WAJAH_SECRET_KEY, 32 bytes; null when it is not set. */
  readonly secretKey: Uint8Array | null;
  /** WAJAH_SECRET_KEY_FORMER */
  readonly formerSecretKey: Uint8Array | null;
}

/**
 * The master keys: the configured one, else that of `<data>/secret.key`, which the first start generates; then former
 * ones, which only open what they have sealed. The store holds a digest of one of them, so that wrong keys stop the
 * start.
 * @param warn receives a line when a key is generated, since the operator must back it up
 * @returns 32 bytes each
 * @throws OperatorError when setting, file and store contradict each other
 */
export async function openMasterKeys(
  sources: MasterKeySources,
  meta: MetaStore,
  warn: (line: string) => void,
): Promise<Keys> {
  const { dataDir, secretKey: configured } = sources;
  const file = keyFile(dataDir);
  const stored = readKeyFile(file);
  if (stored && configured && !timingSafeEqual(stored, configured)) {
    throw new OperatorError(
      `WAJAH_SECRET_KEY differs from ${file}; templates are sealed under one key only: unset the setting, or move the file away if the setting is right`,
    );
  }
  const keys = findMasterKeys(sources);
  if (keys) return verifyMasterKeys(keys, meta);
  if (await meta.get(masterKeyCheck)) {
    throw new OperatorError(
      `${file} is missing and WAJAH_SECRET_KEY is not set, but the data were sealed under a key; restore the file or set the key`,
    );
  }
  return verifyMasterKeys([generateKey(file, warn)], meta);
}

/** @throws OperatorError when no key is configured: servers that share a database need the same one */
export function requireSharedKeys(sources: MasterKeySources): Keys {
  const { secretKey, formerSecretKey } = sources;
  if (secretKey) return formerSecretKey ? [secretKey, formerSecretKey] : [secretKey];
  throw new OperatorError(
    'WAJAH_SECRET_KEY is not set; with WAJAH_DATABASE_URL every server needs the same key (`openssl rand -hex 32` generates one): the data are sealed under it',
  );
}

/** Digest of a master key, by which the store recognises it. */
export function keyDigest(key: Uint8Array): string {
  return createHmac('sha256', deriveKey(key, 'wajah key check')).update('wajah').digest('hex');
}

/** The configured master keys, else those of the data directory; null when there is none yet. */
export function findMasterKeys({ dataDir, secretKey, formerSecretKey }: MasterKeySources): Keys | null {
  const key = secretKey ?? readKeyFile(keyFile(dataDir));
  const former = formerSecretKey ?? readKeyFile(formerKeyFile(dataDir));
  if (!key) return null;
  return former ? [key, former] : [key];
}

/**
 * Compares master keys with the digest in the store; stores that of the first one when there is none yet.
 * @returns the keys
 * @throws OperatorError when the data were sealed under another key
 */
export async function verifyMasterKeys(keys: Keys, meta: MetaStore): Promise<Keys> {
  const digests = keys.map(keyDigest);
  if (digests.includes(await meta.setIfAbsent(masterKeyCheck, digests[0]!))) return keys;
  throw new OperatorError(
    'WAJAH_SECRET_KEY (or secret.key of the data directory) is not the key that these data were sealed under; give the right one, or start with an empty data directory',
  );
}

/** Records that the data are sealed under this key. */
export async function recordMasterKey(key: Uint8Array, meta: MetaStore): Promise<void> {
  await meta.set(masterKeyCheck, keyDigest(key));
}

/**
 * Generates a new `<data>/secret.key`; the next start uses it, and the former one as well.
 * @returns the file of the former key
 * @throws OperatorError when the key is not in the data directory, or is being replaced already
 */
export function replaceKeyFile(dataDir: string): string {
  const [file, former] = [keyFile(dataDir), formerKeyFile(dataDir)];
  const key = readKeyFile(file);
  if (!key) throw new OperatorError(`${file} does not exist: the master key is the setting WAJAH_SECRET_KEY`);
  const earlier = readKeyFile(former);
  // A command that was killed between the two writes has left two copies.
  if (earlier && !timingSafeEqual(earlier, key)) {
    throw new OperatorError(
      `${former} exists: the master key is being replaced; delete it when that is done`,
    );
  }
  writePrivateFile(former, toText(key));
  writePrivateFile(file, toText(randomBytes(keyBytes)));
  return former;
}

const keyFile = (dataDir: string) => join(dataDir, 'secret.key');
const formerKeyFile = (dataDir: string) => join(dataDir, 'secret.key.former');
const toText = (key: Uint8Array) => `${Buffer.from(key).toString('hex')}\n`;

function generateKey(file: string, warn: (line: string) => void): Uint8Array {
  const key = randomBytes(keyBytes);
  writePrivateFile(file, toText(key));
  warn(
    `generated a secret key in ${file}: without it every template is lost, with it every template can be read; back it up apart from the data, or set WAJAH_SECRET_KEY`,
  );
  return key;
}

function readKeyFile(file: string): Uint8Array | null {
  const text = readPrivateFile(file)?.trim();
  if (text === undefined) return null;
  if (!/^[0-9a-f]{64}$/i.test(text)) {
    throw new OperatorError(`${file} does not hold 64 hexadecimal digits; restore it from a backup`);
  }
  return Buffer.from(text, 'hex');
}
