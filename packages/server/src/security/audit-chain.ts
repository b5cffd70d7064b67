import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { OperatorError } from '../errors.ts';
import type {
  AuditChain,
  AuditEntry,
  AuditRecord,
  ChainEnd,
  ChainLink,
  MetaStore,
  RecordLink,
  SealedLink,
} from '../store/ports.ts';
import { deriveKeys, type Keys, SealError, seal as sealBytes, unsealWithAny } from './vaults/sealing.ts';

const saltBytes = 16;
const keyBytes = 32;
const keyContext = Buffer.from(JSON.stringify(['audit key']), 'utf8');

/** Stored value that holds the sealed key of the chain, as base64. */
export const auditKeyName = 'audit_key';

/** An audit chain that also checks what it has sealed. */
interface AuditKey extends AuditChain {
  isSealed(link: SealedLink): boolean;
}

/**
 * Links audit records: the hash can be checked by everybody, the seal only with the key. Whoever has only the database
 * cannot seal a record that they changed.
 * @param key 32 bytes
 */
export function createAuditChain(key: Uint8Array): AuditKey {
  const seal = (what: ChainEnd | 'record', { number, hash }: ChainLink) =>
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
    throw new OperatorError(`${auditKeyName} of the store does not open: ${error.message}`, { cause: error });
  }
}

/**
 * What is wrong with a record, without the key.
 * @param previous the record before it, or the anchor
 * @returns null: nothing
 */
function faultOf(
  entry: AuditEntry,
  { number, salt, digest, hash }: Omit<RecordLink, 'seal'>,
  previous: ChainLink,
): string | null {
  if (number !== previous.number + 1) return `record ${previous.number + 1} is missing`;
  if (!isEqual(hash, hashOf(entry, number, digest, previous))) {
    return 'its hash does not follow from its time, event and digest and from the record before';
  }
  if (salt === null) {
    const { clientId, trxId, facts } = entry;
    const isBlank = clientId === null && trxId === null && Object.keys(facts).length === 0;
    return isBlank ? null : 'its names are erased, and it has names';
  }
  return isEqual(digest, digestOf(entry, salt)) ? null : 'its client, trx_id or facts were changed';
}

/** SHA-256 of the JSON array [salt, client_id, trx_id, facts]. */
function digestOf({ clientId, trxId, facts }: AuditEntry, salt: Uint8Array): Buffer {
  return sha256([hex(salt), clientId, trxId, facts]);
}

/** SHA-256 of the JSON array [number, milliseconds since 1970, event, digest, hash of the record before]. */
function hashOf({ at, event }: AuditEntry, number: number, digest: Uint8Array, previous: ChainLink): Buffer {
  return sha256([number, at.getTime(), event, hex(digest), hex(previous.hash)]);
}

function sha256(values: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(values)).digest();
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/**
 * Checks a chain record by record.
 * @param anchor the place before the first record
 * @param key null: seals are not checked
 */
export function createTrailCheck(anchor: SealedLink, key: AuditKey | null) {
  let previous: ChainLink = anchor;
  let [records, erased] = [0, 0];
  let fault = key && anchor.number > 0 && !key.isSealedEnd('anchor', anchor) ? unsealed('anchor') : null;
  const check = ({ link, ...entry }: AuditRecord): string | null => {
    if (link === null) return `a record of ${entry.at.toISOString()} has no number`;
    const found = faultOf(entry, link, previous);
    if (found !== null) return `record ${link.number}: ${found}`;
    if (key && !key.isSealed(link)) return `record ${link.number}: its seal is not of this master key`;
    previous = link;
    records += 1;
    if (link.salt === null) erased += 1;
    return null;
  };
  return {
    /** @returns false once a fault is found; later records are not checked */
    add(record: AuditRecord): boolean {
      fault ??= check(record);
      return fault === null;
    },
    /** @param head the last record as the store has it; null: unknown, as in an exported part */
    end(head: SealedLink | null) {
      if (fault === null && head !== null) fault = headFault(head);
      return { records, erased, first: anchor.number + 1, last: previous.number, fault };
    },
  };

  function headFault(head: SealedLink): string | null {
    if (head.number !== previous.number || !Buffer.from(head.hash).equals(previous.hash)) {
      return `the last record is ${previous.number}, and the store says ${head.number}: records were removed or added`;
    }
    return key && head.number > 0 && !key.isSealedEnd('head', head) ? unsealed('head') : null;
  }
}

function unsealed(end: string): string {
  return `the ${end} of the chain: its seal is not of this master key`;
}
