import type { EnrolRequest, UserRequest } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { Attribute } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { Receipt } from '../../events.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { eraseTraces } from '../erase-traces.ts';
import { galleryOf, userOf } from '../galleries/lookup.ts';
import { withPresentKeys } from '../galleries/present-keys.ts';
import { createLivenessProof, type LivenessProof } from '../liveness/token.ts';
import { termsOf } from '../people/terms.ts';
import {
  analyzeMainFace,
  describeFace,
  requireFaces,
  requireQuality,
  templateOf,
} from '../pictures/main-face.ts';
import { createPictures, imageField, type Pictures } from '../pictures/pictures.ts';
import { createThresholds } from '../recognition/thresholds.ts';
import { createFaceListing } from './face-listing.ts';
import { createFaceWriter, type EnrolmentMode, type FaceWriter } from './face-writer.ts';
import { createCardEnrolment } from './identity-card.ts';
import { createPersonService } from './person.ts';

export type EnrolmentService = ReturnType<typeof createEnrolmentService>;

/** Enrols, lists, describes, renames and removes the users of a gallery, and reads their face crops. */
export function createEnrolmentService(deps: ServiceDependencies) {
  const { store, events } = deps;
  const pictures = createPictures(deps);
  const writer = createFaceWriter(deps, createThresholds(deps.engine, deps.config.thresholds));
  const liveness = createLivenessProof(deps);
  return {
    enrol: createEnrol(deps, pictures, writer, liveness),
    enrolWithCard: createCardEnrolment(deps, pictures, writer, liveness),
    list: createFaceListing(deps),
    ...createPersonService(deps, writer),

    /** @returns null: no audit record could be written @throws Refusal `galleryNotFound` | `userNotFound` */
    async remove(caller: Caller, { facegalleryId, userId }: UserRequest): Promise<Receipt | null> {
      const gallery = await galleryOf(store, caller, facegalleryId);
      const owner = { clientId: caller.clientId, galleryId: facegalleryId, userId };
      await eraseTraces(deps, owner);
      await writer.erase(caller, gallery, userId);
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
  { events, config }: ServiceDependencies,
  pictures: Pictures,
  writer: FaceWriter,
  liveness: LivenessProof,
) {
  /** @returns the face that was enrolled, and how many are in the picture */
  return async (caller: Caller, request: EnrolRequest) => {
    const { facegalleryId, userId, userName, forceRegister, checkQuality } = request;
    const mode = modeOf(request);
    const terms = termsOf(request);
    const { gallery, enrolled } = await writer.admit(caller, request, mode, terms);
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
    const unique = request.checkDuplicate;
    const row = { userId, userName, template, crop: face.crop, mode, unique, terms };
    await writer.write(caller, gallery, row);
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
