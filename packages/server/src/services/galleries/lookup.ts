import type { EmbeddingSpec } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { StoredFace } from '../../store/crop-store.ts';
import type { GalleryRecord, Store } from '../../store/store.ts';
import type { Caller } from '../services.ts';

/**
 * A gallery of the caller.
 * @throws Refusal `galleryNotFound`, also for a gallery of another client
 */
export async function galleryOf(store: Store, caller: Caller, galleryId: string): Promise<GalleryRecord> {
  const gallery = await store.galleries.get(caller.clientId, galleryId);
  if (!gallery) throw noGallery();
  return gallery;
}

export function noGallery(): Refusal {
  return new Refusal(
    'galleryNotFound',
    'facegallery_id: you have no gallery of this name; list your galleries or create it first',
  );
}

/** @throws Refusal `userNotFound` */
export async function userOf(store: Store, gallery: GalleryRecord, userId: string): Promise<StoredFace> {
  const face = await store.faces.get(gallery.id, userId);
  if (!face) throw noUser();
  return face;
}

export function noUser(): Refusal {
  return new Refusal(
    'userNotFound',
    'user_id: nobody of this user_id is enrolled in the gallery; list its faces or enrol the user first',
  );
}

/** The text under which a gallery keeps what its templates are pinned to: keys in a fixed order. */
export function contractText(contract: EmbeddingSpec): string {
  const { pack, version, embedder, alignment, dimensions, normalisation } = contract;
  return JSON.stringify({ pack, version, embedder, alignment, dimensions, normalisation });
}

/**
 * Templates of different models say nothing about each other.
 * @throws Refusal `denied` when the gallery's templates were made by another model than the server's; `busy` when that
 *   is so since a moment ago, and other servers answer, or when the gallery is being carried over
 */
export function requireContract(
  gallery: Pick<GalleryRecord, 'embeddingSpec' | 'migrated' | 'migrating'>,
  contract: EmbeddingSpec,
): void {
  const mine = contractText(contract);
  if (gallery.migrating && gallery.embeddingSpec === mine) throw stillCarrying();
  if (gallery.embeddingSpec === null || gallery.embeddingSpec === mine) return;
  const { migrated: carried } = gallery;
  if (carried?.from === mine && Math.abs(Date.now() - carried.at.getTime()) < carryingMs)
    throw justCarried(gallery);
  throw otherContract(gallery.embeddingSpec, contract);
}

/** Within this time all servers of a database are started anew with another pack. */
const carryingMs = 15 * 60 * 1000;

function stillCarrying(): Refusal {
  return new Refusal(
    'busy',
    'facegallery_id: this gallery is being carried over to another model pack; try again in some seconds',
  );
}

function justCarried({ embeddingSpec: contract }: Pick<GalleryRecord, 'embeddingSpec'>): Refusal {
  return new Refusal(
    'busy',
    `facegallery_id: this gallery went over to the model pack ${packName(contract)} a moment ago, and this server runs the one before; a server that runs the new one answers: try again`,
  );
}

export function otherContract(stored: string | null, contract: EmbeddingSpec): Refusal {
  const mine = `${contract.pack} ${contract.version} (${contract.embedder})`;
  return new Refusal(
    'denied',
    `facegallery_id: the faces of this gallery were enrolled with the model pack ${packName(stored)}, the server runs ${mine}, and their templates cannot be compared; ${remedyFor(stored, contract)} in another gallery`,
  );
}

/** What brings faces of another contract back: a pack that was changed in place cannot be started any more. */
export function remedyFor(stored: string | null, { pack }: EmbeddingSpec): string {
  const samePack = stored !== null && (JSON.parse(stored) as Partial<EmbeddingSpec>).pack === pack;
  const carry = `where face crops are kept, carry it over with \`wajah reembed --to ${pack}\``;
  return samePack
    ? `${carry}, else enrol the faces anew`
    : `start the server with that pack, or, ${carry}, else enrol the faces anew`;
}

/** Pack, version and embedder of a stored contract, in words. */
export function packName(stored: string | null): string {
  if (stored === null) return 'of another server';
  const { pack, version, embedder } = JSON.parse(stored) as Partial<EmbeddingSpec>;
  return `${pack} ${version} (${embedder})`;
}
