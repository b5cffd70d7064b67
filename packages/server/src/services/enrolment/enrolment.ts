import type { Attribute } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { galleryOf } from '../galleries/lookup.ts';
import { createLivenessProof, type LivenessProof } from '../liveness/token-proof.ts';
import { describeFace, requireQuality, templateOf } from '../pictures/main-face.ts';
import { createPictures, imageField, type Pictures } from '../pictures/pictures.ts';
import { lookAtFace } from '../pictures/probe.ts';
import { createThresholds } from '../recognition/thresholds.ts';
import type { EnrolmentService } from '../services.ts';
import { createFaceListing } from './face-listing.ts';
import { createFaceWriter, type EnrolmentMode, type FaceWriter } from './face-writer.ts';
import { createCardEnrolment } from './identity-card.ts';

/** Who is in a gallery, and how one gets in and out of it. */
export function createEnrolmentService(deps: ServiceDependencies): EnrolmentService {
  const { store, events, activity } = deps;
  const pictures = createPictures(deps.engine, deps.config.limits);
  const writer = createFaceWriter(deps, createThresholds(deps.engine, deps.config.thresholds));
  const liveness = createLivenessProof(deps);
  return {
    enrol: createEnrol(deps, pictures, writer, liveness),
    enrolWithCard: createCardEnrolment(deps, pictures, writer, liveness),

    list: createFaceListing(deps),

    async remove(caller, { galleryId, userId }) {
      const gallery = await galleryOf(store, caller, galleryId);
      activity.forget({ clientId: caller.clientId, galleryId, userId });
      await writer.erase(gallery, userId);
      events.faceRemoved(caller, { facegallery_id: galleryId });
    },
  };
}

function createEnrol(
  { events, config }: ServiceDependencies,
  pictures: Pictures,
  writer: FaceWriter,
  liveness: LivenessProof,
): EnrolmentService['enrol'] {
  return async (caller, input) => {
    const { galleryId, userId, userName, forceRegister, checkQuality, checkDuplicate } = input;
    const way = wayOf(input);
    const { gallery, known } = await writer.admit(caller, { galleryId, userId, way });
    const proof = await liveness.read(caller, input.livenessToken, gallery);

    const want: Attribute[] = [
      'embedding',
      ...wanted(checkQuality, 'quality'),
      ...wanted(config.keepFaceCrops, 'crop'),
    ];
    const minimum = forceRegister ? 0 : config.limits.minFaceEnrol;
    const remedy = ', or send force_register: true';
    const picture = { field: imageField, text: input.image };
    const { face, analysis } = await lookAtFace(pictures, caller, picture, want, minimum, remedy);
    if (checkQuality)
      requireQuality(face, describeFace(analysis, imageField.name), forceRegister ? ['size'] : []);

    const template = templateOf(face);
    await proof?.spend(template, imageField.name);
    await writer.write(gallery, { userId, userName, template, crop: face.crop, way, unique: checkDuplicate });
    events.faceEnrolled(caller, {
      facegallery_id: galleryId,
      way: 'image',
      replaced: known && way === 'replace',
      forced: forceRegister,
      found: analysis.found,
    });
  };
}

function wanted(when: boolean, attribute: Attribute): Attribute[] {
  return when ? [attribute] : [];
}

function wayOf({ replace, append = false }: { replace: boolean; append?: boolean }): EnrolmentMode {
  if (replace && append) {
    throw new Refusal('malformed', 'append: replace was sent as well; allowed is one of the two');
  }
  if (append) return 'append';
  return replace ? 'replace' : 'new';
}
