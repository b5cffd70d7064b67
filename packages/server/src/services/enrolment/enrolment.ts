import type { EnrolRequest, UpdateFaceRequest, UserRequest } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { Attribute } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { Receipt } from '../../events.ts';
import { countTemplates } from '../../security/vaults/template-vault.ts';
import { expiryOf } from '../../store/person-store.ts';
import type { GalleryRecord } from '../../store/store.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { type Admission, createAdmission } from '../faces/admission.ts';
import type { EnrolmentMode } from '../faces/face-writer.ts';
import { termsOf } from '../faces/terms.ts';
import { galleryOf, noUser, userOf, withPresentKeys } from '../galleries/lookup.ts';
import {
  analyzeMainFace,
  describeFace,
  requireFaces,
  requireQuality,
  templateOf,
} from '../pictures/main-face.ts';
import { createPictures, imageField, type Pictures } from '../pictures/pictures.ts';
import { createLivenessProof, type LivenessProof } from '../recognition/liveness-proof.ts';
import { galleryForComparison } from '../template-migration/template-migration.ts';
import { createFaceListing } from './face-listing.ts';
import { createCardEnrolment } from './identity-card.ts';

export type EnrolmentService = ReturnType<typeof createEnrolmentService>;

/** Enrols, lists, describes, renames and removes the users of a gallery, and reads their face crops. */
export function createEnrolmentService(deps: ServiceDependencies) {
  const { store, events, eraser } = deps;
  const pictures = createPictures(deps);
  const admission = createAdmission(deps);
  const liveness = createLivenessProof(deps);
  return {
    enrol: createEnrol(deps, pictures, admission, liveness),
    enrolWithCard: createCardEnrolment(deps, pictures, admission, liveness),
    list: createFaceListing(deps),
    ...createPersonService(deps),

    /** @returns null: no audit record could be written @throws Refusal `galleryNotFound` | `userNotFound` */
    async remove(caller: Caller, { facegalleryId, userId }: UserRequest): Promise<Receipt | null> {
      const gallery = await galleryOf(store, caller, facegalleryId);
      const told = { trxId: caller.trxId, reason: 'deleted' } as const;
      if (!(await eraser.erase(gallery, userId, told))) throw noUser();
      return events.faceRemoved(caller, { facegallery_id: facegalleryId });
    },

    /** The newest face crop of a user, a JPEG. @throws Refusal as `remove`; `denied` when none is kept */
    async crop(caller: Caller, { facegalleryId, userId }: UserRequest): Promise<Uint8Array> {
      const gallery = await galleryOf(store, caller, facegalleryId);
      await userOf(store, gallery, userId);
      const { jpeg } = await withPresentKeys(store, gallery, async (now) => {
        const newest = (await store.crops.get(gallery.id, userId)).at(-1);
        if (!newest) throw noCrop();
        return deps.vault.gallery(now).openCrop(userId, newest);
      });
      events.cropShown(caller, { facegallery_id: facegalleryId });
      return jpeg;
    },
  };
}

function createEnrol(
  { events, config, writer }: ServiceDependencies,
  pictures: Pictures,
  admission: Admission,
  liveness: LivenessProof,
) {
  /** @returns the face that was enrolled, and how many are in the picture */
  return async (caller: Caller, request: EnrolRequest) => {
    const { facegalleryId, userId, userName, forceRegister, checkQuality } = request;
    const mode = modeOf(request);
    const terms = termsOf(request);
    const { gallery, enrolled } = await admission.admit(caller, request, mode, terms);
    const proof = await liveness.read(caller, request.livenessToken, gallery);

    const attributes: Attribute[] = ['embedding'];
    if (checkQuality) attributes.push('quality');
    if (config.keepFaceCrops) attributes.push('crop');
    const minimum = forceRegister ? 0 : config.limits.minFaceEnrol;
    const remedy = phrase('orForceRegister');
    const picture = { field: imageField, bytes: pictures.decode(imageField, request.image) };
    const { face, analysis } = await analyzeMainFace(pictures, caller, picture, attributes, minimum, remedy);
    if (request.checkSingleFace || config.limits.singleFace) requireFaces(analysis.boxes, imageField.name, 1);
    if (checkQuality)
      requireQuality(face, describeFace(analysis, imageField.name), forceRegister ? ['size'] : []);

    const template = templateOf(face);
    await proof?.spend(template, imageField.name);
    const row = { userId, userName, template, crop: face.crop, mode, terms };
    const unless = request.checkDuplicate
      ? (now: GalleryRecord) => admission.requireUnique(caller, now, row)
      : undefined;
    await writer.enrol(caller, gallery, row, unless);
    events.faceEnrolled(caller, {
      facegallery_id: facegalleryId,
      way: 'image',
      replaced: enrolled && mode === 'replace',
      appended: enrolled && mode === 'append',
      forced: forceRegister,
      found: analysis.found,
    });
    return { face, found: analysis.found };
  };
}

function modeOf({ replace, append }: Pick<EnrolRequest, 'replace' | 'append'>): EnrolmentMode {
  if (replace && append) {
    throw new Refusal('malformed', 'append: replace was sent as well; allowed is one of the two');
  }
  if (append) return 'append';
  return replace ? 'replace' : 'new';
}

function noCrop(): Refusal {
  return new Refusal(
    'denied',
    'user_id: no face crop is kept of this user; crops are kept of faces that are enrolled while the operator has WAJAH_KEEP_FACE_CROPS=true',
  );
}

/** Refused calls of a user in an answer. */
const maxRefusals = 20;

/** What is stored of one user, and the user's name. */
function createPersonService(deps: ServiceDependencies) {
  const { store, events, writer } = deps;
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
      return { face, terms: known, pictures, refusals: refusals.map(({ call }) => call) };
    },

    /** @throws Refusal `galleryNotFound` | `userNotFound` | `denied` (other model pack) | `busy` */
    async rename(caller: Caller, { facegalleryId, userId, userName }: UpdateFaceRequest): Promise<void> {
      const gallery = await galleryForComparison(deps, caller, facegalleryId);
      await writer.rename(gallery, userId, userName);
      events.faceChanged(caller, { facegallery_id: facegalleryId, what: 'user_name' });
    },
  };
}
