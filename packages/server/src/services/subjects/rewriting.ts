import { maxTemplates } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import { meanOf } from '../../security/vaults/template-vault.ts';
import type { GalleryRecord, Rewrite, StoredFace } from '../../store/store.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { untilWritten } from '../enrolment/face-writer.ts';
import { embeddingSpecText, requireComparable } from '../galleries/embedding-spec.ts';
import { requireMatched } from '../galleries/lookup.ts';
import { withPresentKeys } from '../galleries/present-keys.ts';
import { erasedEvent } from '../people/erase-face.ts';
import { noPicture } from './no-picture.ts';
import type { PictureIds } from './picture-ids.ts';

type Dependencies = Pick<
  ServiceDependencies,
  'store' | 'vault' | 'engine' | 'matcher' | 'cohorts' | 'events'
>;

/** What is stored of a user, opened. */
interface Opened {
  readonly face: StoredFace;
  readonly templates: readonly Float32Array[];
  /** Sealed, as many as templates, or unrelated to them. */
  readonly crops: readonly Uint8Array[];
  readonly pictures: readonly string[];
}

/** Changes of faces that keep some of their pictures: the rest is erased with them, in one transaction. */
export function createRewriting(deps: Dependencies, ids: PictureIds) {
  return {
    /**
     * Erases one picture of a user; the user with the last one.
     * @returns the user_id, and whether the user has no other picture
     * @throws Refusal `userNotFound` when there is no such picture
     */
    async removePicture(gallery: GalleryRecord, pictureId: string, trxId: string) {
      let removed = { userId: '', last: false };
      await untilWritten(deps, gallery, async (now) => {
        const picture = await ids.find(now, pictureId);
        const opened = picture && (await open(deps, ids, now, picture.userId));
        if (!picture || !opened) throw noPicture(pictureId);
        const last = opened.templates.length === 1;
        removed = { userId: picture.userId, last };
        const told = { trxId, reason: 'deleted' } as const;
        const event = last ? erasedEvent(deps.events, now, picture.userId, told) : undefined;
        const change = last ? { remove: picture.userId, event } : without(deps, now, opened, picture.place);
        return write(
          deps,
          now,
          change,
          opened.templates.filter((_, at) => at !== picture.place),
        );
      });
      return removed;
    },

    /**
     * Gives a user another user_id; with that of another user, both become one.
     * @returns false when nobody of the user_id is enrolled
     * @throws Refusal `userExists` when both have more pictures than one user may have
     */
    async rename(gallery: GalleryRecord, from: string, to: string): Promise<boolean> {
      let found = false;
      await untilWritten(deps, gallery, async (now) => {
        const [source, target] = [await open(deps, ids, now, from), await open(deps, ids, now, to)];
        found = source !== null;
        if (!source) return true;
        const templates = [...(target?.templates ?? []), ...source.templates];
        requireRoom(templates.length, to);
        return write(deps, now, renamed(deps, now, source, target, to), templates);
      });
      return found;
    },
  };
}

function open(
  { store, vault, engine }: Dependencies,
  ids: PictureIds,
  gallery: GalleryRecord,
  userId: string,
): Promise<Opened | null> {
  return withPresentKeys(store, gallery, async (now) => {
    const face = await store.faces.get(now.id, userId);
    if (!face) return null;
    requireMatched(face);
    requireComparable({ ...now, embeddingSpec: face.embeddingSpec }, engine);
    const templates = vault.gallery(now).openAll(userId, face.template);
    const crops = await store.crops.get(now.id, userId);
    return { face, templates, crops, pictures: await ids.of(now, userId) };
  });
}

/** A face without one of its pictures. Which crop shows a picture is known where all have one; else all are erased. */
function without(
  deps: Dependencies,
  gallery: GalleryRecord,
  { face, templates, crops, pictures }: Opened,
  place: number,
): Rewrite {
  const others = <T>(list: readonly T[]): T[] => list.filter((_, at) => at !== place);
  return {
    face: {
      ...row(deps, gallery, face.userId, face.userName, others(templates)),
      crops: crops.length === templates.length ? others(crops) : [],
      pictures: others(pictures),
    },
  };
}

function renamed(
  deps: Dependencies,
  gallery: GalleryRecord,
  source: Opened,
  target: Opened | null,
  to: string,
): Rewrite {
  const { userId, userName, createdAt } = source.face;
  const vault = deps.vault.gallery(gallery);
  const name = target?.face.userName ?? (userName === userId ? to : userName);
  const templates = [...(target?.templates ?? []), ...source.templates];
  const moved = source.crops.map((crop) => vault.sealCrop(to, vault.openCrop(userId, crop)));
  return {
    remove: userId,
    face: {
      ...row(deps, gallery, to, name, templates),
      crops: [...(target?.crops ?? []), ...moved],
      pictures: [...(target?.pictures ?? []), ...source.pictures],
      createdAt,
    },
  };
}

function row(
  { vault, engine }: Dependencies,
  gallery: GalleryRecord,
  userId: string,
  userName: string,
  templates: readonly Float32Array[],
) {
  const template = vault.gallery(gallery).sealAll(userId, templates);
  const embeddingSpec = embeddingSpecText(engine.embeddingSpec);
  return { userId, userName, template, embeddingSpec, sealedWith: gallery.wrappedKey };
}

/** @param templates of the face that is written @returns false when the gallery has changed */
async function write(
  { store, matcher, cohorts }: Dependencies,
  gallery: GalleryRecord,
  { remove, face, event }: Rewrite,
  templates: readonly Float32Array[],
): Promise<boolean> {
  const seq = await store.faces.rewrite(gallery.id, { remove, face, event }, gallery.version);
  if (typeof seq !== 'number') return false;
  if (remove !== undefined) matcher.faceRemoved(gallery.id, remove, face ? seq - 1 : seq);
  if (face) {
    const { userId, userName } = face;
    matcher.faceEnrolled(gallery.id, { userId, userName, template: meanOf(templates), seq });
  }
  cohorts.faceErased({ ...gallery, version: seq }, remove ?? face?.userId ?? '');
  return true;
}

/** @throws Refusal `userExists` when a user would have more pictures than one may have */
export function requireRoom(count: number, userId: string): void {
  if (count <= maxTemplates) return;
  throw new Refusal(
    'userExists',
    `subject: ${JSON.stringify(userId)} would have ${count} pictures, at most ${maxTemplates} are allowed; delete some first`,
  );
}
