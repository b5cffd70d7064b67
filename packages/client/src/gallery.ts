import { isWajahError } from './errors.ts';
import type { CallOptions } from './options.ts';
import type { Picture } from './pictures.ts';
import type { Calls } from './wire/calls.ts';
import type {
  EnrolFaceAnswer,
  EnrolFaceKtpAnswer,
  EnrolFaceKtpRequest,
  EnrolFaceRequest,
  IdentifyFaceAnswer,
  IdentifyFaceRequest,
  ListFacesAnswer,
  VerifyFaceAnswer,
  VerifyFaceRequest,
} from './wire/types.ts';

/** Somebody who is enrolled. */
export type Person = ListFacesAnswer['faces'][number];
/** Somebody who was found, and how sure that is. */
export type Match = IdentifyFaceAnswer['return'][number];

type Without<Request, Field extends string> = Omit<Request, 'facegallery_id' | Field>;

/** Calls about one gallery. */
export interface Gallery {
  readonly facegallery_id: string;
  enrol(fields: Without<EnrolFaceRequest, never>, options?: CallOptions): Promise<EnrolFaceAnswer>;
  /** Enrols who is on the identity card. @throws WajahError 411 when face and card differ */
  enrolWithCard(
    fields: Without<EnrolFaceKtpRequest, never>,
    options?: CallOptions,
  ): Promise<EnrolFaceKtpAnswer>;
  /** Is this that user? */
  verify(
    user_id: string,
    image: Picture,
    options?: CallOptions & Without<VerifyFaceRequest, 'user_id' | 'image'>,
  ): Promise<VerifyFaceAnswer>;
  /** Who is this? The best match; undefined when nobody is alike enough. */
  identify(
    image: Picture,
    options?: CallOptions & Without<IdentifyFaceRequest, 'image' | 'top_k'>,
  ): Promise<Match | undefined>;
  /** Everybody, by user_id, fetched in pages. */
  people(options?: CallOptions & { readonly pageSize?: number }): AsyncGenerator<Person, void, undefined>;
  /** Erases a user. @returns false when there was none */
  remove(user_id: string, options?: CallOptions): Promise<boolean>;
}

const pageSize = 1_000;

export function createGallery(calls: Calls, facegallery_id: string): Gallery {
  return {
    facegallery_id,
    enrol: (fields, options) => calls.enrolFace({ ...fields, facegallery_id }, options),
    enrolWithCard: (fields, options) => calls.enrolFaceKtp({ ...fields, facegallery_id }, options),
    verify(user_id, image, given = {}) {
      const { fields, options } = apart(given);
      return calls.verifyFace({ ...fields, user_id, image, facegallery_id }, options);
    },
    async identify(image, given = {}) {
      const { fields, options } = apart(given);
      const search = calls.identifyFace({ ...fields, image, facegallery_id }, options);
      const found = await unless('notRecognized', search);
      return found?.return[0];
    },
    async *people({ pageSize: limit = pageSize, ...options } = {}) {
      let cursor: string | undefined;
      do {
        const page: ListFacesAnswer = await calls.listFaces({ facegallery_id, limit, cursor }, options);
        yield* page.faces;
        cursor = page.next_cursor;
      } while (cursor !== undefined);
    },
    async remove(user_id, options) {
      const erased = calls.deleteFace({ user_id, facegallery_id }, options);
      return (await unless('userNotFound', erased)) !== undefined;
    },
  };
}

/** Options of the call, and what belongs into its body. */
function apart<Given extends CallOptions>({ signal, timeoutMs, retries, ...fields }: Given) {
  return { fields, options: { signal, timeoutMs, retries } };
}

/** The answer; undefined for the one refusal that is an answer, too. */
async function unless<Answer>(code: string, answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isWajahError(error) && error.code === code) return undefined;
    throw error;
  }
}
