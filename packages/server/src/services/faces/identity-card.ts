import { cutFraction, type Picture, raiseThreshold } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { Analysis, Attribute, Box, Engine, Face } from '@wajah/engine';
import { Refusal } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import { keepsCrops } from '../galleries/lookup.ts';
import { limitAt } from '../galleries/thresholds.ts';
import {
  faceSize,
  requireClear,
  requireFaces,
  requireSize,
  settleBoth,
  templateOf,
  wearsMask,
} from './main-face.ts';
import type { EnrolmentParts } from './parts.ts';
import { cardField, imageField } from './pictures.ts';
import type { EnrolmentService, PictureField } from './ports.ts';
import { termsOf } from './terms.ts';

/** Least similarity of holder and card where the call names none. */
const cardSimilarity = 0.6;

/** Enrols a user whose face matches the face on an identity card (KTP), which `image` or `ktp_image` shows. */
export function createCardEnrolment(parts: EnrolmentParts): EnrolmentService['enrolWithCard'] {
  const { events, config, writer, admission, liveness } = parts;
  const cards = createCardComparison(parts);
  return async (caller, request) => {
    const { facegalleryId, userId, userName, image, ktpImage } = request;
    const own = raiseThreshold(cardSimilarity);
    const minimum = limitAt(request.minimumSimilarity, own);
    const terms = termsOf(request);
    const { gallery } = await admission.admit(caller, request, 'refuse', terms);
    const proof = await liveness.read(caller, request.livenessToken, gallery);

    const { person, found, similarity, counted } = await (ktpImage === undefined
      ? cards.compareInOnePicture(caller, image, minimum)
      : cards.compareTwoPictures(caller, image, ktpImage));
    if (request.checkSingleFace) {
      for (const { field, boxes, allowed } of counted) requireFaces(boxes, field.name, allowed);
    }

    const template = templateOf(person);
    const masker = wearsMask(person);
    if (similarity < minimum) throw belowMinimum({ similarity, minimum, own, masker, found });
    requireClear(person, { field: imageField.name, face: phrase('faceOfPerson') });

    await proof?.spend([template], imageField.name);
    const crop = keepsCrops(config, gallery) ? person.crop : undefined;
    const face = { userId, userName, faces: [{ template, crop }] } as const;
    await writer.writeFace(caller, gallery, { ...face, ifExists: 'refuse', terms });
    const facts = { way: 'card', replaced: false, appended: false, forced: false, found } as const;
    events.observe('face_enrolled', caller, { facegallery_id: facegalleryId, ...facts });
    return { similarity, own, masker };
  };
}

interface Below {
  readonly similarity: number;
  readonly minimum: number;
  readonly own: number;
  readonly masker: boolean;
  /** Faces in `image`. */
  readonly found: number;
}

function belowMinimum({ similarity, minimum, own, masker, found }: Below): Refusal {
  const others = found > 2 ? phrase('withoutOthers', { found }) : phrase('sendSharper');
  const params = { similarity, minimum, advice: masker ? phrase('takeMaskOff') : others };
  const fields = { similarity: cutFraction(similarity), masker, own_threshold: own };
  return new Refusal('cardBelowMinimum', params, fields);
}

/** The person, compared with the face on the card. */
interface CardPair {
  readonly person: Face;
  /** 0…1 */
  readonly similarity: number;
  /** Faces found in `image`. */
  readonly found: number;
  /** The faces that `check_single_face` counts: in one picture, patterns smaller than the card's face do not. */
  readonly counted: readonly {
    readonly field: PictureField;
    readonly boxes: readonly Box[];
    readonly allowed: number;
  }[];
}

/** Size of the person's face, at least, as a share of the largest one: nearer bystanders are larger. */
const personShare = 0.5;

/** Faces analysed: the card may rank after people and patterns in the background. */
const maxFaces = 8;

/**
 * Finds the person and the face on the card. Both need the minimum size of a comparison; the larger one of enrolment
 * could not be lifted, since this call has no force_register.
 */
function createCardComparison({ pictures, comparisons, config }: EnrolmentParts) {
  const compared: readonly Attribute[] = ['embedding', 'mask', 'unclear'];
  const attributes: readonly Attribute[] = config.keepFaceCrops === false ? compared : [...compared, 'crop'];
  const analyzeOne = (caller: Caller, field: PictureField, bytes: Uint8Array) => {
    const options = { maxFaces: 1, search: 'fast' } as const;
    const request = { ...options, attributes: field === cardField ? compared : attributes };
    return pictures.analyze(field, bytes, request, caller);
  };
  const pairs = createPairing(comparisons.engine, config.limits.minFace);

  return {
    /**
     * Without another face than the person's the call ends after one look, which costs less than three plain ones.
     * @param enough similarity at which the closer look is skipped
     */
    async compareInOnePicture(caller: Caller, image: Picture, enough: number): Promise<CardPair> {
      const bytes = pictures.decode(imageField, image);
      const look = (search: 'card' | 'closer') =>
        pictures.analyze(imageField, bytes, { attributes, maxFaces, search }, caller);
      const first = pairs.ofPicture(await look('card'));
      if (!first) throw noFace('onlyThePerson');
      if (first.similarity >= enough) return first;
      // The others may be people in the background.
      const second = pairs.ofPicture(await look('closer'));
      return second && second.similarity > first.similarity ? second : first;
    },
    async compareTwoPictures(caller: Caller, image: Picture, ktpImage: Picture): Promise<CardPair> {
      const bytes = [pictures.decode(imageField, image), pictures.decode(cardField, ktpImage)] as const;
      const [self, other] = await settleBoth(
        analyzeOne(caller, imageField, bytes[0]),
        analyzeOne(caller, cardField, bytes[1]),
      );
      const [person, card] = [self.faces[0], other.faces[0]];
      if (!person) throw noFace('noFaceOfPerson');
      if (!card) throw noFace('noFaceOnCard', cardField);
      const counted = [
        { field: imageField, boxes: self.boxes, allowed: 1 },
        { field: cardField, boxes: other.boxes, allowed: 1 },
      ];
      const pair = pairs.of(person, card, cardField, { found: self.found, counted });
      // Only templates of equal pixels have it.
      if (pair.similarity === 1) throw new Refusal('cardIsPicture');
      return pair;
    },
  };
}

/** @param minimum least size of either face, pixels (see `faceSize`) */
function createPairing(engine: Pick<Engine, 'comparisonSimilarity'>, minimum: number) {
  const similarityOf = (person: Face, card: Face) =>
    engine.comparisonSimilarity(templateOf(person), templateOf(card));
  const sized = (pair: CardPair, card: Face, cardIn: PictureField): CardPair => {
    requireSize(pair.person, { field: imageField.name, face: phrase('faceOfPerson') }, minimum);
    requireSize(card, { field: cardIn.name, face: phrase('faceOnCard') }, minimum);
    return pair;
  };
  return {
    of: (
      person: Face,
      card: Face,
      cardIn: PictureField,
      seen: Pick<CardPair, 'found' | 'counted'>,
    ): CardPair => sized({ person, similarity: similarityOf(person, card), ...seen }, card, cardIn),

    /** Of the most similar pair, the larger face is the person's: a bystander may be larger than either. */
    ofPicture({ faces, boxes, found }: Analysis): CardPair | undefined {
      const bySize = [...faces].sort((a, b) => faceSize(b) - faceSize(a));
      const [largest] = bySize;
      if (!largest) throw noFace('neitherFace');
      const sufficient = bySize.filter((face) => faceSize(face) >= minimum);
      const compared = sufficient.length > 1 ? sufficient : bySize.slice(0, 2);
      const [best] = compared
        .filter((face) => faceSize(face) >= personShare * faceSize(largest))
        .flatMap((person) =>
          compared
            .slice(compared.indexOf(person) + 1)
            .map((card) => ({ person, card, similarity: similarityOf(person, card) })),
        )
        .sort((a, b) => b.similarity - a.similarity);
      if (!best) return undefined;
      const { person, card, similarity } = best;
      const large = boxes.filter((box) => faceSize({ box }) >= faceSize(card));
      const counted = [{ field: imageField, boxes: large, allowed: 2 }];
      return sized({ person, similarity, found, counted }, card, imageField);
    },
  };
}

function noFace(
  found: 'onlyThePerson' | 'noFaceOfPerson' | 'noFaceOnCard' | 'neitherFace',
  { name }: PictureField = imageField,
): Refusal {
  return new Refusal('cardFaceMissing', { field: name, found: phrase(found) });
}
