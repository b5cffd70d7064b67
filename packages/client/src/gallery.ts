import { isWajahError } from './errors.ts';
import type { CallOptions } from './options.ts';
import type { Picture } from './pictures.ts';
import type {
  Calls,
  EnrolFaceAnswer,
  EnrolFaceKtpAnswer,
  EnrolFaceKtpRequest,
  EnrolFaceRequest,
  FindDuplicatesAnswer,
  FindDuplicatesRequest,
  IdentifyFaceAnswer,
  IdentifyFaceMiss,
  IdentifyFaceRequest,
  ListFacesAnswer,
  VerifyFaceAnswer,
  VerifyFaceRequest,
} from './wire.ts';

/** An enrolled person. */
export type Person = ListFacesAnswer['faces'][number];
/** An identified person with the similarity. */
export type Match = IdentifyFaceAnswer['return'][number];

/** What an identification of every face answers. */
export interface IdentifiedFaces {
  /** Each face that was searched for, the largest first. */
  readonly faces: NonNullable<IdentifyFaceAnswer['faces']>;
  /** The identified people; nobody twice. */
  readonly people: readonly Match[];
  /** Faces in the picture, also those beyond the requested number. */
  readonly found: number;
}

type Without<Request, Field extends string> = Omit<Request, 'facegallery_id' | Field>;

/** The calls of one gallery. */
export interface Gallery {
  readonly facegallery_id: string;
  enrol(fields: Without<EnrolFaceRequest, never>, options?: CallOptions): Promise<EnrolFaceAnswer>;
  /** Enrols the holder of an identity card. @throws WajahError 411 when the face differs from the card's */
  enrolWithCard(
    fields: Without<EnrolFaceKtpRequest, never>,
    options?: CallOptions,
  ): Promise<EnrolFaceKtpAnswer>;
  /** Compares a probe, or up to 8 pictures of one person as one, with the user's templates. */
  verify(
    user_id: string,
    image: Picture | readonly Picture[],
    options?: CallOptions & Without<VerifyFaceRequest, 'user_id' | 'image' | 'images'>,
  ): Promise<VerifyFaceAnswer>;
  /**
   * Searches the gallery for the person of a picture, or of up to 8 pictures of one person.
   * @returns the best match; undefined when nobody reaches the threshold, or the pictures show different people
   */
  identify(
    image: Picture | readonly Picture[],
    options?: CallOptions & Without<IdentifyFaceRequest, 'image' | 'images' | 'top_k' | 'faces'>,
  ): Promise<Match | undefined>;
  /**
   * Searches the gallery for every face of a picture in one call.
   * @param options `faces`: most faces, 1 to 20; default 20. `thorough`: finds smaller faces, at several times the cost
   */
  identifyAll(
    image: Picture,
    options?: CallOptions & Without<IdentifyFaceRequest, 'image' | 'images' | 'top_k'>,
  ): Promise<IdentifiedFaces>;
  /** All enrolled people by user_id, fetched in pages. */
  people(
    options?: CallOptions & { readonly pageSize?: number; readonly details?: boolean },
  ): AsyncGenerator<Person, void, undefined>;
  /**
   * Finds users who may be the same person: answers with the pairs of each part and the progress, to the last one. A
   * `cursor` of an earlier answer resumes the search.
   */
  duplicates(
    options?: CallOptions & Without<FindDuplicatesRequest, never>,
  ): AsyncGenerator<FindDuplicatesAnswer, void, undefined>;
  /** Deletes a user. @returns false when the user was not enrolled */
  remove(user_id: string, options?: CallOptions): Promise<boolean>;
}

const pageSize = 1_000;
/** Faces of one call at most. */
const mostFaces = 20;

export function createGallery(calls: Calls, facegallery_id: string): Gallery {
  return {
    facegallery_id,
    enrol: (fields, options) => calls.enrolFace({ ...fields, facegallery_id }, options),
    enrolWithCard: (fields, options) => calls.enrolFaceKtp({ ...fields, facegallery_id }, options),
    verify(user_id, image, given = {}) {
      const { fields, options } = splitOptions(given);
      return calls.verifyFace({ ...fields, user_id, ...oneOrSeveral(image), facegallery_id }, options);
    },
    async identify(image, given = {}) {
      const { fields, options } = splitOptions(given);
      const search = calls.identifyFace({ ...fields, ...oneOrSeveral(image), facegallery_id }, options);
      const found = await undefinedOn('notRecognized', search);
      return found?.return[0];
    },
    async identifyAll(image, given = {}) {
      const { fields, options } = splitOptions(given);
      const search = calls.identifyFace({ faces: mostFaces, ...fields, image, facegallery_id }, options);
      const { return: people, faces = [], found = faces.length } = await orMiss(search);
      return { faces, people, found };
    },
    async *people({ pageSize: limit = pageSize, details, ...options } = {}) {
      let cursor: string | undefined;
      do {
        const page: ListFacesAnswer = await calls.listFaces(
          { facegallery_id, limit, cursor, details },
          options,
        );
        yield* page.faces;
        cursor = page.next_cursor;
      } while (cursor !== undefined);
    },
    async *duplicates(given = {}) {
      const { fields, options } = splitOptions(given);
      let { cursor } = fields;
      for (;;) {
        const page: FindDuplicatesAnswer = await calls.findDuplicates(
          { ...fields, facegallery_id, cursor },
          options,
        );
        yield page;
        if (page.complete) return;
        cursor = page.cursor;
      }
    },
    async remove(user_id, options) {
      const erased = calls.deleteFace({ user_id, facegallery_id }, options);
      return (await undefinedOn('userNotFound', erased)) !== undefined;
    },
  };
}

/** A list of one is a picture. */
function oneOrSeveral(given: Picture | readonly Picture[]) {
  const images: readonly Picture[] = Array.isArray(given) ? given : [given as Picture];
  return images.length === 1 ? { image: images[0]! } : { images };
}

/** Separates the options of a call from the fields of its body. */
function splitOptions<Given extends CallOptions>({ signal, timeoutMs, retries, ...fields }: Given) {
  return { fields, options: { signal, timeoutMs, retries } };
}

/** The answer, also that of a 411: of all faces nobody is identified. */
async function orMiss(answer: Promise<IdentifyFaceAnswer>): Promise<IdentifyFaceAnswer | IdentifyFaceMiss> {
  try {
    return await answer;
  } catch (error) {
    if (isWajahError(error) && error.status === '411') return error.answer as IdentifyFaceMiss;
    throw error;
  }
}

/** The answer; undefined for a refusal with this code. */
async function undefinedOn<Answer>(code: string, answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isWajahError(error) && error.code === code) return undefined;
    throw error;
  }
}
