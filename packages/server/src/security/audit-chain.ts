import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { OperatorError } from '../errors.ts';
import type { AuditChain, AuditEntry, ChainEnd, ChainLink, SealedLink } from '../store/ports/audit.ts';
import type { MetaStore } from '../store/ports/meta.ts';
import { deriveKeys, type Keys, SealError, seal as sealBytes, unsealWithAny } from './vaults/sealing.ts';

const saltBytes = 16;
const keyBytes = 32;
const keyContext = Buffer.from(JSON.stringify(['audit key']), 'utf8');

/** Stored value that holds the sealed key of the chain, as base64. */
export const auditKeyName = 'audit_key';

/** An audit chain that also checks what it has sealed. */
export interface AuditKey extends AuditChain {
  isSealed(link: SealedLink): boolean;
  /** Of a model pack in the store: whoever has only the database cannot exchange its networks. @param digest of its files */
  sealPack(digest: Uint8Array): Uint8Array;
  isSealedPack(digest: Uint8Array, seal: Uint8Array): boolean;
}

/**
 * Links audit records: the hash can be checked by everybody, the seal only with the key. Whoever has only the database
 * cannot seal a record that they changed.
 * @param key 32 bytes
 */
export function createAuditChain(key: Uint8Array): AuditKey {
  const seal = (what: ChainEnd | 'record' | 'model pack', { number, hash }: ChainLink) =>
    createHmac('sha256', key)
      .update(JSON.stringify([what, number, hex(hash)]))
      .digest();
  return {
    link: (entry, previous) => {
      const salt = randomBytes(saltBytes);
      const digest = digestOf(entry, salt);
      const number = previous.number + 1;
      const hash = hashOf(entry, number, digest, previous);
      return { number, salt, digest, hash, seal: seal('record', { number, hash }) };
    },
    sealEnd: (end, { number, hash }) => ({ number, hash, seal: seal(end, { number, hash }) }),
    isSealed: (link) => isEqual(link.seal, seal('record', link)),
    isSealedEnd: (end, link) => isEqual(link.seal, seal(end, link)),
    sealPack: (hash) => seal('model pack', { number: 0, hash }),
    isSealedPack: (hash, given) => isEqual(given, seal('model pack', { number: 0, hash })),
  };
}

/** A chain whose key is stored, sealed under the master key. */
export interface StoredAuditChain extends AuditKey {
  /** Seals the key under the first master key. */
  reseal(): Promise<void>;
}

/**
 * Opens the chain of a store; the first call generates its key. It is not derived from the master key, so that the seals
 * stay valid when that is replaced.
 * @throws OperatorError when the stored key does not open
 */
export async function openAuditChain(masterKeys: Keys, meta: MetaStore): Promise<StoredAuditChain> {
  const [first] = deriveKeys(masterKeys, 'wajah audit key');
  const sealed = (key: Uint8Array) => Buffer.from(sealBytes(first, key, keyContext)).toString('base64');
  const stored =
    (await meta.get(auditKeyName)) ?? (await meta.setIfAbsent(auditKeyName, sealed(randomBytes(keyBytes))));
  const key = unsealKey(masterKeys, stored);
  return { ...createAuditChain(key), reseal: () => meta.set(auditKeyName, sealed(key)) };
}

/** @param stored as `openAuditChain` stores it @throws OperatorError when it does not open */
export function openAuditKey(masterKeys: Keys, stored: string): AuditKey {
  return createAuditChain(unsealKey(masterKeys, stored));
}

function unsealKey(masterKeys: Keys, stored: string): Uint8Array {
  try {
    const keys = deriveKeys(masterKeys, 'wajah audit key');
    return unsealWithAny(keys, Buffer.from(stored, 'base64'), keyContext);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new OperatorError(`the key of the audit trail (${auditKeyName}) does not open: ${error.message}`, {
      cause: error,
    });
  }
}

/** SHA-256 of the JSON array [salt, client_id, trx_id, facts]. */
export function digestOf({ clientId, trxId, facts }: AuditEntry, salt: Uint8Array): Buffer {
  return sha256([hex(salt), clientId, trxId, facts]);
}

/** SHA-256 of the JSON array [number, milliseconds since 1970, event, digest, hash of the record before]. */
export function hashOf(
  { at, event }: AuditEntry,
  number: number,
  digest: Uint8Array,
  previous: ChainLink,
): Buffer {
  return sha256([number, at.getTime(), event, hex(digest), hex(previous.hash)]);
}

function sha256(values: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(values)).digest();
}

export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
