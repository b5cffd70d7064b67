import { hkdfSync, randomBytes } from 'node:crypto';
import { endianness } from 'node:os';
import type { GalleryRecord } from '../store/store.ts';
import { SealError, seal, unseal } from './sealing.ts';

const keyBytes = 32;

/** What the vault needs of a gallery: where its key belongs, and the wrapped key. */
export type GalleryLock = Pick<GalleryRecord, 'id' | 'clientId' | 'wrappedKey'>;

/**
 * Seals templates. Each gallery has a random data key, stored wrapped under the master key: who destroys the
 * gallery's row destroys the key and with it every template, in backups of the other rows too.
 *
 * @example
 * const record = await store.galleries.create(clientId, name, (id) => vault.wrapNewKey(clientId, id));
 * const sealed = vault.gallery(record).seal(userId, template);
 */
export interface TemplateVault {
  /** A new data key, wrapped; it opens only for this client and this internal gallery number. */
  wrapNewKey(clientId: string, gallery: number): Uint8Array;
  /** @throws SealError when the wrapped key does not open under the master key */
  gallery(gallery: GalleryLock): GalleryVault;
}

/** The templates of one gallery. */
export interface GalleryVault {
  /** @returns float32 little-endian, sealed: 4 bytes a dimension and 29 more */
  seal(userId: string, template: Float32Array): Uint8Array;
  /** @throws SealError when the bytes are damaged or belong to another user or gallery */
  open(userId: string, sealed: Uint8Array): Float32Array;
}

/** @param masterKey 32 bytes */
export function createTemplateVault(masterKey: Uint8Array): TemplateVault {
  requireLittleEndian();
  const wrappingKey = deriveKey(masterKey, 'wajah gallery keys');
  return {
    wrapNewKey: (clientId, gallery) =>
      seal(wrappingKey, randomBytes(keyBytes), contextOf('key', gallery, clientId)),
    gallery: ({ id, clientId, wrappedKey }) =>
      galleryVault(id, unseal(wrappingKey, wrappedKey, contextOf('key', id, clientId))),
  };
}

/** One purpose, one key (HKDF-SHA256, RFC 5869). @returns 32 bytes */
export function deriveKey(masterKey: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(), purpose, keyBytes));
}

function galleryVault(gallery: number, key: Uint8Array): GalleryVault {
  return {
    seal: (userId, template) => {
      const bytes = new Uint8Array(template.buffer, template.byteOffset, template.byteLength);
      return seal(key, bytes, contextOf('template', gallery, userId));
    },
    open: (userId, sealed) => {
      const bytes = unseal(key, sealed, contextOf('template', gallery, userId));
      if (bytes.length % 4 !== 0) throw new SealError(`a template of ${bytes.length} bytes is not float32`);
      // A copy: what unseal returns need not lie at a multiple of four.
      return new Float32Array(new Uint8Array(bytes).buffer);
    },
  };
}

/** Kind and number have a fixed length, so no two places have the same bytes. */
function contextOf(kind: 'key' | 'template', gallery: number, name: string): Uint8Array {
  const head = Buffer.alloc(9);
  head.writeUInt8(kind === 'key' ? 1 : 2);
  head.writeBigUInt64BE(BigInt(gallery), 1);
  return Buffer.concat([head, Buffer.from(name, 'utf8')]);
}

/** Every platform that Node 20 supports but s390x; there the stored bytes would be read wrongly. */
function requireLittleEndian(): void {
  if (endianness() !== 'LE') throw new Error('templates are stored little-endian; this processor is not');
}
