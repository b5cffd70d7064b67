import { Buffer } from 'node:buffer';
import type { RequestOf } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import type { FeatureCore } from '../../feature.ts';
import { hourMs } from '../../lib/time.ts';
import { openedOrNull } from '../../security/vaults/sealing.ts';
import type { Caller } from '../../services/caller.ts';
import { differs } from '../../services/faces/admission.ts';
import { shrink } from '../../services/faces/face-pictures.ts';
import type { ComparedFace, EnrolledFace, FaceCheck } from '../../services/faces/ports.ts';
import { termsOf } from '../../services/faces/terms.ts';
import { embeddingSpecText } from '../../services/galleries/embedding-spec.ts';
import { keepsCrops } from '../../services/galleries/lookup.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { UnknownFace, UnknownPlace, UnknownStore } from './ports.ts';

interface Parts extends FeatureCore {
  readonly unknown: UnknownStore;
}

export type UnknownService = ReturnType<typeof createUnknownService>;

/** Lists, assigns and forgets the unknown people of galleries. */
export function createUnknownService(parts: Parts) {
  const { unknown, comparisons, events } = parts;
  return {
    list: (caller: Caller, request: RequestOf<'listUnknown'>) => list(parts, caller, request),

    assign: (caller: Caller, request: RequestOf<'assignUnknown'>) => assign(parts, caller, request),

    async forget(caller: Caller, { facegalleryId, unknownId }: RequestOf<'forgetUnknown'>): Promise<void> {
      const gallery = await comparisons.gallery(caller, facegalleryId);
      if (!(await unknown.erase(gallery.id, unknownId))) throw noUnknown();
      events.observe('unknown_forgotten', caller, { facegallery_id: facegalleryId });
    },
  };
}

/** A page, with the faces of those whose crops are kept. */
async function list(
  parts: Parts,
  caller: Caller,
  { facegalleryId, limit = 20, cursor }: RequestOf<'listUnknown'>,
) {
  const { config, unknown, comparisons, vault, events } = parts;
  const gallery = await comparisons.gallery(caller, facegalleryId);
  const found = await unknown.page(gallery, cursor === undefined ? null : readCursor(cursor), limit + 1);
  const page = found.slice(0, limit);
  const opened = vault.gallery(gallery);
  const shown = keepsCrops(config, gallery);
  const crops = page.map(({ unknownId, crop }) =>
    shown && crop ? openedOrNull(() => opened.openCrop(unknownId, crop)) : null,
  );
  const jpegs = await shrink(parts, caller, gallery, crops);
  const facts = { facegallery_id: facegalleryId, people: page.length, crops: jpegs.filter(Boolean).length };
  events.observe('unknown_listed', caller, facts);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    people: page.map((face, at) => ({
      ...face,
      expiresAt: new Date(face.firstSeenAt.getTime() + (gallery.keepUnknownHours ?? 0) * hourMs),
      jpeg: jpegs[at] ?? null,
    })),
    nextCursor: last && writeCursor(last),
  };
}

/** @returns whether the face was added to those of a person who was enrolled */
async function assign(parts: Parts, caller: Caller, request: RequestOf<'assignUnknown'>): Promise<boolean> {
  const { unknown, comparisons, admission, writer, events } = parts;
  const { facegalleryId, unknownId } = request;
  const terms = termsOf(request);
  const { gallery, former } = await admission.admit(caller, request, 'append', terms);
  // The one who is assigned is no longer before a camera.
  if (gallery.requireLiveness) throw new Refusal('livenessTokenMissing');
  const face = await unknown.get(gallery, unknownId);
  if (face?.embeddingSpec !== embeddingSpecText(comparisons.engine.embeddingSpec)) throw noUnknown();
  const row = { ...enrolledOf(parts, gallery, face, request), terms };
  let compared: ComparedFace | undefined;
  const check: FaceCheck = async (now, person) => {
    compared = person && admission.requireSame(now, row, person, request.forceRegister, {});
    await admission.requireUnique(caller, now, row, 'unknown_id');
    return compared?.similarity === 1;
  };
  // Of two calls that assign it one is refused, and has written nothing.
  const alongside: EnrolledFace['alongside'] = async (session) => {
    if (!(await unknown.erase(gallery.id, unknownId, session))) throw noUnknown();
  };
  const added = await writer.writeFace(caller, gallery, { ...row, alongside }, check);
  if (!added) await unknown.erase(gallery.id, unknownId);
  const about = { facegallery_id: facegalleryId };
  const appended = former !== null;
  const facts = { ...about, way: 'image', replaced: false, appended, forced: request.forceRegister } as const;
  const differing = compared && { differs: differs(compared) };
  if (added) events.observe('face_enrolled', caller, { ...facts, found: 1, ...differing });
  events.observe('unknown_assigned', caller, { ...about, appended });
  return appended;
}

/** An unknown person, opened, as the face of a user. */
function enrolledOf(
  { config, vault }: Parts,
  gallery: GalleryRecord,
  { unknownId, template, crop }: UnknownFace,
  { userId, userName }: RequestOf<'assignUnknown'>,
): EnrolledFace {
  const opened = vault.gallery(gallery);
  const kept = crop && keepsCrops(config, gallery) ? opened.openCrop(unknownId, crop) : undefined;
  const seen = { template: opened.open(unknownId, template), crop: kept };
  return { userId, userName, faces: [seen], ifExists: 'append' };
}

const noUnknown = () => new Refusal('unknownNotFound');

const writeCursor = ({ lastSeenAt, unknownId }: UnknownFace): string =>
  Buffer.from(`${lastSeenAt.getTime()} ${unknownId}`).toString('base64url');

function readCursor(cursor: string): UnknownPlace {
  const place = /^(\d{1,15}) ([\da-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (place) return { lastSeenAt: Number(place[1]), unknownId: place[2]! };
  throw new Refusal('unknownCursor');
}
