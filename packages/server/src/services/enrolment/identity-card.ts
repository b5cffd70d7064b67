import { cutFraction, raiseThreshold } from '@wajah/contract';
import { Refusal } from '../../errors.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import type { LivenessProof } from '../liveness/token-proof.ts';
import { templateOf, wearsMask } from '../pictures/main-face.ts';
import { imageField, type Pictures } from '../pictures/pictures.ts';
import { shown } from '../recognition/thresholds.ts';
import type { EnrolmentService } from '../services.ts';
import { createCardLook } from './card-faces.ts';
import type { FaceWriter } from './face-writer.ts';

type Input = Parameters<EnrolmentService['enrolWithCard']>[1];

/** Enrols a person whose face agrees with the one on an identity card (KTP). */
export function createCardEnrolment(
  { engine, events, config }: ServiceDependencies,
  pictures: Pictures,
  writer: FaceWriter,
  liveness: LivenessProof,
): EnrolmentService['enrolWithCard'] {
  const look = createCardLook(engine, config, pictures);
  return async (caller, input) => {
    const { galleryId, userId, userName } = input;
    const minimum = minimumOf(input, config.thresholds.card);
    const { gallery } = await writer.admit(caller, { galleryId, userId, way: 'new' });
    const proof = await liveness.read(caller, input.livenessToken, gallery);

    const { person, found, similarity } = await (input.cardImage === undefined
      ? look.onePicture(caller, input.image, minimum)
      : look.twoPictures(caller, input.image, input.cardImage));

    const template = templateOf(person);
    const masker = wearsMask(person);
    if (similarity < minimum) throw unlike(similarity, minimum, masker);

    await proof?.spend(template, imageField.name);
    await writer.write(gallery, { userId, userName, template, crop: person.crop, way: 'new', unique: false });
    events.faceEnrolled(caller, {
      facegallery_id: galleryId,
      way: 'card',
      replaced: false,
      forced: false,
      found,
    });
    return { similarity, masker };
  };
}

function minimumOf({ minimumSimilarity }: Input, otherwise: number): number {
  const minimum = minimumSimilarity ?? otherwise;
  if (minimum >= 0 && minimum <= 1) return raiseThreshold(minimum);
  throw new Refusal('malformed', `minimum_similarity: ${minimum} is not a number from 0 to 1`);
}

function unlike(similarity: number, minimum: number, masker: boolean): Refusal {
  const advice = masker ? 'take the mask off' : 'send sharper, well lit pictures of face and card';
  return new Refusal(
    'notRecognized',
    `image: the face and the one on the card have a similarity of ${shown(similarity)}, the minimum is ${shown(minimum)} (minimum_similarity); nothing was stored; ${advice}`,
    { similarity: cutFraction(similarity), masker },
  );
}
