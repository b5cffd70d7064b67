import { cutFraction } from '@wajah/contract';
import type { FaceCrop } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { maxTemplates, meanOf } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { contractText, noGallery, noUser, otherContract, requireContract } from '../galleries/lookup.ts';
import { createKeyedQueue } from '../keyed-queue.ts';
import { calibrationFor } from '../recognition/similarity-calibration.ts';
import { shown, type Thresholds } from '../recognition/thresholds.ts';
import type { Caller } from '../services.ts';
import { galleryForComparison, searchOwn } from '../template-migration/template-migration.ts';

/** What happens to the face that a user has already: it is in the way, is replaced, or gets this one beside it. */
export type EnrolmentMode = 'new' | 'replace' | 'append';

/** A face about to be written. */
export interface NewFace {
  readonly userId: string;
  readonly userName: string;
  readonly template: Float32Array;
  /** Kept with the template; undefined: none is. */
  readonly crop: FaceCrop | undefined;
  readonly way: EnrolmentMode;
  /** Refuse when somebody else of the gallery has this face. */
  readonly unique: boolean;
}

/** Writes and erases faces, and tells the matcher of it. */
export interface FaceWriter {
  /**
   * What can be refused before any work on the picture is.
   * @throws Refusal `galleryNotFound` | `denied` (other model pack, n_face used up) | `userExists` (also: has as many
   *   faces as one can have)
   */
  admit(
    caller: Caller,
    input: { galleryId: string; userId: string; way: EnrolmentMode },
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
  const order = createKeyedQueue<number>();
  return {
    async admit(caller, { galleryId, userId, way }) {
      const gallery = await galleryForComparison(deps, caller, galleryId);
      requireContract(gallery, deps.engine.embeddingSpec);
      const known = await store.faces.get(gallery.id, userId);
      if (known && way === 'new') throw alreadyEnrolled();
      if (known && way === 'append') requireRoom(deps.vault.gallery(gallery).openAll(userId, known.template));
      if (!known) await requireQuota(deps, caller);
      return { gallery, known: known !== null };
    },
    async write(gallery, face) {
      if (!face.unique && face.way !== 'append') await commit(deps, gallery, face, [face.template]);
      // One after the other, so that those of this server do not get in each other's way.
      else await order.run(gallery.id, () => writeInOne(deps, thresholds, gallery, face));
    },
    async erase(gallery, userId) {
      const version = await store.faces.remove(gallery.id, userId);
      if (version === false) throw noUser();
      matcher.faceRemoved(gallery.id, userId, version);
    },
  };
}

/** Times that somebody else may have written between the reading and the writing. */
const mostTries = 100;

/** Read or searched, then written only if nothing was written in between, by this server or another: else once more. */
async function writeInOne(
  deps: ServiceDependencies,
  thresholds: Thresholds,
  gallery: GalleryRecord,
  face: NewFace,
): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    const now = await deps.store.galleries.get(gallery.clientId, gallery.galleryId);
    if (!now || now.id !== gallery.id) throw noGallery();
    if (face.unique) await requireUnique(deps, thresholds, now, face);
    const templates = face.way === 'append' ? await withOthers(deps, now, face) : [face.template];
    if (await commit(deps, gallery, face, templates, now.version)) return;
  }
  throw new Refusal(
    'busy',
    'facegallery_id: others write to this gallery too fast for check_duplicate or append; try again',
  );
}

/** The templates that the user has, and the new one. @throws Refusal `userExists` | `denied` */
async function withOthers(
  { store, vault, engine }: ServiceDependencies,
  gallery: GalleryRecord,
  { userId, template }: NewFace,
): Promise<Float32Array[]> {
  const enrolled = await store.faces.get(gallery.id, userId);
  if (!enrolled) return [template];
  requireContract(gallery, engine.embeddingSpec);
  const others = vault.gallery(gallery).openAll(userId, enrolled.template);
  requireRoom(others);
  return [...others, template];
}

function requireRoom(templates: readonly Float32Array[]): void {
  if (templates.length < maxTemplates) return;
  throw new Refusal(
    'userExists',
    `append: this user_id has ${templates.length} faces in the gallery, at most ${maxTemplates} are allowed; send replace: true to begin anew with this one`,
  );
}

/** @returns false when the gallery no longer has the version that was named */
async function commit(
  deps: ServiceDependencies,
  gallery: GalleryRecord,
  face: NewFace,
  templates: readonly Float32Array[],
  version?: number,
): Promise<boolean> {
  const { userId, userName } = face;
  const vault = deps.vault.gallery(gallery);
  const contract = contractText(deps.engine.embeddingSpec);
  const row = {
    userId,
    userName,
    template: vault.sealAll(userId, templates),
    embeddingSpec: contract,
    appended: face.way === 'append',
    crop: face.crop && vault.sealCrop(userId, face.crop),
  };
  const written = await deps.store.faces.enrol(gallery.id, row, face.way !== 'new', version);
  switch (written) {
    case 'changed':
      return false;
    case 'exists':
      throw alreadyEnrolled();
    case 'quota':
      throw quotaUsedUp();
    case 'gone':
      throw noGallery();
    case 'embedding-spec': {
      const now = await deps.store.galleries.get(gallery.clientId, gallery.galleryId);
      if (now) requireContract(now, deps.engine.embeddingSpec);
      throw otherContract(null, deps.engine.embeddingSpec);
    }
    default:
      deps.matcher.faceEnrolled(gallery.id, { userId, userName, template: meanOf(templates), seq: written });
      return true;
  }
}

/** A duplicate is looked for among all, so the threshold is that of identification. */
async function requireUnique(
  deps: ServiceDependencies,
  thresholds: Thresholds,
  gallery: GalleryRecord,
  face: NewFace,
): Promise<void> {
  // Two, because the best may be the face that this user is about to replace.
  const matches = await searchOwn(deps, gallery, face.template, 2);
  const other = matches.find((match) => match.userId !== face.userId);
  if (!other) return;
  const similarity = calibrationFor(deps.engine, gallery).similarityOf(other.score);
  const threshold = thresholds.identification(gallery);
  if (similarity < threshold) return;
  throw new Refusal(
    'userExists',
    `image: this face is already enrolled in the gallery as user_id ${JSON.stringify(other.userId)} (similarity ${shown(similarity)}, threshold ${shown(threshold)}); delete that face first, or enrol without check_duplicate`,
    { duplicate_user_id: other.userId, similarity: cutFraction(similarity) },
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
    'user_id: this user_id has a face in the gallery already; send replace: true to replace it, append: true to add this one, or delete it first',
  );
}
