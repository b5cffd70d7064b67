import { Refusal } from '../errors.ts';
import type { GalleryRecord } from '../store/store.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { createInOrder } from './in-order.ts';
import { contractText, galleryOf, noGallery, noUser, otherContract, requireContract } from './lookup.ts';
import { scaleOf } from './scale.ts';
import type { Caller } from './services.ts';
import { shown, type Thresholds } from './thresholds.ts';

/** A face about to be written. */
export interface NewFace {
  readonly userId: string;
  readonly userName: string;
  readonly template: Float32Array;
  /** Replace the face this user already has. */
  readonly replace: boolean;
  /** Refuse when somebody else of the gallery has this face. */
  readonly unique: boolean;
}

/** Writes and erases faces, and tells the matcher of it. */
export interface FaceWriter {
  /**
   * What can be refused before any work on the picture is.
   * @throws Refusal `galleryNotFound` | `denied` (other model pack, n_face used up) | `userExists`
   */
  admit(
    caller: Caller,
    input: { galleryId: string; userId: string; replace: boolean },
  ): Promise<{ gallery: GalleryRecord; known: boolean }>;
  /**
   * Resolves when the face is durable and can be found.
   * @throws Refusal as `admit`, when things changed meanwhile; `userExists` naming the other user of a duplicate;
   *   `busy` when others write so fast that uniqueness cannot be said
   */
  write(gallery: GalleryRecord, face: NewFace): Promise<void>;
  /** @throws Refusal `userNotFound` */
  erase(gallery: GalleryRecord, userId: string): Promise<void>;
}

export function createFaceWriter(deps: ServiceDependencies, thresholds: Thresholds): FaceWriter {
  const { store, matcher } = deps;
  const order = createInOrder<number>();
  return {
    async admit(caller, { galleryId, userId, replace }) {
      const gallery = await galleryOf(store, caller, galleryId);
      requireContract(gallery, deps.engine.contract);
      const known = (await store.faces.get(gallery.id, userId)) !== null;
      if (known && !replace) throw alreadyEnrolled();
      if (!known) await requireQuota(deps, caller);
      return { gallery, known };
    },
    async write(gallery, face) {
      if (!face.unique) await commit(deps, gallery, face);
      // One after the other, so that those of this server do not get in each other's way.
      else await order.run(gallery.id, () => writeUnique(deps, thresholds, gallery, face));
    },
    async erase(gallery, userId) {
      const version = await store.faces.remove(gallery.id, userId);
      if (version === false) throw noUser();
      matcher.removed(gallery.id, userId, version);
    },
  };
}

/** Times that somebody else may have written between the search for a duplicate and the writing. */
const uniqueTries = 100;

/** Searched, then written only if nothing was written in between, by this server or another: else once more. */
async function writeUnique(
  deps: ServiceDependencies,
  thresholds: Thresholds,
  gallery: GalleryRecord,
  face: NewFace,
): Promise<void> {
  for (let tries = 0; tries < uniqueTries; tries++) {
    const version = await requireUnique(deps, thresholds, gallery, face);
    if (await commit(deps, gallery, face, version)) return;
  }
  throw new Refusal(
    'busy',
    'facegallery_id: others write to this gallery too fast for check_duplicate; try again',
  );
}

/** @returns false when the gallery no longer has the version that was named */
async function commit(
  deps: ServiceDependencies,
  gallery: GalleryRecord,
  face: NewFace,
  version?: number,
): Promise<boolean> {
  const { userId, userName, template } = face;
  const sealed = deps.vault.gallery(gallery).seal(userId, template);
  const contract = contractText(deps.engine.contract);
  const row = { userId, userName, template: sealed, contract };
  const written = await deps.store.faces.enrol(gallery.id, row, face.replace, version);
  switch (written) {
    case 'changed':
      return false;
    case 'exists':
      throw alreadyEnrolled();
    case 'quota':
      throw quotaUsedUp();
    case 'gone':
      throw noGallery();
    case 'contract': {
      const now = await deps.store.galleries.get(gallery.clientId, gallery.galleryId);
      throw otherContract(now?.contract ?? null, deps.engine.contract);
    }
    default:
      deps.matcher.enrolled(gallery.id, { userId, userName, template, seq: written });
      return true;
  }
}

/**
 * A duplicate is looked for among all, so the threshold is that of identification.
 * @returns the version of the gallery for which it was said
 */
async function requireUnique(
  deps: ServiceDependencies,
  thresholds: Thresholds,
  { clientId, galleryId }: GalleryRecord,
  face: NewFace,
): Promise<number> {
  const gallery = await deps.store.galleries.get(clientId, galleryId);
  if (!gallery) throw noGallery();
  // Two, because the best may be the face that this user is about to replace.
  const matches = await deps.matcher.search(gallery, face.template, 2);
  const other = matches.find((match) => match.userId !== face.userId);
  if (!other) return gallery.version;
  const similarity = scaleOf(deps.engine, gallery).similarityOf(other.score);
  const threshold = thresholds.identification(gallery);
  if (similarity < threshold) return gallery.version;
  throw new Refusal(
    'userExists',
    `image: this face is already enrolled in the gallery as user_id ${JSON.stringify(other.userId)} (similarity ${shown(similarity)}, threshold ${shown(threshold)}); delete that face first, or enrol without check_duplicate`,
    { duplicate_user_id: other.userId, similarity },
  );
}

async function requireQuota({ store }: ServiceDependencies, { clientId }: Caller): Promise<void> {
  const client = await store.clients.get(clientId);
  if (client && client.quota.faces !== -1 && client.used.faces >= client.quota.faces) throw quotaUsedUp();
}

function quotaUsedUp(): Refusal {
  return new Refusal(
    'denied',
    'n_face: the number of faces that this client may enrol is used up; delete faces or ask the operator for more',
  );
}

function alreadyEnrolled(): Refusal {
  return new Refusal(
    'userExists',
    'user_id: this user_id has a face in the gallery already; send replace: true to replace it, or delete it first',
  );
}
