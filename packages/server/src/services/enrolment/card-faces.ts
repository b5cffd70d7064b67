import type { Analysis, Attribute, Engine, Face } from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import { faceSize, requireSize, templateOf } from '../pictures/main-face.ts';
import { cardField, imageField, type PictureField, type Pictures } from '../pictures/pictures.ts';
import { both } from '../pictures/probe.ts';
import type { Caller } from '../services.ts';

/** The person, and how alike the face on the card is. */
export interface CardPair {
  readonly person: Face;
  /** 0…1 */
  readonly similarity: number;
  /** Faces found in `image`. */
  readonly found: number;
}

/** The card is held to the side, so it may come after people in the background, and whatever looks like a face. */
const looked = { thorough: 4, finest: 8 } as const;

/**
 * Finds the person and the face on the card. Both need the least size of a comparison, for that is what decides here;
 * the larger one of enrolment would leave no way out, as this call knows no force_register.
 */
export function createCardLook(engine: Engine, config: Config, pictures: Pictures) {
  const compared: readonly Attribute[] = ['embedding', 'mask'];
  const want: readonly Attribute[] = config.keepFaceCrops ? [...compared, 'crop'] : compared;
  const main = (caller: Caller, field: PictureField, bytes: Uint8Array) => {
    const request = {
      attributes: field === cardField ? compared : want,
      maxFaces: 1,
      search: 'fast',
    } as const;
    return pictures.analyze(field, bytes, request, caller.signal);
  };
  const pair = createPairing(engine, config.limits.minFace);

  return {
    /** @param enough similarity at which no further look is taken */
    async onePicture(caller: Caller, image: string, enough: number): Promise<CardPair> {
      const bytes = pictures.decode(imageField, image);
      const look = (search: keyof typeof looked) =>
        pictures.analyze(
          imageField,
          bytes,
          { attributes: want, maxFaces: looked[search], search },
          caller.signal,
        );
      const first = pair.among(await look('thorough'));
      if (!first) {
        throw missing("image: one face was found, taken for the person's; that on the card is missing");
      }
      // Somebody in the background was found before the card: only then are its finer parts looked through.
      if (first.similarity >= enough) return first;
      const second = pair.among(await look('finest'));
      return second && second.similarity > first.similarity ? second : first;
    },
    async twoPictures(caller: Caller, image: string, cardImage: string): Promise<CardPair> {
      const bytes = [pictures.decode(imageField, image), pictures.decode(cardField, cardImage)] as const;
      const [self, other] = await both(main(caller, imageField, bytes[0]), main(caller, cardField, bytes[1]));
      const [person, card] = [self.faces[0], other.faces[0]];
      if (!person) throw missing("image: no face was found; the person's is missing");
      if (!card) throw missing('ktp_image: no face was found; that on the card is missing');
      return pair.of(person, card, cardField, self.found);
    },
  };
}

/** @param minimum least size of either face, pixels: the shorter side of its box */
function createPairing(engine: Engine, minimum: number) {
  const alike = (person: Face, card: Face) => engine.similarity(templateOf(person), templateOf(card));
  const sized = (pair: CardPair, card: Face, cardIn: PictureField): CardPair => {
    requireSize(pair.person, `${imageField.name}: the face of the person`, minimum);
    requireSize(card, `${cardIn.name}: the face on the card`, minimum);
    return pair;
  };
  return {
    of: (person: Face, card: Face, cardIn: PictureField, found: number): CardPair =>
      sized({ person, similarity: alike(person, card), found }, card, cardIn),
    /** The largest face is the person's; of the others, the one on the card is who is most alike. */
    among({ faces, found }: Analysis): CardPair | undefined {
      const [person, ...others] = [...faces].sort((a, b) => faceSize(b) - faceSize(a));
      if (!person) throw missing("image: no face was found, neither the person's nor the one on the card");
      const large = others.filter((face) => faceSize(face) >= minimum);
      const [nearest] = (large.length > 0 ? large : others)
        .map((card) => ({ card, similarity: alike(person, card) }))
        .sort((a, b) => b.similarity - a.similarity);
      return nearest && sized({ person, similarity: nearest.similarity, found }, nearest.card, imageField);
    },
  };
}

function missing(what: string): Refusal {
  return new Refusal(
    'faceNotDetected',
    `${what}; send a selfie that shows face and card sharp and large, or the card as ktp_image`,
  );
}
