import { randomUUID } from 'node:crypto';
import type { Picture } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { Attribute } from '@wajah/engine';
import { innerProduct } from '@wajah/engine';
import {
  type Caller,
  type ComparedFace,
  countTemplates,
  cropOfPicture,
  differs,
  galleryOf,
  ifGone,
  imageField,
  keepsCrops,
  noPicture,
  type ProfileParts,
  requireClear,
  requireFaces,
  requireRoom,
  requireSize,
  templateOf,
} from '@wajah/server/profile';
import { clearFaces, facesOfPicture, factsOf, type WantedFaces } from './recognition.ts';

/** The gallery of a call, and a picture of it. */
type OnePicture = {
  readonly galleryId: string;
  readonly pictureId: string;
};

type NewPicture = {
  readonly galleryId: string;
  readonly subject: string;
  readonly image: Picture;
  readonly minScore: number;
};

/** The pictures of the subjects of a gallery: a subject is a user whose user_id is its name. */
export function createSubjectPictures(parts: ProfileParts) {
  const { store, pictureIds: ids } = parts;
  const remove = createRemove(parts);
  return {
    add: createAdd(parts),
    verify: createVerify(parts),

    /** In order of subject. @param page from 0 */
    async list(
      caller: Caller,
      {
        galleryId,
        subject,
        page,
        size,
      }: { galleryId: string; subject?: string | undefined; page: number; size: number },
    ) {
      const gallery = await galleryOf(store, caller, galleryId);
      const total = await ids.count(gallery, subject);
      const pictures = await ids.page(gallery, { userId: subject, offset: page * size, limit: size });
      return { pictures: pictures.map(({ pictureId, userId }) => ({ pictureId, userId })), total };
    },

    image: createImage(parts),
    remove,

    /** Ids of no picture are ignored. @returns the pictures that were erased */
    async removeSeveral(
      caller: Caller,
      { galleryId, pictureIds }: { readonly galleryId: string; readonly pictureIds: readonly string[] },
    ) {
      const removed: { pictureId: string; userId: string }[] = [];
      for (const pictureId of pictureIds) {
        const userId = await remove(caller, { galleryId, pictureId }).catch(ifGone(null));
        if (userId !== null) removed.push({ pictureId, userId });
      }
      return removed;
    },
  };
}

function createImage(parts: ProfileParts) {
  const { store, events, pictureIds: ids } = parts;
  /** The face crop of a picture, a JPEG; null: none is kept, or there is no such picture. */
  return async (caller: Caller, { galleryId, pictureId }: OnePicture): Promise<Uint8Array | null> => {
    const gallery = await galleryOf(store, caller, galleryId);
    const picture = await ids.find(gallery, pictureId);
    if (!picture) return null;
    const crop = await cropOfPicture(parts, gallery, picture);
    if (crop) events.observe('crop_shown', caller, { facegallery_id: galleryId });
    return crop?.jpeg ?? null;
  };
}

function createRemove(parts: ProfileParts) {
  /** @returns the subject it was of @throws Refusal `userNotFound` with `picture` */
  const { comparisons, writer, events } = parts;
  return async (caller: Caller, { galleryId, pictureId }: OnePicture): Promise<string> => {
    const gallery = await comparisons.gallery(caller, galleryId);
    const { userId, last } = await writer.removePicture(gallery, pictureId, caller.trxId);
    const facts = { facegallery_id: galleryId };
    if (last) await events.observe('face_removed', caller, facts);
    else events.observe('face_changed', caller, { ...facts, what: 'picture' });
    return userId;
  };
}

function createAdd(parts: ProfileParts) {
  const { store, config, events, writer, admission, liveness } = parts;
  /**
   * Adds a picture of one face to a subject, which is created with its first.
   * @returns the id of the picture
   * @throws Refusal as `EnrolmentService.enrol`; `qualityTooLow` when there are other faces
   */
  return async (caller: Caller, { galleryId, subject, image, minScore }: NewPicture): Promise<string> => {
    const person = { facegalleryId: galleryId, userId: subject };
    const before = await galleryOf(store, caller, galleryId);
    const present = await store.faces.get(before.id, subject);
    if (present) requireRoom(countTemplates(present.template) + 1, subject);
    const { gallery } = await admission.admit(caller, person, 'append', {});
    await liveness.read(caller, undefined, gallery);
    const { face, analysis } = await soleFace(parts, caller, {
      image,
      minScore,
      crop: keepsCrops(config, gallery),
    });
    const pictureId = randomUUID();
    const name = { userId: subject, userName: subject };
    const picture = { template: templateOf(face), crop: face.crop };
    const newFace = { ...name, template: picture.template, faces: [picture], ifExists: 'append' } as const;
    let compared: ComparedFace | undefined;
    await writer.writeFace(caller, gallery, { ...newFace, pictureId }, async (now, enrolled) => {
      // As CompreFace does, another face is added too: its programs know no such refusal. The event tells.
      compared = enrolled && admission.requireSame(now, newFace, enrolled, true, {});
      // There each call adds a picture with an id of its own, also the same one.
      return false;
    });
    events.observe('face_enrolled', caller, {
      facegallery_id: galleryId,
      way: 'image',
      replaced: false,
      appended: compared !== undefined,
      ...(compared && { differs: differs(compared) }),
      forced: false,
      found: analysis.found,
    });
    return pictureId;
  };
}

/** The only face of a picture that is enrolled. @throws Refusal of the picture */
async function soleFace(
  { pictures, config }: ProfileParts,
  caller: Caller,
  { image, minScore, crop }: Pick<NewPicture, 'image' | 'minScore'> & { readonly crop: boolean },
) {
  const attributes: Attribute[] = ['embedding', 'unclear', ...(crop ? ['crop' as const] : [])];
  const wanted = { limit: 2, minScore, attributes };
  const { faces, analysis } = await facesOfPicture(pictures, caller, { field: imageField, image }, wanted);
  const boxes = faces.map(({ box }) => box);
  requireFaces(boxes, imageField.name, 1);
  const face = faces[0]!;
  const subject = { field: imageField.name, face: phrase('theFace') };
  // CompreFace takes small faces, and cameras have no larger ones.
  requireSize(face, subject, config.limits.minFace);
  requireClear(face, subject);
  return { face, analysis };
}

function createVerify(parts: ProfileParts) {
  const { pictures, comparisons, liveness, events, pictureIds: ids } = parts;
  /** Compares every face of a picture with one that is enrolled. @throws Refusal `userNotFound` with `picture`, and of the picture */
  return async (caller: Caller, request: OnePicture & WantedFaces & { readonly image: Picture }) => {
    const { galleryId, pictureId, image, attributes } = request;
    const gallery = await comparisons.gallery(caller, galleryId);
    await liveness.read(caller, undefined, gallery);
    const picture = await ids.find(gallery, pictureId);
    if (!picture) throw noPicture(pictureId);
    const { userId, place } = picture;
    const reference = (await comparisons.templates(gallery, userId))[place];
    if (!reference) throw noPicture(pictureId);
    const wanted = { ...request, attributes: ['embedding', 'unclear', ...attributes] as const };
    const found = await facesOfPicture(pictures, caller, { field: imageField, image }, wanted);
    const { facts, probe } = comparisons.scores(gallery);
    const faces = clearFaces(found.faces, imageField.name).map((face) => {
      const { query, similarityOf } = probe(templateOf(face));
      return { face, similarity: similarityOf(innerProduct(query, reference)) };
    });
    const threshold = comparisons.thresholds.verification(gallery);
    const similarity = Math.max(...faces.map((one) => one.similarity));
    const verified = similarity >= threshold;
    await events.observe(
      'face_verified',
      caller,
      { facegallery_id: galleryId, verified, found: found.analysis.found, ...facts },
      { galleryId, userId, similarity, threshold, gallery: gallery.id },
    );
    return { subject: userId, faces, ...factsOf(parts, found.analysis) };
  };
}
