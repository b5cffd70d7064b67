import type { Analysis, Face } from '@wajah/engine';
import { Refusal } from '../errors.ts';
import type { ServiceDependencies } from './dependencies.ts';
import type { FaceWriter } from './face-writer.ts';
import { mainFace, requireSize, templateOf, wearsMask } from './faces.ts';
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
): EnrolmentService['enrolWithCard'] {
  return async (caller, input) => {
    const { galleryId, userId, userName } = input;
    const minimum = minimumOf(input, config.thresholds.card);
    const { gallery } = await writer.admit(caller, { galleryId, userId, replace: false });

    const look = createLook(pictures, caller, config.limits);
    const { person, card, found } = await (input.cardImage === undefined
      ? look.onePicture(input.image)
      : look.twoPictures(input.image, input.cardImage));

    const template = templateOf(person);
    const similarity = engine.similarity(template, templateOf(card));
    const masker = wearsMask(person);
    if (similarity < minimum) throw unlike(similarity, minimum, masker);

    await writer.write(gallery, { userId, userName, template, replace: false, unique: false });
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

function createLook(
  pictures: Pictures,
  caller: Caller,
  limits: { readonly minFaceEnrol: number; readonly minFace: number },
) {
  const want = ['embedding', 'mask'] as const;
  const see = (field: PictureField, bytes: Uint8Array, maxFaces: number) =>
    pictures.analyze(field, bytes, { want, maxFaces, search: 'thorough' }, caller.signal);

  const checked = (analysis: Analysis, person: Face, card: Face, cardIn: Analysis, field: string): Pair => {
    requireSize(person, analysis, imageField.name, limits.minFaceEnrol);
    requireSize(card, cardIn, `${field} (the face on the card)`, limits.minFace);
    return { person, card, found: analysis.found };
  };
  return {
    /** The largest face is the person's, the next one the card's. */
    async onePicture(image: string): Promise<Pair> {
      const analysis = await see(imageField, pictures.decode(imageField, image), 2);
      const [person, card] = analysis.faces;
      if (!person) throw missing("image: no face was found, neither the person's nor the card's");
      if (!card)
        throw missing(
          "image: only one face was found, taken for the person's; the face on the card is missing",
        );
      return checked(analysis, person, card, analysis, imageField.name);
    },
    async twoPictures(image: string, cardImage: string): Promise<Pair> {
      const bytes = [pictures.decode(imageField, image), pictures.decode(cardField, cardImage)] as const;
      const [self, card] = await both(see(imageField, bytes[0], 1), see(cardField, bytes[1], 1));
      if (!self.faces[0]) throw missing("image: the person's face is missing, no face was found");
      if (!card.faces[0]) throw missing('ktp_image: the face on the card is missing, no face was found');
      return checked(self, mainFace(self, 'image'), mainFace(card, 'ktp_image'), card, cardField.name);
    },
  };
}

function minimumOf({ minimumSimilarity }: Input, otherwise: number): number {
  const minimum = minimumSimilarity ?? otherwise;
  if (minimum >= 0 && minimum <= 1) return minimum;
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
    { similarity, masker },
  );
}
