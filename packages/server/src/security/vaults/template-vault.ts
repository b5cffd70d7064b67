import { createHash, createHmac, randomBytes } from 'node:crypto';
import { endianness } from 'node:os';
import { maxTemplates } from '@wajah/contract/values';
import type { CohortStatistics, FaceCrop } from '@wajah/engine';
import { GalleryKeyError } from '../../errors.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import {
  deriveKeys,
  type Keys,
  keyBytes,
  openedOrNull,
  reseal,
  SealError,
  seal,
  unsealWithAny,
} from './sealing.ts';

/** The wrapped key of a gallery, and the identity that it is bound to. */
export type GalleryKeyRecord = Pick<GalleryRecord, 'id' | 'clientId' | 'wrappedKey'>;

export type TemplateVault = ReturnType<typeof createTemplateVault>;

/**
 * Seals templates. Each gallery has a random data key, stored wrapped under the master key. Erasing that key makes
 * every template of the gallery unreadable, also those in backups without the key.
 * @param masterKeys 32 bytes each; the first one wraps, the others also unwrap
 * @example
 * const record = await store.galleries.create(clientId, name, (id) => vault.wrapNewKey(clientId, id));
 * const sealed = vault.gallery(record).seal(userId, template);
 */
export function createTemplateVault(...masterKeys: Keys) {
  requireLittleEndian();
  const wrappingKeys = deriveKeys(masterKeys, 'wajah gallery keys');
  const wrap = (key: Uint8Array, clientId: string, gallery: number): Uint8Array =>
    seal(wrappingKeys[0], key, contextOf('key', gallery, clientId));
  const keyOf = ({ id, clientId, wrappedKey }: GalleryKeyRecord): Uint8Array => {
    const context = contextOf('key', id, clientId);
    const key = openedOrNull(() => unsealWithAny(wrappingKeys, wrappedKey, context));
    if (key?.length === keyBytes) return key;
    throw new GalleryKeyError(`the key of gallery ${id} does not open: it is damaged`);
  };
  return {
    /** A new data key, wrapped, bound to this client and internal gallery number. */
    wrapNewKey: (clientId: string, gallery: number): Uint8Array =>
      wrap(randomBytes(keyBytes), clientId, gallery),
    /**
     * A new data key for a gallery, wrapped under the first master key, and a vault that seals anew under it what the
     * present one has sealed.
     * @throws SealError as `gallery`
     */
    renew(record: GalleryKeyRecord): { readonly wrappedKey: Uint8Array; readonly vault: GalleryVault } {
      const key = randomBytes(keyBytes);
      const wrappedKey = wrap(key, record.clientId, record.id);
      return { wrappedKey, vault: galleryVault(record.id, [key, keyOf(record)]) };
    },
    /** @throws GalleryKeyError when the wrapped key does not open under the master key */
    gallery: (record: GalleryKeyRecord) => galleryVault(record.id, [keyOf(record)]),
  };
}

export type GalleryVault = ReturnType<typeof galleryVault>;

/**
 * Seals and opens the templates, face crops and statistics of one gallery. What is opened throws a SealError when the
 * bytes are damaged or belong to another user or gallery.
 * @param keys the gallery's data keys, 32 bytes each; the first one seals, the others also open
 */
function galleryVault(gallery: number, keys: Keys) {
  return { ...templateSeals(gallery, keys), ...cropSeals(gallery, keys), ...cohortSeals(gallery, keys) };
}

function templateSeals(gallery: number, keys: Keys) {
  /** Several templates of one person, 1…`maxTemplates` of equal length; one byte more than `seal`. */
  const sealAll = (userId: string, templates: readonly Float32Array[]): Uint8Array => {
    const count = templates.length;
    if (count < 1 || count > maxTemplates) throw new RangeError(`${count} templates of one person`);
    const plain = Buffer.concat(
      templates.map((one) => new Uint8Array(one.buffer, one.byteOffset, one.byteLength)),
    );
    const sealed = seal(keys[0], plain, contextOf(count, gallery, userId));
    return count === 1 ? sealed : Buffer.concat([Uint8Array.of(severalMark + count), sealed]);
  };
  const openAll = (userId: string, sealed: Uint8Array): Float32Array[] => {
    const { count, body } = partsOf(sealed);
    const bytes = unsealWithAny(keys, body, contextOf(count, gallery, userId));
    if (bytes.length % (4 * count) !== 0) {
      throw new SealError(`${count} templates of ${bytes.length} bytes are not float32`);
    }
    const floats = floatsOf(bytes);
    const length = floats.length / count;
    return Array.from({ length: count }, (_, i) => floats.subarray(i * length, (i + 1) * length));
  };
  return {
    /** @returns float32 little-endian, sealed: 4 bytes a dimension and 29 more */
    seal: (userId: string, template: Float32Array) => sealAll(userId, [template]),
    sealAll,
    /** The reference that probes are compared with: the template, or the mean of several (see `meanOf`). */
    open: (userId: string, sealed: Uint8Array) => meanOf(openAll(userId, sealed)),
    openAll,
  };
}

function cropSeals(gallery: number, keys: Keys) {
  return {
    sealCrop: (userId: string, crop: FaceCrop) =>
      seal(keys[0], writeCrop(crop), contextOf(cropKind, gallery, userId)),
    openCrop: (userId: string, sealed: Uint8Array) =>
      readCrop(unsealWithAny(keys, sealed, contextOf(cropKind, gallery, userId))),
    /**
     * Templates, a crop or statistics, sealed under the present key.
     * @param userId of templates and crops
     * @returns null when they are already, else as many bytes
     */
    reseal(what: 'templates' | 'crop' | 'cohort', userId: string, sealed: Uint8Array): Uint8Array | null {
      if (what === 'cohort') return reseal(keys, sealed, contextOf(cohortKind, gallery, ''));
      if (what === 'crop') return reseal(keys, sealed, contextOf(cropKind, gallery, userId));
      const { count, body } = partsOf(sealed);
      const resealed = reseal(keys, body, contextOf(count, gallery, userId));
      return resealed && Buffer.concat([sealed.subarray(0, sealed.length - body.length), resealed]);
    },
  };
}

function cohortSeals(gallery: number, keys: Keys) {
  const context = contextOf(cohortKind, gallery, '');
  return {
    /** @param embeddingSpec of the templates (JSON); the statistics open with the same only */
    sealCohort: (embeddingSpec: string, cohort: GalleryCohort) =>
      seal(keys[0], Buffer.concat([digestOf(embeddingSpec), writeCohort(cohort)]), context),
    openCohort(embeddingSpec: string, sealed: Uint8Array): GalleryCohort {
      const bytes = unsealWithAny(keys, sealed, context);
      const digest = digestOf(embeddingSpec);
      if (!digest.equals(bytes.subarray(0, digest.length))) {
        throw new SealError('statistics of another pack or an earlier format');
      }
      return readCohort(bytes.subarray(digest.length));
    },
    /** Order in which people are drawn into a sample, 0…2^48: nobody without the key can choose a user_id that comes first. */
    sampleKey: (userId: string): number =>
      createHmac('sha256', keys[0])
        .update(contextOf(sampleKind, gallery, userId))
        .digest()
        .readUIntBE(0, 6),
  };
}

/** Of an embedding spec and the format of statistics. */
const digestOf = (spec: string) => createHash('sha256').update(`${COHORT_FORMAT} ${spec}`).digest();

/** First byte of several sealed templates, minus their number; larger than every version byte of sealed bytes. */
const severalMark = 0xa0;

/** Number of templates in sealed bytes, which are not opened. */
export function countTemplates(sealed: Uint8Array): number {
  return partsOf(sealed).count;
}

/** Number of templates, and the sealed bytes without the mark of several. */
function partsOf(sealed: Uint8Array): { readonly count: number; readonly body: Uint8Array } {
  const count = (sealed[0] ?? 0) - severalMark;
  if (count < 2 || count > maxTemplates) return { count: 1, body: sealed };
  return { count, body: sealed.subarray(1) };
}

/** A copy only where the bytes are not aligned to four. */
function floatsOf(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Float32Array(buffer, byteOffset, length / 4);
}

/** Mean of templates of equal length, not normalised: its inner product with a probe is the mean of theirs. */
export function meanOf(templates: readonly Float32Array[]): Float32Array {
  const [only] = templates;
  if (only && templates.length === 1) return only;
  const mean = new Float32Array(only?.length ?? 0);
  for (const one of templates) for (let i = 0; i < mean.length; i++) mean[i]! += one[i]! / templates.length;
  return mean;
}

/** Larger than every number of templates, of which the format has room for 63. */
const cropKind = 64;
const cohortKind = 65;
const sampleKind = 66;

/**
 * Associated data of sealed bytes. Kind and number have a fixed length, so contexts are unambiguous.
 * @param kind a wrapped key, the number of templates, or one of the kinds above
 */
function contextOf(kind: 'key' | number, gallery: number, name: string): Uint8Array {
  const context = Buffer.allocUnsafe(9 + Buffer.byteLength(name));
  context.writeUInt8(kind === 'key' ? 1 : kind + 1);
  context.writeBigUInt64BE(BigInt(gallery), 1);
  context.write(name, 9);
  return context;
}

/** Of the platforms of Node 20 only s390x is big-endian; it would misread stored templates. */
function requireLittleEndian(): void {
  if (endianness() !== 'LE') throw new Error('templates are stored little-endian; this processor is not');
}

/** Statistics of the people of a gallery, or of a sample of them. */
export interface GalleryCohort extends CohortStatistics {
  /** The largest `sampleKey` of the people measured: whoever has a larger one is not among them. */
  readonly lastKey: number;
}

/** Statistics of an earlier format do not open, and are measured anew. */
const COHORT_FORMAT = 2;

const numbers = 6;

/** @returns float64 little-endian numbers, then the mean template as float32 */
function writeCohort(cohort: GalleryCohort): Uint8Array {
  const { people, complete, product, weight, deviation, lastKey, mean } = cohort;
  const head = Float64Array.of(people, Number(complete), product, weight, deviation, lastKey);
  return Buffer.concat([
    new Uint8Array(head.buffer),
    new Uint8Array(mean.buffer, mean.byteOffset, mean.byteLength),
  ]);
}

function readCohort(bytes: Uint8Array): GalleryCohort {
  // A copy, since the bytes need not be aligned.
  const { buffer } = new Uint8Array(bytes);
  const [people, complete, product, weight, deviation, lastKey] = new Float64Array(buffer, 0, numbers);
  return {
    people: people!,
    complete: complete === 1,
    product: product!,
    weight: weight!,
    deviation: deviation!,
    lastKey: lastKey!,
    mean: new Float32Array(buffer, numbers * 8),
  };
}

/** Version of the layout: version byte · x, y, width, height of the face (float32, little-endian) · JPEG. */
const version = 1;
const headBytes = 17;

/** Encodes a face crop, before it is sealed. */
export function writeCrop({ jpeg, box }: FaceCrop): Uint8Array {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(version);
  for (const [index, value] of [box.x, box.y, box.width, box.height].entries()) {
    head.writeFloatLE(value, 1 + 4 * index);
  }
  return Buffer.concat([head, jpeg]);
}

/** Decodes a face crop. @throws SealError when the bytes have another layout */
export function readCrop(bytes: Uint8Array): FaceCrop {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (head.length <= headBytes || head[0] !== version) {
    throw new SealError('sealed bytes hold no face crop of a known layout');
  }
  const [x, y, width, height] = [1, 5, 9, 13].map((at) => head.readFloatLE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return { jpeg: new Uint8Array(head.subarray(headBytes)), box: { x, y, width, height } };
}
