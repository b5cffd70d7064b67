import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import type { MetaStore } from '../../store/store.ts';
import { deriveKey } from '../vaults/template-vault.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const keyBytes = 32;
const checkName = 'master_key_check';

/**
 * The master key: the configured one, else that of `<data>/secret.key`, which the first start generates. The store
 * holds a digest of it, so that a wrong key stops the start.
 * @param configured 32 bytes; null when WAJAH_SECRET_KEY is not set
 * @param warn receives a line when a key is generated, since the operator must back it up
 * @returns 32 bytes
 * @throws OperatorError when setting, file and store contradict each other
 */
export async function openMasterKey(
  dataDir: string,
  configured: Uint8Array | null,
  meta: MetaStore,
  warn: (line: string) => void,
): Promise<Uint8Array> {
  const file = join(dataDir, 'secret.key');
  const stored = readKeyFile(file);
  if (stored && configured && !timingSafeEqual(stored, configured)) {
    throw new OperatorError(
      `WAJAH_SECRET_KEY differs from ${file}; templates are sealed under one key only: unset the setting, or move the file away if the setting is right`,
    );
  }
  const key = configured ?? stored;
  if (key) return verifyMasterKey(key, meta);
  if (await meta.get(checkName)) {
    throw new OperatorError(
      `${file} is missing and WAJAH_SECRET_KEY is not set, but the data were sealed under a key; restore the file or set the key`,
    );
  }
  return verifyMasterKey(generateKey(file, warn), meta);
}

/** @throws OperatorError when no key is configured: servers that share a database need the same one */
export function requireSharedKey(configured: Uint8Array | null): Uint8Array {
  if (configured) return configured;
  throw new OperatorError(
    'WAJAH_SECRET_KEY is not set; with WAJAH_DATABASE_URL every server needs the same key (`openssl rand -hex 32` generates one): the data are sealed under it',
  );
}

/** Digest of a master key, by which the store recognises it. */
export function keyDigest(key: Uint8Array): string {
  return createHmac('sha256', deriveKey(key, 'wajah key check')).update('wajah').digest('hex');
}

/** The configured master key, else that of the data directory; null when there is none yet. */
export function findMasterKey(dataDir: string, configured: Uint8Array | null): Uint8Array | null {
  return configured ?? readKeyFile(join(dataDir, 'secret.key'));
}

/**
 * Compares a master key with the digest in the store; stores its digest when there is none yet.
 * @returns the key
 * @throws OperatorError when the data were sealed under another key
 */
export async function verifyMasterKey(key: Uint8Array, meta: MetaStore): Promise<Uint8Array> {
  const digest = keyDigest(key);
  if ((await meta.setIfAbsent(checkName, digest)) === digest) return key;
  throw new OperatorError(
    'WAJAH_SECRET_KEY (or secret.key of the data directory) is not the key that these data were sealed under; give the right one, or start with an empty data directory',
  );
}

function generateKey(file: string, warn: (line: string) => void): Uint8Array {
  const key = randomBytes(keyBytes);
  writePrivateFile(file, `${key.toString('hex')}\n`);
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
