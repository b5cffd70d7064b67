import { join } from 'node:path';
import type { JSONWebKeySet } from 'jose';
import type { MetaStore } from '../../store/store.ts';
import { type Keys, seal, unsealWithAny } from '../vaults/sealing.ts';
import { deriveKeys } from '../vaults/template-vault.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';
import { newSigningKey, readKeys, type SigningKey, writeKeys } from './signing-key.ts';

/** The key that signs tokens, and earlier ones whose tokens have not all ended. */
export interface SigningKeys {
  /** The key that signs. */
  current(): Promise<SigningKey>;
  /** The key of a token's `kid`; null when it is unknown or past. */
  find(kid: string | undefined): Promise<SigningKey | null>;
  /** Seals the keys under the first master key, where they are sealed. */
  reseal(): Promise<void>;
  /** The public keys. */
  jwks(): Promise<JSONWebKeySet>;
  /**
   * Generates a new key, which signs from now on.
   * @param seconds that tokens of the former key stay valid; 0: none does any longer
   * @returns the kid of the new key, and when the former one ends
   */
  rotate(seconds: number): Promise<{ kid: string; formerUntil: Date }>;
}

/** Where the keys are kept, as text of `writeKeys`. */
interface KeyText {
  /** Of the file or value, for messages. */
  readonly name: string;
  read(): Promise<string | null>;
  /** @returns the stored text: another server may have stored one first */
  writeFirst(text: string): Promise<string>;
  write(text: string): Promise<void>;
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
  const text = await source.read();
  if (text !== null && (await target.read()) === null) await target.writeFirst(text);
}

async function openKeys(stored: KeyText, maxAgeMs: number): Promise<SigningKeys> {
  let keys: readonly SigningKey[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async () => {
    const text = (await stored.read()) ?? (await stored.writeFirst(writeKeys([await newSigningKey()])));
    keys = await readKeys(text, stored.name);
    readAt = performance.now();
  };
  const refresh = async (ageMs: number) => {
    if (performance.now() - readAt >= ageMs) await read();
  };
  const valid = () => keys.filter(({ until }) => until === null || until > Date.now());
  const known = (kid: string | undefined) => valid().find((key) => key.kid === kid) ?? null;
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
    reseal: async () => {
      await read();
      await stored.write(writeKeys(keys));
    },
    async jwks() {
      await refresh(maxAgeMs);
      return { keys: valid().map(({ publicJwk }) => publicJwk) };
    },
    async rotate(seconds) {
      await read();
      const until = Date.now() + (seconds === 0 ? 0 : seconds + overlapSeconds) * 1000;
      const former = valid().map((key) => ({ ...key, until: Math.min(key.until ?? until, until) }));
      const key = await newSigningKey();
      await stored.write(writeKeys([key, ...(seconds === 0 ? [] : former)]));
      await read();
      return { kid: key.kid, formerUntil: new Date(until) };
    },
  };
}

function keyFile(dataDir: string): KeyText {
  const name = join(dataDir, 'signing-key.json');
  const write = async (text: string) => writePrivateFile(name, `${text}\n`);
  return {
    name,
    read: async () => readPrivateFile(name),
    writeFirst: async (text) => {
      await write(text);
      return text;
    },
    write,
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
    read: async () => {
      const value = await meta.get(name);
      return value === null ? null : opened(value);
    },
    writeFirst: async (text) => opened(await meta.setIfAbsent(name, sealed(text))),
    write: (text) => meta.set(name, sealed(text)),
  };
}
