import { cutFraction, raiseThreshold } from '@wajah/contract';
import type { Attribute, Face } from '@wajah/engine';
import { Refusal } from '../errors.ts';
import type { ServiceDependencies } from './dependencies.ts';
import type { FaceWriter } from './face-writer.ts';
import { faceSize, requireSize, templateOf, wearsMask } from './faces.ts';
import type { LivenessProof } from './liveness-proof.ts';
import { cardField, imageField, type PictureField, type Pictures } from './pictures.ts';
import { both } from './probe.ts';
import type { Caller, EnrolmentService } from './services.ts';
import { shown } from './thresholds.ts';

type Input = Parameters<EnrolmentService['enrolWithCard']>[1];

/** The person and the face on the card. */
interface Pair {
  readonly person: Face;
  readonly card: Face;
  /** Faces found in `image`. */
  readonly found: number;
}

/** Enrols a person whose face agrees with the one on an identity card (KTP). */
export function createCardEnrolment(
  { engine, events, config }: ServiceDependencies,
  pictures: Pictures,
  writer: FaceWriter,
  liveness: LivenessProof,
): EnrolmentService['enrolWithCard'] {
  return async (caller, input) => {
    const { galleryId, userId, userName } = input;
    const minimum = minimumOf(input, config.thresholds.card);
    const { gallery } = await writer.admit(caller, { galleryId, userId, way: 'new' });
    const proof = await liveness.read(caller, input.livenessToken, gallery);

    const look = createLook(pictures, caller, config.limits.minFace, config.keepFaceCrops);
    const { person, card, found } = await (input.cardImage === undefined
      ? look.onePicture(input.image)
      : look.twoPictures(input.image, input.cardImage));

    const template = templateOf(person);
    const similarity = engine.similarity(template, templateOf(card));
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

/** The card is held to the side, so it may come after people in the background, and whatever looks like a face. */
const looked = 4;

/**
 * Both faces need the least size of a comparison, for that is what decides here; the larger one of enrolment
 * would leave no way out, as this call knows no force_register.
 */
function createLook(pictures: Pictures, caller: Caller, minimum: number, keepCrops: boolean) {
  const compared: readonly Attribute[] = ['embedding', 'mask'];
  const want: readonly Attribute[] = keepCrops ? [...compared, 'crop'] : compared;
  const main = (field: PictureField, bytes: Uint8Array) => {
    const request = { want: field === cardField ? compared : want, maxFaces: 1, search: 'fast' } as const;
    return pictures.analyze(field, bytes, request, caller.signal);
  };

  const pair = (person: Face, card: Face, cardIn: PictureField, found: number): Pair => {
    requireSize(person, `${imageField.name}: the face of the person`, minimum);
    requireSize(card, `${cardIn.name}: the face on the card`, minimum);
    return { person, card, found };
  };
  return {
    /** The largest face is the person's, the next one the card's. */
    async onePicture(image: string): Promise<Pair> {
      const bytes = pictures.decode(imageField, image);
      const request = { want, maxFaces: looked, search: 'thorough' } as const;
      const { faces, found } = await pictures.analyze(imageField, bytes, request, caller.signal);
      const [person, card] = [...faces].sort((a, b) => faceSize(b) - faceSize(a));
      if (!person) throw missing("image: no face was found, neither the person's nor the one on the card");
      if (!card)
        throw missing("image: one face was found, taken for the person's; that on the card is missing");
      return pair(person, card, imageField, found);
    },
    async twoPictures(image: string, cardImage: string): Promise<Pair> {
      const bytes = [pictures.decode(imageField, image), pictures.decode(cardField, cardImage)] as const;
      const [self, other] = await both(main(imageField, bytes[0]), main(cardField, bytes[1]));
      const [person, card] = [self.faces[0], other.faces[0]];
      if (!person) throw missing("image: no face was found; the person's is missing");
      if (!card) throw missing('ktp_image: no face was found; that on the card is missing');
      return pair(person, card, cardField, self.found);
    },
  };
}

function minimumOf({ minimumSimilarity }: Input, otherwise: number): number {
  const minimum = minimumSimilarity ?? otherwise;
  if (minimum >= 0 && minimum <= 1) return raiseThreshold(minimum);
  throw new Refusal('malformed', `minimum_similarity: ${minimum} is not a number from 0 to 1`);
}

function missing(what: string): Refusal {
  return new Refusal(
    'faceNotDetected',
    `${what}; send a selfie that shows face and card sharp and large, or the card as ktp_image`,
  );
}

function unlike(similarity: number, minimum: number, masker: boolean): Refusal {
  const advice = masker ? 'take the mask off' : 'send sharper, well lit pictures of face and card';
  return new Refusal(
    'notRecognized',
    `image: the face and the one on the card have a similarity of ${shown(similarity)}, the minimum is ${shown(minimum)} (minimum_similarity); nothing was stored; ${advice}`,
    { similarity: cutFraction(similarity), masker },
  );
}
