import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import type { MetaStore } from '../../store/store.ts';
import { deriveKey } from '../vaults/template-vault.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const keyBytes = 32;
const checkName = 'master_key_check';

/**
 * The master key: the configured one, or the one of `<data>/secret.key`, made there on first start. A digest of
 * it is kept in the store, so that a wrong key stops the start instead of making garbage.
 * @param configured 32 bytes, or null where WAJAH_SECRET_KEY is not set
 * @param warn told when a key was made, for the operator has to keep it safe
 * @returns 32 bytes
 * @throws OperatorError when setting, file and store do not agree
 */
export async function openMasterKey(
  dataDir: string,
  configured: Uint8Array | null,
  meta: MetaStore,
  warn: (line: string) => void,
): Promise<Uint8Array> {
  const file = join(dataDir, 'secret.key');
  const kept = readKeyFile(file);
  if (kept && configured && !timingSafeEqual(kept, configured)) {
    throw new OperatorError(
      `WAJAH_SECRET_KEY differs from ${file}; templates are sealed under one key only: unset the setting, or move the file away if the setting is right`,
    );
  }
  const key = configured ?? kept;
  if (key) return requireKnownKey(key, meta);
  if (await meta.get(checkName)) {
    throw new OperatorError(
      `${file} is missing and WAJAH_SECRET_KEY is not set, but the data were sealed under a key; restore the file or set the key`,
    );
  }
  return requireKnownKey(makeKey(file, warn), meta);
}

/** @throws OperatorError when there is none: servers that share a database share the key, so none may make its own */
export function requireSharedKey(configured: Uint8Array | null): Uint8Array {
  if (configured) return configured;
  throw new OperatorError(
    'WAJAH_SECRET_KEY is not set; with WAJAH_DATABASE_URL every server needs the same key (`openssl rand -hex 32` makes one): what is stored is sealed under it',
  );
}

/**
 * The master key of servers that share a database, checked against what the first of them left there.
 * @throws OperatorError when the data were sealed under another key
 */
export function openSharedMasterKey(configured: Uint8Array, meta: MetaStore): Promise<Uint8Array> {
  return requireKnownKey(configured, meta);
}

/** What a store keeps of the master key, to know it again. */
export function keyDigest(key: Uint8Array): string {
  return createHmac('sha256', deriveKey(key, 'wajah key check')).update('wajah').digest('hex');
}

/** The master key as it is configured or kept; null where there is none yet. */
export function findMasterKey(dataDir: string, configured: Uint8Array | null): Uint8Array | null {
  return configured ?? readKeyFile(join(dataDir, 'secret.key'));
}

async function requireKnownKey(key: Uint8Array, meta: MetaStore): Promise<Uint8Array> {
  const digest = keyDigest(key);
  if ((await meta.setIfAbsent(checkName, digest)) === digest) return key;
  throw new OperatorError(
    'WAJAH_SECRET_KEY (or secret.key of the data directory) is not the key that these data were sealed under; give the right one, or start with an empty data directory',
  );
}

function makeKey(file: string, warn: (line: string) => void): Uint8Array {
  const key = randomBytes(keyBytes);
  writePrivateFile(file, `${key.toString('hex')}\n`);
  warn(
    `made a secret key in ${file}: without it every template is lost, with it every template can be read; back it up apart from the data, or set WAJAH_SECRET_KEY`,
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
