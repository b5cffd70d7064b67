import { type IfExists, maxTemplates } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import { createKeyedQueue } from '../../lib/keyed-queue.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import { meanOf } from '../../security/vaults/template-vault.ts';
import type { Session } from '../../store/database/session.ts';
import type { NewFace, Rewrite, StoredFace } from '../../store/ports/faces.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { Caller } from '../caller.ts';
import { embeddingSpecText, notComparable, requireComparable } from '../galleries/embedding-spec.ts';
import { hasEnded, noGallery, noUser, requireMatched, suspended } from '../galleries/lookup.ts';
import type { Cohorts } from '../galleries/ports.ts';
import type { ServiceParts } from '../parts.ts';
import { noPicture } from './picture-ids.ts';
import type { EnrolledFace, FaceEraser, FaceWriter, Joined, Person, PictureIds } from './ports.ts';

interface Parts extends ServiceParts<'store' | 'vault' | 'matcher' | 'comparer' | 'events'> {
  readonly cohorts: Cohorts;
  readonly eraser: FaceEraser;
  readonly pictureIds: PictureIds;
}

/** The writer of faces of this server. */
export function createFaceWriter(parts: Parts): FaceWriter {
  const queue = createKeyedQueue<number>();
  const inTurn: InTurn = (gallery, write) => queue.run(gallery.id, () => untilWritten(parts, gallery, write));
  return { ...enrolling(parts, inTurn), ...changing(parts, inTurn) };
}

/** @param write returns false when the gallery has changed since it was read */
type InTurn = (gallery: GalleryRecord, write: WriteAttempt) => Promise<void>;

/** Writes to a gallery as it is in turn. @returns false when it has changed meanwhile */
type WriteAttempt = (gallery: GalleryRecord) => Promise<boolean>;

/** Faces of new pictures. */
function enrolling(parts: Parts, inTurn: InTurn): Pick<FaceWriter, 'writeFace'> {
  return {
    async writeFace(caller, gallery, given, check) {
      const face = { ...given, faces: distinctFrom(parts, [], given.faces) };
      const appends = face.ifExists === 'append';
      const isPlain = !check && !isCompared(face.ifExists);
      if (isPlain && (await writeEnrolled(parts, caller, gallery, face))) return true;
      let known = false;
      await inTurn(gallery, async (now) => {
        const person = isCompared(face.ifExists) ? await personOf(parts, now, face.userId) : undefined;
        const { templates = [], userName = face.userName } = (appends && person) || {};
        const faces = distinctFrom(parts, templates, face.faces);
        if (templates.length > 0) requireRoomToAppend(templates.length, faces.length);
        known = ((await check?.(now, person)) ?? false) || faces.length === 0;
        if (person && known) {
          const crop = await missingCrop(parts, now, face);
          return writeAgain(parts, now, { ...person, terms: face.terms, crop });
        }
        return writeEnrolled(parts, caller, now, { ...face, userName, faces }, templates, now.version);
      });
      return !known;
    },
  };
}

/** Several pictures without those that a user has already; of a single one the check of its call decides. */
function distinctFrom(
  { comparer }: Parts,
  templates: readonly Float32Array[],
  faces: EnrolledFace['faces'],
): EnrolledFace['faces'] {
  if (faces.length === 1) return faces;
  const isAmong = (others: readonly Float32Array[], template: Float32Array) =>
    others.some((other) => comparer.similarity(other, template) === 1);
  return faces.filter(({ template }, at) => {
    const earlier = faces.slice(0, at).map((one) => one.template);
    return !isAmong([...templates, ...earlier], template);
  });
}

/** Faces of pictures that are enrolled already. */
function changing(parts: Parts, inTurn: InTurn): Pick<FaceWriter, 'rename' | 'merge' | 'removePicture'> {
  return {
    rename: (gallery, userId, userName) =>
      inTurn(gallery, async (now) => {
        const person = await personOf(parts, now, userId);
        if (!person) throw noUser();
        return writeAgain(parts, now, { ...person, userName, renamed: true });
      }),

    async merge(gallery, from, to, into) {
      let found = false;
      await inTurn(gallery, async (now) => {
        const [source, target] = [await open(parts, now, from), await open(parts, now, to)];
        if (into && !target) throw noUser();
        found = source !== null;
        return source === null || merge(parts, now, source, target, { userId: to, ...into });
      });
      const { clientId, galleryId } = gallery;
      if (found) await parts.eraser.eraseTraces({ clientId, galleryId, userId: from });
      return found;
    },

    async removePicture(gallery, pictureId, trxId, keepLast = false) {
      let removed = { userId: '', last: false };
      await inTurn(gallery, async (now) => {
        const picture = await parts.pictureIds.find(now, pictureId);
        const opened = picture && (await open(parts, now, picture.userId));
        if (!picture || !opened) throw noPicture(pictureId);
        const { userId, place } = picture;
        removed = { userId, last: opened.templates.length === 1 };
        if (removed.last && keepLast) throw new Refusal('lastPicture');
        return removed.last
          ? parts.eraser.eraseBy(now, userId, trxId, (alongside) =>
              rewrite(parts, now, { remove: userId, alongside }),
            )
          : removeOne(parts, now, opened, place);
      });
      return removed;
    },
  };
}

/** Attempts to write to a gallery that other servers change. */
const maxAttempts = 100;

/**
 * Optimistic concurrency: reads the gallery, then writes if its version is unchanged; otherwise tries again.
 * @param write returns false when the gallery has changed
 */
async function untilWritten(
  { store }: Parts,
  { id, clientId, galleryId }: GalleryRecord,
  write: WriteAttempt,
): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const now = await store.galleries.get(clientId, galleryId);
    if (!now || now.id !== id) throw noGallery();
    if (await write(now)) return;
  }
  throw new Refusal('galleryWrittenTooFast');
}

/** Whether a face is compared with those of the person, who is enrolled. */
export const isCompared = (ifExists: IfExists) => ifExists === 'append' || ifExists === 'replace_same';

/** How events call it. */
const writtenAs = { refuse: 'new', append: 'append', replace: 'replace', replace_same: 'replace' } as const;

/** @param version the write is conditional on it @returns false when the gallery has another version or another key */
async function writeEnrolled(
  parts: Parts,
  { clientId, trxId }: Caller,
  gallery: GalleryRecord,
  face: EnrolledFace,
  before: readonly Float32Array[] = [],
  version?: number,
): Promise<boolean> {
  const { matcher, cohorts, events } = parts;
  const { userId, userName, ifExists, pictureId } = face;
  const templates = [...before, ...face.faces.map(({ template }) => template)];
  const seals = parts.vault.gallery(gallery);
  const about = { clientId, trxId, galleryId: gallery.galleryId, userId };
  const kept = events.keepingOf('face_written', about, { mode: writtenAs[ifExists] });
  const row = {
    ...(await rowOf(parts, gallery, userId, userName, templates)),
    appended: ifExists === 'append',
    terms: face.terms,
    moreCrops: face.faces.flatMap(({ crop }) => (crop ? [seals.sealCrop(userId, crop)] : [])),
    async alongside(session: Session) {
      await kept.write(session);
      await face.alongside?.(session);
    },
    picture: pictureId === undefined ? undefined : { id: pictureId, place: templates.length - 1 },
  };
  const seq = await putRow(parts, gallery, row, ifExists !== 'refuse', version);
  if (seq === null) return false;
  kept.written();
  matcher.faceEnrolled(gallery.id, { userId, userName, template: meanOf(templates), seq });
  if (ifExists === 'refuse') cohorts.renewIfStale({ ...gallery, version: seq, faces: gallery.faces + 1 });
  else cohorts.faceErased({ ...gallery, version: seq }, userId);
  return true;
}

/**
 * Writes the pictures of a user again, with another name or with what a picture that the user has already brings.
 * @returns false when the gallery has changed
 */
async function writeAgain(
  parts: Parts,
  gallery: GalleryRecord,
  { userId, userName, templates, ...changes }: Person & Pick<NewFace, 'renamed' | 'terms' | 'crop'>,
): Promise<boolean> {
  const { store, matcher, cohorts } = parts;
  const row = await rowOf(parts, gallery, userId, userName, templates);
  const seq = await putRow(parts, gallery, { ...row, ...changes, appended: true }, true, gallery.version);
  if (seq === null) return false;
  // Who is suspended may be renamed, and is in no cache.
  const { suspendedAt } = await store.people.get(gallery.id, userId);
  if (suspendedAt !== null) matcher.faceRemoved(gallery.id, userId, seq);
  else matcher.faceEnrolled(gallery.id, { userId, userName, template: meanOf(templates), seq });
  cohorts.faceErased({ ...gallery, version: seq }, userId);
  return true;
}

/** The crop of a picture that a user has already, where none of the user is kept. */
async function missingCrop({ store, vault }: Parts, gallery: GalleryRecord, { userId, faces }: EnrolledFace) {
  const crop = faces[0]?.crop;
  const isMissing = crop && (await store.crops.newest(gallery.id, userId)) === null;
  return isMissing ? vault.gallery(gallery).sealCrop(userId, crop) : undefined;
}

/** @returns the gallery's new version; null when it has another version or another key */
async function putRow(
  { store, comparer: engine }: Parts,
  gallery: GalleryRecord,
  row: NewFace,
  replace: boolean,
  version: number | undefined,
): Promise<number | null> {
  const outcome = await store.faces.put(gallery.id, row, replace, version);
  switch (outcome) {
    case 'changed':
      return null;
    case 'exists':
      throw alreadyEnrolled();
    case 'suspended':
      throw suspended(null);
    case 'quota':
      throw quotaUsedUp();
    case 'gone':
      throw noGallery();
    case 'embedding-spec': {
      const now = await store.galleries.get(gallery.clientId, gallery.galleryId);
      if (now) requireComparable(now, engine);
      throw notComparable(null, engine.embeddingSpec);
    }
    default:
      return outcome;
  }
}

/** Templates of a user, sealed. */
async function rowOf(
  { vault, comparer }: Parts,
  gallery: GalleryRecord,
  userId: string,
  userName: string,
  templates: readonly Float32Array[],
) {
  const template = vault.gallery(gallery).sealAll(userId, templates);
  const embeddingSpec = embeddingSpecText(comparer.embeddingSpec);
  return { userId, userName, template, embeddingSpec };
}

/** @throws Refusal `denied` (other model pack) */
async function personOf(parts: Parts, gallery: GalleryRecord, userId: string): Promise<Person | undefined> {
  const face = await parts.store.faces.get(gallery.id, userId);
  if (!face) return undefined;
  requireComparable(gallery, parts.comparer);
  const { userName, template } = face;
  return { userId, userName, templates: parts.vault.gallery(gallery).openAll(userId, template) };
}

/** What is stored of a user, opened. */
interface OpenedFace {
  readonly face: StoredFace;
  readonly templates: readonly Float32Array[];
  /** Sealed, as many as templates, or unrelated to them. */
  readonly crops: readonly Uint8Array[];
  readonly pictures: readonly string[];
}

async function open(
  { store, vault, comparer: engine, pictureIds }: Parts,
  gallery: GalleryRecord,
  userId: string,
): Promise<OpenedFace | null> {
  const face = await store.faces.get(gallery.id, userId);
  if (!face || hasEnded(face)) return null;
  requireMatched(face);
  requireComparable({ ...gallery, embeddingSpec: face.embeddingSpec }, engine);
  const templates = vault.gallery(gallery).openAll(userId, face.template);
  const crops = await store.crops.get(gallery.id, userId);
  return { face, templates, crops, pictures: await pictureIds.of(gallery, userId) };
}

/**
 * Writes a face without one of its pictures. Which crop shows a picture is known where all have one; else all are erased.
 * @returns false when the gallery has changed
 */
async function removeOne(
  parts: Parts,
  gallery: GalleryRecord,
  { face: { userId, userName }, ...opened }: OpenedFace,
  place: number,
): Promise<boolean> {
  const others = <T>(list: readonly T[]): T[] => list.filter((_, at) => at !== place);
  const templates = others(opened.templates);
  const face = {
    ...(await rowOf(parts, gallery, userId, userName, templates)),
    crops: opened.crops.length === opened.templates.length ? others(opened.crops) : [],
    pictures: others(opened.pictures),
  };
  const seq = await rewrite(parts, gallery, { face });
  if (seq === null) return false;
  parts.matcher.faceEnrolled(gallery.id, { userId, userName, template: meanOf(templates), seq });
  parts.cohorts.faceErased({ ...gallery, version: seq }, userId);
  return true;
}

/** @returns false when the gallery has changed */
async function merge(
  parts: Parts,
  gallery: GalleryRecord,
  source: OpenedFace,
  target: OpenedFace | null,
  { userId: to, userName: wanted, trxId }: { readonly userId: string } & Partial<Joined>,
): Promise<boolean> {
  const { userId, userName, createdAt } = source.face;
  const templates = [...(target?.templates ?? []), ...source.templates];
  requireRoom(templates.length, to);
  const vault = parts.vault.gallery(gallery);
  const name = wanted ?? target?.face.userName ?? (userName === userId ? to : userName);
  const moved = source.crops.flatMap((sealed) => {
    const crop = openedOrNull(() => vault.openCrop(userId, sealed));
    return crop ? [vault.sealCrop(to, crop)] : [];
  });
  const face = {
    ...(await rowOf(parts, gallery, to, name, templates)),
    crops: [...(target?.crops ?? []), ...moved],
    pictures: [...(target?.pictures ?? []), ...source.pictures],
    createdAt,
  };
  const about = { clientId: gallery.clientId, galleryId: gallery.galleryId, userId };
  // Without the other's user_id: the event outlives that person.
  const kept =
    trxId === undefined
      ? undefined
      : parts.events.keepingOf('face_erased', { ...about, trxId }, { reason: 'merged' });
  const seq = await rewrite(parts, gallery, { remove: userId, face, alongside: kept?.write });
  if (seq === null) return false;
  kept?.written();
  parts.matcher.faceRemoved(gallery.id, userId, seq - 1);
  parts.matcher.faceEnrolled(gallery.id, { userId: to, userName: name, template: meanOf(templates), seq });
  parts.cohorts.faceErased({ ...gallery, version: seq }, userId);
  return true;
}

/** @returns the gallery's new version; null when it has changed */
async function rewrite({ store }: Parts, gallery: GalleryRecord, change: Rewrite): Promise<number | null> {
  const seq = await store.faces.rewrite(gallery.id, change, gallery.version);
  return typeof seq === 'number' ? seq : null;
}

/**
 * @param count templates of the user
 * @param more of them that are to be added
 * @throws Refusal `userExists` when they may not
 */
export function requireRoomToAppend(count: number, more = 1): void {
  if (count + more <= maxTemplates) return;
  throw new Refusal('tooManyPictures', { count, most: maxTemplates });
}

/** @throws Refusal `userExists` when a user would have more pictures than one may have */
export function requireRoom(count: number, userId: string): void {
  if (count <= maxTemplates) return;
  throw new Refusal('tooManyOfSubject', { subject: userId, count, most: maxTemplates });
}

export function quotaUsedUp(): Refusal {
  return new Refusal('faceQuotaUsedUp');
}

/** @param fields further fields of the answer */
export function alreadyEnrolled(fields?: object): Refusal {
  return new Refusal('userEnrolled', {}, { ...fields });
}
