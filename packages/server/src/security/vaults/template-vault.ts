import { hkdfSync, randomBytes } from 'node:crypto';
import { endianness } from 'node:os';
import type { FaceCrop } from '@wajah/engine';
import type { GalleryRecord } from '../../store/store.ts';
import { readCrop, writeCrop } from './crop-bytes.ts';
import { type Keys, SealError, seal, unseal, unsealWithAny } from './sealing.ts';

const keyBytes = 32;

/** The wrapped key of a gallery, and the identity that it is bound to. */
export type GalleryKeyRecord = Pick<GalleryRecord, 'id' | 'clientId' | 'wrappedKey'>;

/**
 * Seals templates. Each gallery has a random data key, stored wrapped under the master key. Erasing that key makes
 * every template of the gallery unreadable, also those in backups without the key.
 *
 * @example
 * const record = await store.galleries.create(clientId, name, (id) => vault.wrapNewKey(clientId, id));
 * const sealed = vault.gallery(record).seal(userId, template);
 */
export interface TemplateVault {
  /** A new data key, wrapped, bound to this client and internal gallery number. */
  wrapNewKey(clientId: string, gallery: number): Uint8Array;
  /**
   * The gallery's data key wrapped under the first master key.
   * @returns null when it is already
   * @throws SealError as `gallery`
   */
  rewrapKey(gallery: GalleryKeyRecord): Uint8Array | null;
  /** @throws SealError when the wrapped key does not open under the master key */
  gallery(gallery: GalleryKeyRecord): GalleryVault;
  /**
   * The gallery's data key in shared memory, for `galleryVault` in other threads. The caller overwrites it after use,
   * which erases it for all threads.
   * @throws SealError as `gallery`
   */
  sharedKey(gallery: GalleryKeyRecord): Uint8Array;
}

/** Seals and opens the templates and face crops of one gallery. */
export interface GalleryVault {
  /** @returns float32 little-endian, sealed: 4 bytes a dimension and 29 more */
  seal(userId: string, template: Float32Array): Uint8Array;
  /** The same for several templates of one person, 1…`maxTemplates` of equal length; one byte more. */
  sealAll(userId: string, templates: readonly Float32Array[]): Uint8Array;
  /**
   * The reference that probes are compared with: the template, or the mean of several (see `meanOf`).
   * @throws SealError when the bytes are damaged or belong to another user or gallery
   */
  open(userId: string, sealed: Uint8Array): Float32Array;
  /** @throws SealError as `open` */
  openAll(userId: string, sealed: Uint8Array): Float32Array[];
  sealCrop(userId: string, crop: FaceCrop): Uint8Array;
  /** @throws SealError when the bytes are damaged or belong to another user or gallery */
  openCrop(userId: string, sealed: Uint8Array): FaceCrop;
}

/** Maximum number of templates of one person. */
export const maxTemplates = 5;

/** @param masterKeys 32 bytes each; the first one wraps, the others also unwrap */
export function createTemplateVault(...masterKeys: Keys): TemplateVault {
  requireLittleEndian();
  const wrappingKeys = deriveKeys(masterKeys, 'wajah gallery keys');
  const [wrappingKey] = wrappingKeys;
  const keyOf = ({ id, clientId, wrappedKey }: GalleryKeyRecord) =>
    unsealWithAny(wrappingKeys, wrappedKey, contextOf('key', id, clientId));
  return {
    wrapNewKey: (clientId, gallery) =>
      seal(wrappingKey, randomBytes(keyBytes), contextOf('key', gallery, clientId)),
    rewrapKey(record) {
      const context = contextOf('key', record.id, record.clientId);
      try {
        unseal(wrappingKey, record.wrappedKey, context).fill(0);
        return null;
      } catch {
        const key = keyOf(record);
        const wrapped = seal(wrappingKey, key, context);
        key.fill(0);
        return wrapped;
      }
    },
    gallery: (record) => galleryVault(record.id, keyOf(record)),
    sharedKey: (record) => {
      const key = keyOf(record);
      const shared = new Uint8Array(new SharedArrayBuffer(keyBytes));
      shared.set(key);
      key.fill(0);
      return shared;
    },
  };
}

/** `deriveKey` of each master key. */
export function deriveKeys([first, ...others]: Keys, purpose: string): Keys {
  return [deriveKey(first, purpose), ...others.map((key) => deriveKey(key, purpose))];
}

/** Derives a key for one purpose (HKDF-SHA256, RFC 5869). @returns 32 bytes */
export function deriveKey(masterKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(), purpose, keyBytes));
}

/** @param key the gallery's data key, 32 bytes */
export function galleryVault(gallery: number, key: Uint8Array): GalleryVault {
  const sealAll = (userId: string, templates: readonly Float32Array[]) => {
    const count = templates.length;
    if (count < 1 || count > maxTemplates) throw new RangeError(`${count} templates of one person`);
    const plain = Buffer.concat(
      templates.map((one) => new Uint8Array(one.buffer, one.byteOffset, one.byteLength)),
    );
    const sealed = seal(key, plain, contextOf(count, gallery, userId));
    return count === 1 ? sealed : Buffer.concat([Uint8Array.of(severalMark + count), sealed]);
  };
  const openAll = (userId: string, sealed: Uint8Array) => {
    const count = countOf(sealed);
    const body = count === 1 ? sealed : sealed.subarray(1);
    const bytes = unseal(key, body, contextOf(count, gallery, userId));
    if (bytes.length % (4 * count) !== 0) {
      throw new SealError(`${count} templates of ${bytes.length} bytes are not float32`);
    }
    // A copy, since the unsealed bytes need not be aligned to four.
    const floats = new Float32Array(new Uint8Array(bytes).buffer);
    const length = floats.length / count;
    return Array.from({ length: count }, (_, i) => floats.subarray(i * length, (i + 1) * length));
  };
  return {
    seal: (userId, template) => sealAll(userId, [template]),
    sealAll,
    open: (userId, sealed) => meanOf(openAll(userId, sealed)),
    openAll,
    sealCrop: (userId, crop) => seal(key, writeCrop(crop), contextOf(cropKind, gallery, userId)),
    openCrop: (userId, sealed) => readCrop(unseal(key, sealed, contextOf(cropKind, gallery, userId))),
  };
}

/** First byte of several sealed templates, minus their number; larger than every version byte of sealed bytes. */
const severalMark = 0xa0;

function countOf(sealed: Uint8Array): number {
  const count = (sealed[0] ?? 0) - severalMark;
  return count >= 2 && count <= maxTemplates ? count : 1;
}

/** Mean of templates of equal length, not normalised: its inner product with a probe is the mean of theirs. */
export function meanOf(templates: readonly Float32Array[]): Float32Array {
  const [only] = templates;
  if (only && templates.length === 1) return only;
  const mean = new Float32Array(only?.length ?? 0);
  for (const one of templates) for (let i = 0; i < mean.length; i++) mean[i]! += one[i]! / templates.length;
  return mean;
}

/** Larger than every number of templates. */
const cropKind = 64;

/**
 * Associated data of sealed bytes. Kind and number have a fixed length, so contexts are unambiguous.
 * @param kind a wrapped key, the number of templates, or `cropKind`
 */
function contextOf(kind: 'key' | number, gallery: number, name: string): Uint8Array {
  const head = Buffer.alloc(9);
  head.writeUInt8(kind === 'key' ? 1 : kind + 1);
  head.writeBigUInt64BE(BigInt(gallery), 1);
  return Buffer.concat([head, Buffer.from(name, 'utf8')]);
}

/** Of the platforms of Node 20 only s390x is big-endian; it would misread stored templates. */
function requireLittleEndian(): void {
  if (endianness() !== 'LE') throw new Error('templates are stored little-endian; this processor is not');
}
