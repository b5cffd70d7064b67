import { Buffer } from 'node:buffer';
import type { EnrolRequest, ListFacesRequest, UpdateFaceRequest, UserRequest } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { Attribute } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { Receipt } from '../../events/ports.ts';
import type { Events } from '../../events/table.ts';
import { changedPages, firstRows, listingOf, pageSize, pagesOf } from '../../lib/pages.ts';
import { countTemplates } from '../../security/vaults/template-vault.ts';
import { expiryOf, noTerms } from '../../store/person-store.ts';
import type { FaceRecord, GalleryRecord, PersonTerms, Store } from '../../store/ports.ts';
import type { Caller } from '../caller.ts';
import type { Comparisons } from '../galleries/comparisons.ts';
import { galleryOf, keepsCrops, noUser, userOf } from '../galleries/lookup.ts';
import { type AppendedFace, differs, type EnrolmentParts } from './admission.ts';
import type { FaceEraser } from './face-eraser.ts';
import type { EnrolmentMode, FaceWriter } from './face-writer.ts';
import { createCardEnrolment } from './identity-card.ts';
import {
  analyzeMainFace,
  describeFace,
  placeOf,
  requireFaces,
  requireQuality,
  templateOf,
} from './main-face.ts';
import { imageField } from './pictures.ts';
import { termsOf } from './terms.ts';

export type EnrolmentService = ReturnType<typeof createEnrolmentService>;

/** Enrols users of a gallery: with a picture, or with one and an identity card. */
export function createEnrolmentService(parts: EnrolmentParts) {
  return { enrol: createEnrol(parts), enrolWithCard: createCardEnrolment(parts) };
}

interface FaceParts {
  readonly store: Pick<Store, 'galleries' | 'faces' | 'people' | 'activity' | 'crops'>;
  readonly comparisons: Pick<Comparisons, 'gallery'>;
  readonly writer: Pick<FaceWriter, 'rename'>;
  readonly eraser: Pick<FaceEraser, 'erase'>;
  readonly events: Events;
}

export type FaceService = ReturnType<typeof createFaceService>;

/** Lists, describes, renames and removes the users of a gallery. */
export function createFaceService(parts: FaceParts) {
  const { store, events, eraser } = parts;
  return {
    list: createFaceListing(parts),
    ...createPersonService(parts),

    /** @returns null: no audit record could be written @throws Refusal `galleryNotFound` | `userNotFound` */
    async remove(caller: Caller, { facegalleryId, userId }: UserRequest): Promise<Receipt | null> {
      const gallery = await galleryOf(store, caller, facegalleryId);
      const told = { trxId: caller.trxId, reason: 'deleted' } as const;
      if (!(await eraser.erase(gallery, userId, told))) throw noUser();
      return events.observe('face_removed', caller, { facegallery_id: facegalleryId });
    },
  };
}

function createEnrol({ events, config, writer, pictures, admission, liveness }: EnrolmentParts) {
  /**
   * @returns the face that was enrolled, how many are in the picture, and how similar it is to the pictures before,
   *   where it was appended to some
   */
  return async (caller: Caller, request: EnrolRequest) => {
    const { facegalleryId, userId, userName, forceRegister, checkQuality } = request;
    // In the cloud service force_register replaces, too.
    const mode = modeOf(request, forceRegister && caller.asCloud === true);
    const terms = termsOf(request);
    const { gallery, enrolled } = await admission.admit(caller, request, mode, terms);
    const proof = await liveness.read(caller, request.livenessToken, gallery);

    const attributes: Attribute[] = ['embedding'];
    if (checkQuality) attributes.push('quality');
    if (keepsCrops(config, gallery)) attributes.push('crop');
    const minimum = forceRegister ? 0 : config.limits.minFaceEnrol;
    const remedy = phrase('orForceRegister');
    const bytes = await pictureOf(pictures, request, proof);
    const picture = { field: imageField, bytes };
    const { face, analysis } = await analyzeMainFace(pictures, caller, picture, attributes, minimum, remedy);
    if (request.checkSingleFace) requireFaces(analysis.boxes, imageField.name, 1);
    if (checkQuality)
      requireQuality(face, describeFace(analysis, imageField.name), forceRegister ? ['size'] : []);

    const template = templateOf(face);
    await proof?.spend(template, imageField.name);
    const row = { userId, userName, template, crop: face.crop, mode, terms };
    const place = request.details === true ? placeOf(face) : undefined;
    let compared: AppendedFace | undefined;
    const check = async (now: GalleryRecord, others: readonly Float32Array[]) => {
      compared = others.length > 0 ? admission.requireSame(now, template, others, forceRegister) : undefined;
      if (request.checkDuplicate) await admission.requireUnique(caller, now, row, place);
    };
    const isChecked = request.checkDuplicate || mode === 'append';
    await writer.writeFace(caller, gallery, row, isChecked ? check : undefined);
    events.observe('face_enrolled', caller, {
      facegallery_id: facegalleryId,
      way: 'image',
      replaced: enrolled && mode === 'replace',
      appended: compared !== undefined,
      ...(compared && { differs: differs(compared) }),
      forced: forceRegister,
      found: analysis.found,
    });
    return { face, found: analysis.found, compared };
  };
}

/** The picture of the request, or the frame that the session of its liveness token kept. */
async function pictureOf(
  pictures: EnrolmentParts['pictures'],
  { useSessionFrame, image }: EnrolRequest,
  proof: Awaited<ReturnType<EnrolmentParts['liveness']['read']>>,
): Promise<Uint8Array> {
  if (!useSessionFrame) return pictures.decode(imageField, image ?? '');
  if (!proof || image !== undefined) throw new Refusal('sessionFrameNeeds');
  return proof.frame();
}

function modeOf({ replace, append }: EnrolRequest, replaces: boolean): EnrolmentMode {
  if (replace && append) throw new Refusal('appendAndReplace');
  if (append) return 'append';
  return replace || replaces ? 'replace' : 'new';
}

/** Refused calls of a user in an answer. */
const maxRefusals = 20;

/** What is stored of one user, and the user's name. */
function createPersonService({ store, events, writer, comparisons }: FaceParts) {
  return {
    /** @throws Refusal `galleryNotFound` | `userNotFound` */
    async describe(caller: Caller, { facegalleryId, userId }: UserRequest) {
      const gallery = await galleryOf(store, caller, facegalleryId);
      const face = await userOf(store, gallery, userId);
      const theirs = { galleryId: facegalleryId, userId, limit: maxRefusals };
      const terms = await store.people.get(gallery.id, userId);
      const refusals = await store.activity.refusedCalls(caller.clientId, theirs);
      const known = { ...terms, expiry: expiryOf(face.createdAt, gallery.retentionDays, terms) };
      const pictures = countTemplates(face.template);
      const hasCrop = (await store.crops.owners(gallery.id, userId, userId)).size > 0;
      return { face, hasCrop, terms: known, pictures, refusals: refusals.map(({ call }) => call) };
    },

    /** @throws Refusal `galleryNotFound` | `userNotFound` | `denied` (other model pack) | `busy` */
    async rename(caller: Caller, { facegalleryId, userId, userName }: UpdateFaceRequest): Promise<void> {
      const gallery = await comparisons.gallery(caller, facegalleryId);
      await writer.rename(gallery, userId, userName);
      events.observe('face_changed', caller, { facegallery_id: facegalleryId, what: 'user_name' });
    },
  };
}

/** Lists the users of a gallery, ordered by user_id: all, a page, or those whose user_id or user_name contains a text. */
function createFaceListing({ store }: Pick<FaceParts, 'store'>) {
  /** @returns `nextCursor` is known when all rows are read */
  return async (caller: Caller, { facegalleryId, limit, cursor, search, details }: ListFacesRequest) => {
    const gallery = await galleryOf(store, caller, facegalleryId);
    const at = new Date();
    const read = (after: string, most: number) => {
      caller.signal?.throwIfAborted();
      return store.faces.list(gallery.id, { after, at, limit: most });
    };
    const after = cursor === undefined ? '' : readCursor(cursor);
    const size = search === undefined ? Math.min(pageSize, (limit ?? pageSize) + 1) : pageSize;
    const all = pagesOf(read, ({ userId }) => userId, after, size);
    const found = search === undefined ? all : changedPages(all, matching(search));
    const pages = changedPages<FaceRecord, ListedFace>(found, (page) =>
      withTerms(store, gallery, page, details === true),
    );
    let next: string | undefined;
    const first = firstRows(pages, limit ?? Number.POSITIVE_INFINITY, ({ userId }) => {
      next = writeCursor(userId);
    });
    return { ...(await listingOf(first)), nextCursor: () => next };
  };
}

/** A user of a list, with terms where they are asked for. */
type ListedFace = FaceRecord & {
  readonly hasCrop: boolean;
  readonly terms: (PersonTerms & { readonly expiry: Date | null }) | undefined;
};

/** Consent, end of storage and suspension of each, and whether a crop is kept, where they are asked for. */
async function withTerms(
  { people, crops }: Pick<Store, 'people' | 'crops'>,
  { id, retentionDays }: GalleryRecord,
  faces: readonly FaceRecord[],
  wanted: boolean,
): Promise<ListedFace[]> {
  const [first, last] = [faces[0], faces.at(-1)];
  if (!wanted || !first || !last) return faces.map((face) => ({ ...face, hasCrop: false, terms: undefined }));
  const stored = await people.list(id, first.userId, last.userId);
  const owners = await crops.owners(id, first.userId, last.userId);
  return faces.map((face) => {
    const terms = stored.get(face.userId) ?? noTerms;
    const known = { ...terms, expiry: expiryOf(face.createdAt, retentionDays, terms) };
    return { ...face, hasCrop: owners.has(face.userId), terms: known };
  });
}

/** Those whose user_id or user_name contains a text. */
function matching(text: string) {
  const needle = caseFolded(text);
  const matches = ({ userId, userName }: FaceRecord) =>
    caseFolded(userId).includes(needle) || caseFolded(userName).includes(needle);
  return (faces: readonly FaceRecord[]) => faces.filter(matches);
}

/** For comparison without regard to case and Unicode composition. */
function caseFolded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** A cursor encodes the last user_id of a page; it is opaque to callers. */
function writeCursor(userId: string): string {
  return Buffer.from(userId, 'utf8').toString('base64url');
}

function readCursor(cursor: string): string {
  const userId = Buffer.from(cursor, 'base64url').toString('utf8');
  if (cursor !== '' && writeCursor(userId) === cursor) return userId;
  throw new Refusal('facesCursor');
}
