import type { FaceCrop } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import { countTemplates } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { PictureRecord } from '../../store/ports/pictures.ts';
import type { Caller } from '../caller.ts';
import { galleryOf, userOf } from '../galleries/lookup.ts';
import type { Comparisons } from '../galleries/ports.ts';
import type { ServiceParts } from '../parts.ts';
import type { CropParts } from './parts.ts';
import { noPicture } from './picture-ids.ts';
import { imageField, refusalOf } from './pictures.ts';
import type { FacePictures, FaceWriter } from './ports.ts';

interface Parts extends CropParts, ServiceParts<'events' | 'engine' | 'scheduler'> {
  readonly comparisons: Comparisons;
  readonly writer: FaceWriter;
}

/** The pictures that people are enrolled with: their crops, where they are kept. */
export function createFacePictures(parts: Parts): FacePictures {
  return { ...reading(parts), ...changing(parts) };
}

/** A call that shows crops is one record of the audit trail, however many: a record names no person. */
function reading(parts: Parts): Pick<FacePictures, 'crop' | 'thumbnails' | 'pictures'> {
  const { store, events } = parts;
  return {
    async crop(caller, { facegalleryId, userId, pictureId }) {
      const gallery = await galleryOf(store, caller, facegalleryId);
      await userOf(store, gallery, userId);
      const crop =
        pictureId === undefined
          ? await newestCrop(parts, gallery, userId)
          : await cropOfPicture(parts, gallery, await pictureOf(parts, gallery, userId, pictureId));
      if (!crop) throw new Refusal('noCropKept');
      events.observe('crop_shown', caller, { facegallery_id: facegalleryId });
      return crop.jpeg;
    },

    async thumbnails(caller, { facegalleryId, userIds }) {
      const gallery = await galleryOf(store, caller, facegalleryId);
      const crops: (FaceCrop | null)[] = [];
      for (const userId of userIds) crops.push(await newestCrop(parts, gallery, userId));
      const jpegs = await shrink(parts, caller, gallery, crops);
      return userIds.map((userId, at) => ({ userId, jpeg: jpegs[at] ?? null }));
    },

    async pictures(caller, { facegalleryId, userId }) {
      const gallery = await galleryOf(store, caller, facegalleryId);
      await userOf(store, gallery, userId);
      const [ids, crops] = await cropsOf(parts, gallery, userId);
      const jpegs = await shrink(parts, caller, gallery, crops);
      return ids.map((pictureId, at) => ({ pictureId, jpeg: jpegs[at] ?? null }));
    },
  };
}

function changing(parts: Parts): Pick<FacePictures, 'removePicture' | 'merge'> {
  const { store, comparisons, writer, events } = parts;
  return {
    async removePicture(caller, { facegalleryId, userId, pictureId }) {
      const gallery = await comparisons.gallery(caller, facegalleryId);
      await userOf(store, gallery, userId);
      await pictureOf(parts, gallery, userId, pictureId);
      await writer.removePicture(gallery, pictureId, caller.trxId, true);
      events.observe('face_changed', caller, { facegallery_id: facegalleryId, what: 'picture' });
    },

    async merge(caller, { facegalleryId, userId, otherUserId, userName }) {
      if (userId === otherUserId) throw new Refusal('sameUserTwice');
      const gallery = await comparisons.gallery(caller, facegalleryId);
      const merged = await writer.merge(gallery, otherUserId, userId, { userName, trxId: caller.trxId });
      if (merged) events.observe('face_changed', caller, { facegallery_id: facegalleryId, what: 'merged' });
      return { merged, pictures: countTemplates((await userOf(store, gallery, userId)).template) };
    },
  };
}

/** @throws Refusal `userNotFound` when the user has no such picture */
async function pictureOf(
  { pictureIds }: Pick<Parts, 'pictureIds'>,
  gallery: GalleryRecord,
  userId: string,
  pictureId: string,
): Promise<PictureRecord> {
  const picture = await pictureIds.find(gallery, pictureId);
  if (picture?.userId !== userId) throw noPicture(pictureId);
  return picture;
}

async function newestCrop(
  { store, vault }: CropParts,
  gallery: GalleryRecord,
  userId: string,
): Promise<FaceCrop | null> {
  const newest = await store.crops.newest(gallery.id, userId);
  const opener = vault.gallery(gallery);
  return newest && openedOrNull(() => opener.openCrop(userId, newest));
}

/** Ids of a user's pictures with their crops. Which crop shows a picture is known where all have one; else null. */
async function cropsOf({ store, vault, pictureIds }: CropParts, gallery: GalleryRecord, userId: string) {
  const [ids, crops] = [await pictureIds.of(gallery, userId), await store.crops.get(gallery.id, userId)];
  const opener = vault.gallery(gallery);
  const opened = (crop: Uint8Array) => openedOrNull(() => opener.openCrop(userId, crop));
  const known = ids.length === crops.length ? crops.map(opened) : [];
  return [ids, ids.map((_, at): FaceCrop | null => known[at] ?? null)] as const;
}

/** The crop of a picture; null: it is not known. */
export async function cropOfPicture(
  parts: CropParts,
  gallery: GalleryRecord,
  { userId, pictureId }: PictureRecord,
): Promise<FaceCrop | null> {
  const [ids, crops] = await cropsOf(parts, gallery, userId);
  return crops[ids.indexOf(pictureId)] ?? null;
}

/** Small pictures of crops, one after another, as one piece of work. */
export async function shrink(
  { engine, scheduler, events }: ServiceParts<'events' | 'engine' | 'scheduler'>,
  caller: Caller,
  { galleryId }: GalleryRecord,
  crops: readonly (FaceCrop | null)[],
): Promise<(Uint8Array | null)[]> {
  if (crops.every((crop) => crop === null)) return [];
  const small = await scheduler
    .run(caller, async (remaining) => {
      const deadline = Date.now() + remaining;
      const jpegs: (Uint8Array | null)[] = [];
      for (const crop of crops) jpegs.push(crop && (await engine.thumbnail(crop, { deadline })));
      return jpegs;
    })
    .catch((error: unknown) => {
      throw refusalOf(error, imageField);
    });
  events.observe('crop_shown', caller, { facegallery_id: galleryId, crops: crops.filter(Boolean).length });
  return small;
}
