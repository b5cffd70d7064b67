import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../../errors.ts';
import type { MetaStore } from '../../store/ports/meta.ts';
import { deriveKey, type Keys } from '../vaults/sealing.ts';
import { readPrivateFile, requirePrivateFile, writePrivateFile } from './private-file.ts';

const keyBytes = 32;
/** Name of the stored digest of the master key. */
export const masterKeyCheck = 'master_key_check';
/** Name of the stored digest of the master key that was replaced last. */
export const formerKeyCheck = 'master_key_former';

/** Where the master key comes from. */
export interface MasterKeySources {
  readonly dataDir: string;
  /** WAJAH_SECRET_KEY, 32 bytes; null when it is not set. */
  readonly secretKey: Uint8Array | null;
  /** Where the setting was found. */
  readonly secretKeySource: string;
}

/** The key in force, as sentences name it: one may be set in three places. */
export const keyName = ({ dataDir, secretKey, secretKeySource }: MasterKeySources): string =>
  secretKey ? `WAJAH_SECRET_KEY (${secretKeySource})` : keyFile(dataDir);

/**
 * The master key: the configured one, else that of `<data>/secret.key`, which the first start generates. The store holds
 * its digest, so that a wrong key stops the start. A file with two keys, which an interrupted `wajah keys rotate-master`
 * leaves, is rewritten with the one that the store names.
 * @param warn receives a line when a key is generated, since the operator must back it up
 * @returns 32 bytes
 * @throws OperatorError when setting, file and store contradict each other
 */
export async function openMasterKey(
  sources: MasterKeySources,
  meta: MetaStore,
  warn: (line: string) => void,
): Promise<Uint8Array> {
  const { dataDir, secretKey: configured } = sources;
  const file = keyFile(dataDir);
  const stored = readKeyFile(file);
  if (stored && configured && !stored.some((key) => timingSafeEqual(key, configured))) {
    const check = await meta.get(masterKeyCheck);
    throw new OperatorError(
      `${keyName(sources)} differs from ${file}${remedyFor(check, stored.map(keyDigest), keyDigest(configured))}`,
    );
  }
  const keys = findMasterKeys(sources);
  if (keys) {
    const key = await verifyMasterKey(keys, meta, keyName(sources));
    if (keys.length > 1) writeKeyFile(file, [key]);
    return key;
  }
  if (await meta.get(masterKeyCheck)) {
    throw new OperatorError(
      `${file} is missing and WAJAH_SECRET_KEY is not set, but the data were sealed under a key; restore the file or set the key`,
    );
  }
  return verifyMasterKey([generateKey(file, warn)], meta, file);
}

/** What to do about two keys, by the digests of the one that the data are sealed under (null: nothing is) and of both. */
function remedyFor(check: string | null, ofFile: readonly string[], ofSetting: string): string {
  if (check === null) return ', and nothing is sealed yet: unset the setting, or move the file away';
  if (ofFile.includes(check)) return ', which the data are sealed under: unset the setting';
  if (ofSetting === check) return '; the data are sealed under the setting: move the file away';
  return ', and the data are sealed under neither: give the right key in one of them, and remove the other';
}

/** @throws OperatorError when no key is configured: servers that share a database need the same one */
export function requireSharedKey({ secretKey }: MasterKeySources): Uint8Array {
  if (secretKey) return secretKey;
  throw new OperatorError(
    'WAJAH_SECRET_KEY is not set; with WAJAH_DATABASE_URL every server needs the same key: that which the data are sealed under, or for an empty database a new one that you keep (`openssl rand -hex 32`)',
  );
}

/** Digest of a master key, by which the store recognises it. */
export function keyDigest(key: Uint8Array): string {
  return createHmac('sha256', deriveKey(key, 'wajah key check')).update('wajah').digest('hex');
}

/**
 * The configured master key, else that of the data directory: two where `wajah keys rotate-master` runs or was
 * interrupted, and the data are sealed under the one whose digest the store has. Null when there is none yet.
 */
export function findMasterKeys({ dataDir, secretKey }: MasterKeySources): Keys | null {
  return secretKey ? [secretKey] : readKeyFile(keyFile(dataDir));
}

/** As `findMasterKeys`, for what is sealed under the key apart from the store. @throws OperatorError when there are two */
export function requireOneMasterKey(sources: MasterKeySources): Keys | null {
  const keys = findMasterKeys(sources);
  if (keys === null || keys.length === 1) return keys;
  throw new OperatorError(
    `${keyFile(sources.dataDir)} holds two keys: \`wajah keys rotate-master\` runs, or was interrupted; when it does not run, run it again or start the server, which completes it`,
  );
}

/**
 * Finds the master key whose digest the store has; stores that of the first one when there is none yet.
 * @param name of the keys @throws OperatorError when the data were sealed under another key
 */
export async function verifyMasterKey(keys: Keys, meta: MetaStore, name: string): Promise<Uint8Array> {
  const stored = await meta.setIfAbsent(masterKeyCheck, keyDigest(keys[0]));
  const key = keys.find((one) => keyDigest(one) === stored);
  if (key) return key;
  throw new OperatorError(wrongKeyText(keys, await meta.get(formerKeyCheck), name));
}

/**
 * For who reads what is sealed: an empty store is of any key.
 * @param name of the keys @throws OperatorError when the data were sealed under another key
 */
export async function requireKeyOfData(
  keys: Keys,
  meta: Pick<MetaStore, 'get'>,
  name: string,
): Promise<void> {
  const stored = await meta.get(masterKeyCheck);
  if (stored === null || keys.map(keyDigest).includes(stored)) return;
  throw new OperatorError(wrongKeyText(keys, await meta.get(formerKeyCheck), name));
}

const formerKey = z.object({ digest: z.string(), at: z.string() });

/** Why keys do not open the data. @param former as `recordMasterKey` stores it @param name of the keys */
export function wrongKeyText(keys: Keys, former: string | null, name: string): string {
  const replaced = former === null ? null : formerKey.parse(JSON.parse(former));
  if (replaced && keys.some((key) => keyDigest(key) === replaced.digest)) {
    return `${name} is the former master key: \`wajah keys rotate-master\` replaced it on ${replaced.at}, and everything stored is sealed under the new one; give that one`;
  }
  return `${name} is not the key that these data were sealed under; give the right one, and keep this one until you know what it opens. A new installation needs another data directory or database`;
}

/** Records that the data are sealed under a key, which replaces another. */
export async function recordMasterKey(
  key: Uint8Array,
  replaced: Uint8Array,
  meta: Pick<MetaStore, 'set'>,
): Promise<void> {
  await meta.set(masterKeyCheck, keyDigest(key));
  await meta.set(
    formerKeyCheck,
    JSON.stringify({ digest: keyDigest(replaced), at: new Date().toISOString() }),
  );
}

/** The file of the master key in a data directory. */
export const keyFile = (dataDir: string) => join(dataDir, 'secret.key');

/** Replaces a file of keys by a rename, durably. @param keys one, or the present and the next one */
export function writeKeyFile(file: string, keys: Keys): void {
  writePrivateFile(file, keys.map((key) => `${Buffer.from(key).toString('hex')}\n`).join(''));
}

/** A new key, 32 bytes. */
export const newMasterKey = (): Uint8Array => randomBytes(keyBytes);

/** The key of a file of one key, which is created with a new one when it does not exist. @throws OperatorError */
export function readOrCreateKeyFile(file: string): Uint8Array {
  if (readPrivateFile(file) === null) writeKeyFile(file, [newMasterKey()]);
  requirePrivateFile(file);
  const [key, another] = readKeyFile(file) ?? [];
  if (key && !another) return key;
  throw new OperatorError(`${file} does not hold one key of 64 hexadecimal digits`);
}

function generateKey(file: string, warn: (line: string) => void): Uint8Array {
  const key = newMasterKey();
  writeKeyFile(file, [key]);
  warn(
    `generated a secret key in ${file}: without it every template is lost, with it every template can be read; back it up apart from the data, or set WAJAH_SECRET_KEY`,
  );
  return key;
}

function readKeyFile(file: string): Keys | null {
  const text = readPrivateFile(file)?.trim();
  if (text === undefined) return null;
  if (!/^[0-9a-f]{64}(\n[0-9a-f]{64})?$/i.test(text)) {
    throw new OperatorError(`${file} does not hold 64 hexadecimal digits; restore it from a backup`);
  }
  const [first = '', second] = text.split('\n');
  const key = Buffer.from(first, 'hex');
  return second === undefined ? [key] : [key, Buffer.from(second, 'hex')];
}
