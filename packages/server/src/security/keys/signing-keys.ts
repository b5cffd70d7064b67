import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { join } from 'node:path';
import { calculateJwkThumbprint, type JSONWebKeySet, type JWK } from 'jose';
import { z } from 'zod';
import { OperatorError } from '../../errors.ts';
import type { MetaStore } from '../../store/ports/meta.ts';
import { deriveKeys, type Keys, seal, unsealWithAny } from '../vaults/sealing.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** The key that signs tokens, and earlier ones whose tokens have not all ended. */
export interface SigningKeys {
  /** The key that signs. */
  current(): Promise<SigningKey>;
  /** The key of a token's `kid`; null when it is unknown or past. */
  find(kid: string | undefined): Promise<SigningKey | null>;
  /** The public keys. */
  jwks(): Promise<JSONWebKeySet>;
  /**
   * Generates a new key, which signs from now on.
   * @param seconds that tokens of the former key stay valid; 0: none does any longer
   * @returns the kid of the new key, and when the former one ends
   */
  rotate(seconds: number): Promise<{ kid: string; formerUntil: Date }>;
}

/** Where the keys are kept. Stored is the text of `writeKeys`, sealed where others can read it. */
interface KeyText {
  /** Of the file or value, for messages. */
  readonly name: string;
  seal(text: string): string;
  open(stored: string): string;
  read(): Promise<string | null>;
  /** @returns what is stored: another server may have stored one first */
  writeFirst(stored: string): Promise<string>;
  /** @returns false when it is not `from` any longer: another server has replaced it */
  replace(from: string, to: string): Promise<boolean>;
}

/** Keys that another server may have changed are read again after this time, milliseconds. */
const freshMs = 30_000;

/** Minimum time between two readings because of unknown keys, milliseconds: anybody can name one. */
const unknownKeyMs = 1000;

/** Other servers sign with the former key until they read the keys again, seconds. */
const overlapSeconds = (2 * freshMs) / 1000;

/** The keys in `<data>/signing-key.json` (mode 0600), which the first start generates. */
export function openSigningKeys(dataDir: string): Promise<SigningKeys> {
  // One process owns the directory, so nobody else changes the file.
  return openKeys(keyFile(dataDir), Number.POSITIVE_INFINITY);
}

/**
 * The keys that the servers of a database share, stored there sealed under the master key; the first server generates
 * one.
 * @throws OperatorError when the stored value is no key; SealError when it was sealed under another master key
 */
export function openSharedSigningKeys(masterKeys: Keys, meta: MetaStore): Promise<SigningKeys> {
  return openKeys(keyValue(masterKeys, meta), freshMs);
}

/** Reads the keys of a data directory, where it has some. @throws OperatorError as their start does */
export async function checkSigningKeys(dataDir: string): Promise<void> {
  const { name, read } = keyFile(dataDir);
  const text = await read();
  if (text !== null) await readKeys(text, name);
}

/** Seals the stored keys under the first master key; without stored ones it does nothing. */
export async function resealSigningKeys(masterKeys: Keys, meta: MetaStore): Promise<void> {
  const stored = keyValue(masterKeys, meta);
  const text = await stored.read();
  if (text !== null) await stored.replace(text, stored.seal(stored.open(text)));
}

/**
 * Copies the keys from one store to another, so that access tokens stay valid. Without a key it does nothing: the first
 * start creates one.
 */
export async function copySigningKeys(
  masterKeys: Keys,
  from: { readonly meta: MetaStore } | { readonly dataDir: string },
  to: { readonly meta: MetaStore } | { readonly dataDir: string },
): Promise<void> {
  const [source, target] = [from, to].map((store) =>
    'meta' in store ? keyValue(masterKeys, store.meta) : keyFile(store.dataDir),
  ) as [KeyText, KeyText];
  const stored = await source.read();
  if (stored !== null && (await target.read()) === null) {
    await target.writeFirst(target.seal(source.open(stored)));
  }
}

async function openKeys(stored: KeyText, maxAgeMs: number): Promise<SigningKeys> {
  let keys: readonly SigningKey[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async () => {
    const found = await readStored(stored);
    keys = found.keys;
    readAt = performance.now();
    return found;
  };
  /** Optimistic: another server, or another call of this one, may replace the keys meanwhile. */
  const update = async (change: (present: readonly SigningKey[]) => readonly SigningKey[]) => {
    for (;;) {
      const found = await read();
      if (await stored.replace(found.text, stored.seal(writeKeys(change(found.keys))))) break;
    }
    await read();
  };
  const refresh = async (ageMs: number) => {
    if (performance.now() - readAt >= ageMs) await read();
  };
  const known = (kid: string | undefined) => validOf(keys).find((key) => key.kid === kid) ?? null;
  await read();
  return {
    async current() {
      await refresh(maxAgeMs);
      return keys[0]!;
    },
    async find(kid) {
      await refresh(maxAgeMs);
      const key = known(kid);
      if (key !== null || maxAgeMs === Number.POSITIVE_INFINITY) return key;
      // Another server may have just begun to sign with it.
      await refresh(unknownKeyMs);
      return known(kid);
    },
    async jwks() {
      await refresh(maxAgeMs);
      return { keys: validOf(keys).map(({ publicJwk }) => publicJwk) };
    },
    async rotate(seconds) {
      const until = Date.now() + (seconds === 0 ? 0 : seconds + overlapSeconds) * 1000;
      const key = await newSigningKey();
      await update((present) => [key, ...(seconds === 0 ? [] : endingAt(present, until))]);
      return { kid: key.kid, formerUntil: new Date(until) };
    },
  };
}

async function readStored(stored: KeyText): Promise<{ text: string; keys: readonly SigningKey[] }> {
  const text =
    (await stored.read()) ?? (await stored.writeFirst(stored.seal(writeKeys([await newSigningKey()]))));
  return { text, keys: await readKeys(stored.open(text), stored.name) };
}

function validOf(keys: readonly SigningKey[]): readonly SigningKey[] {
  return keys.filter(({ until }) => until === null || until > Date.now());
}

function endingAt(keys: readonly SigningKey[], until: number): readonly SigningKey[] {
  return validOf(keys).map((key) => ({ ...key, until: Math.min(key.until ?? until, until) }));
}

function keyFile(dataDir: string): KeyText {
  const name = join(dataDir, 'signing-key.json');
  return {
    name,
    seal: (text) => `${text}\n`,
    open: (stored) => stored,
    read: async () => readPrivateFile(name),
    writeFirst: async (stored) => {
      writePrivateFile(name, stored);
      return stored;
    },
    replace: async (from, to) => {
      if (readPrivateFile(name) !== from) return false;
      writePrivateFile(name, to);
      return true;
    },
  };
}

function keyValue(masterKeys: Keys, meta: MetaStore): KeyText {
  const name = 'signing_key';
  const context = Buffer.from(name, 'utf8');
  const keys = deriveKeys(masterKeys, 'wajah signing key');
  const sealed = (text: string) =>
    Buffer.from(seal(keys[0], Buffer.from(text, 'utf8'), context)).toString('base64');
  const opened = (value: string) =>
    Buffer.from(unsealWithAny(keys, Buffer.from(value, 'base64'), context)).toString('utf8');
  return {
    name,
    seal: sealed,
    open: opened,
    read: () => meta.get(name),
    writeFirst: (stored) => meta.setIfAbsent(name, stored),
    replace: (from, to) => meta.replace(name, from, to),
  };
}

/** A key pair of this server's tokens (Ed25519). */
interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** With kid, alg and use, as in the JWKS. */
  readonly publicJwk: JWK;
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  /** When the last token that it signed has ended, ms since 1970; null: it signs new tokens. */
  readonly until: number | null;
}

function newSigningKey(): Promise<SigningKey> {
  return toSigningKey(generateKeyPairSync('ed25519').privateKey, null);
}

async function toSigningKey(privateKey: KeyObject, until: number | null): Promise<SigningKey> {
  const publicKey = createPublicKey(privateKey);
  const jwk = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  return { privateKey, publicKey, kid, publicJwk: { ...jwk, kid, alg: 'EdDSA', use: 'sig' }, until };
}

const keySet = z.object({
  keys: z.array(z.looseObject({ until: z.int().nullable() })).min(1),
});

/** JSON of private keys: a JWK Set whose keys have a member `until`. */
function writeKeys(keys: readonly SigningKey[]): string {
  const all = keys.map(({ privateKey, until }) => ({ ...privateKey.export({ format: 'jwk' }), until }));
  return JSON.stringify({ keys: all });
}

/**
 * Reads what `writeKeys` wrote.
 * @param name of the file or value, for the message
 * @throws OperatorError when it has no key pair, or a malformed one
 */
async function readKeys(text: string, name: string): Promise<SigningKey[]> {
  try {
    const { keys } = keySet.parse(JSON.parse(text));
    return await Promise.all(keys.map(({ until, ...jwk }) => toSigningKey(parseKey(jwk), until)));
  } catch {
    // The message of a parser may quote the key, so it is not passed on.
    throw new OperatorError(
      `${name} does not hold a private Ed25519 key (JWK); restore it, or move it away: the next start makes another one, and all access tokens end`,
    );
  }
}

function parseKey(jwk: object): KeyObject {
  const key = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('another type of key');
  return key;
}
