import { Buffer } from 'node:buffer';
import type { EnrolRequest } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { Attribute } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import { changedPages, firstRows, listingOf, pageSize, pagesOf } from '../../lib/pages.ts';
import { countTemplates } from '../../security/vaults/template-vault.ts';
import { expiryOf, noTerms } from '../../store/person-store.ts';
import type { FaceRecord, GalleryRecord, Store } from '../../store/ports.ts';
import { galleryOf, keepsCrops, noUser, userOf } from '../galleries/lookup.ts';
import type { Comparisons } from '../galleries/ports.ts';
import type { ServiceParts } from '../parts.ts';
import { differs } from './admission.ts';
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
import type {
  AppendedFace,
  EnrolmentMode,
  EnrolmentParts,
  EnrolmentService,
  FaceEraser,
  FaceService,
  FaceWriter,
  ListedFace,
  Pictures,
  ReadLivenessToken,
} from './ports.ts';
import { termsOf } from './terms.ts';

/** Enrols users of a gallery: with a picture, or with one and an identity card. */
export function createEnrolmentService(parts: EnrolmentParts): EnrolmentService {
  return { enrol: createEnrol(parts), enrolWithCard: createCardEnrolment(parts) };
}

interface FaceParts extends ServiceParts<'store' | 'events'> {
  readonly comparisons: Comparisons;
  readonly writer: FaceWriter;
  readonly eraser: FaceEraser;
}

/** Lists, describes, renames and removes the users of a gallery. */
export function createFaceService(parts: FaceParts): FaceService {
  const { store, events, eraser } = parts;
  return {
    list: createFaceListing(parts),
    ...createPersonService(parts),

    async remove(caller, { facegalleryId, userId }) {
      const gallery = await galleryOf(store, caller, facegalleryId);
      const cause = { trxId: caller.trxId, reason: 'deleted' } as const;
      if (!(await eraser.erase(gallery, userId, cause))) throw noUser();
      return events.observe('face_removed', caller, { facegallery_id: facegalleryId });
    },
  };
}

function createEnrol({
  events,
  config,
  writer,
  pictures,
  admission,
  liveness,
}: EnrolmentParts): EnrolmentService['enrol'] {
  return async (caller, request) => {
    const { facegalleryId, userId, userName, forceRegister, checkQuality } = request;
    // In the cloud service force_register replaces, too.
    const mode = modeOf(request, forceRegister && caller.asCloud === true);
    const terms = termsOf(request);
    const { gallery, enrolled } = await admission.admit(caller, request, mode, terms, request.details);
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
    const place = request.details === true ? { face: placeOf(face), found: analysis.found } : {};
    if (enrolled && mode === 'new') throw await admission.taken(gallery, { userId, template }, place);
    await proof?.spend(template, imageField.name);
    const row = { userId, userName, template, crop: face.crop, mode, terms };
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
  pictures: Pictures,
  { useSessionFrame, image }: EnrolRequest,
  proof: ReadLivenessToken | undefined,
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
function createPersonService({
  store,
  events,
  writer,
  comparisons,
}: FaceParts): Pick<FaceService, 'describe' | 'rename'> {
  return {
    async describe(caller, { facegalleryId, userId }) {
      const gallery = await galleryOf(store, caller, facegalleryId);
      const face = await userOf(store, gallery, userId);
      const theirs = { galleryId: facegalleryId, userId, limit: maxRefusals };
      const terms = await store.people.get(gallery.id, userId);
      const refusals = await store.activity.refusedCalls(caller.clientId, theirs);
      const termsInForce = { ...terms, expiry: expiryOf(face.createdAt, gallery.retentionDays, terms) };
      const pictures = countTemplates(face.template);
      const hasCrop = (await store.crops.owners(gallery.id, userId, userId)).size > 0;
      return { face, hasCrop, terms: termsInForce, pictures, refusals: refusals.map(({ call }) => call) };
    },

    async rename(caller, { facegalleryId, userId, userName }) {
      const gallery = await comparisons.gallery(caller, facegalleryId);
      await writer.rename(gallery, userId, userName);
      events.observe('face_changed', caller, { facegallery_id: facegalleryId, what: 'user_name' });
    },
  };
}

/** Lists the users of a gallery, ordered by user_id: all, a page, or those whose user_id or user_name contains a text. */
function createFaceListing({ store }: FaceParts): FaceService['list'] {
  return async (caller, { facegalleryId, limit, cursor, search, details }) => {
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
    const expiry = expiryOf(face.createdAt, retentionDays, terms);
    return { ...face, hasCrop: owners.has(face.userId), terms: { ...terms, expiry } };
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
