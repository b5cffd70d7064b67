import { z } from 'zod';
import type { CamelCased } from '../camel-case.ts';
import {
  flag,
  name,
  optionalCount,
  optionalFraction,
  optionalName,
  optionalPicture,
  optionalRate,
  picture,
} from '../fields.ts';

const trx = optionalName(
  'Identifier of the transaction, for logs and debugging; made by the server when absent.',
);
const gallery = name('Name of the gallery.');
const user = name('Identifier of the user, unique within the gallery.');
const userName = name('Name of the person.');
const image = picture('The picture: base64 of a JPEG or PNG; a data URL is accepted.');

/** What a passed liveness session gave. */
const liveness = {
  liveness_token: optionalName(
    'Extension: the token of a liveness session that was passed; it is spent, and the face must be the one that passed.',
    4_000,
  ),
};

/** How alike is alike enough, for this call alone. */
const operatingPoint = {
  threshold: optionalFraction('Extension: the similarity that is needed, for this call alone.'),
  far: optionalRate(
    'Extension: the same as a false accept rate of one comparison, a number or a text such as "1e-4"; ' +
      'send it or `threshold`, not both.',
  ),
};

/** Calls that take nothing but a transaction identifier. */
export const bareRequest = z.object({ trx_id: trx });

export const galleryRequest = z.object({ facegallery_id: gallery, trx_id: trx });

export const createGalleryRequest = z.object({
  facegallery_id: gallery,
  trx_id: trx,
  require_liveness: flag('Extension: faces get in, and are verified, only with a liveness_token.', false),
});

export const enrolRequest = z.object({
  user_id: user,
  user_name: userName,
  facegallery_id: gallery,
  force_register: flag('Registers although the face is too small.', false),
  image,
  trx_id: trx,
  replace: flag('Extension: replaces the face of a user_id that is enrolled already.', false),
  append: flag(
    'Extension: keeps the face of a user_id that is enrolled already and adds this one, up to 5; later pictures are ' +
      'compared with all of them, and the mean counts.',
    false,
  ),
  check_quality: flag('Extension: refuses faces that fail a quality rule.', false),
  check_duplicate: flag('Extension: refuses a face that is enrolled under another user_id.', false),
  ...liveness,
});

export const enrolCardRequest = z.object({
  user_id: user,
  user_name: userName,
  facegallery_id: gallery,
  image,
  trx_id: trx,
  minimum_similarity: optionalFraction('Face-to-card similarity that is needed.'),
  ktp_image: optionalPicture('Extension: the identity card, when `image` shows the person alone.'),
  ...liveness,
});

export const listFacesRequest = z.object({
  facegallery_id: gallery,
  trx_id: trx,
  search: optionalName(
    'Extension: only people whose user_id or user_name holds this, whatever the case of its letters.',
  ),
  limit: optionalCount('Extension: answers at most this many faces and a `next_cursor`.', 1, 10_000),
  cursor: optionalName('Extension: the `next_cursor` of the page before.', 1_000),
});

export const verifyRequest = z.object({
  user_id: user,
  facegallery_id: gallery,
  image,
  trx_id: trx,
  ...operatingPoint,
  ...liveness,
});

export const identifyRequest = z.object({
  facegallery_id: gallery,
  image,
  trx_id: trx,
  top_k: optionalCount('Extension: how many people to answer at most. Default 1.', 1, 10),
  ...operatingPoint,
});

export const userRequest = z.object({ user_id: user, facegallery_id: gallery, trx_id: trx });

export const compareRequest = z.object({
  source_image: picture('The picture to compare: base64 of a JPEG or PNG.'),
  target_image: picture('The reference picture: base64 of a JPEG or PNG.'),
  trx_id: trx,
  ...operatingPoint,
  ...liveness,
});

/** The fields of requests as services take them: checked, and named in camelCase. */
type Fields<Schema extends z.ZodType> = CamelCased<z.output<Schema>>;
export type GalleryRequest = Fields<typeof galleryRequest>;
export type CreateGalleryRequest = Fields<typeof createGalleryRequest>;
export type EnrolRequest = Fields<typeof enrolRequest>;
export type EnrolCardRequest = Fields<typeof enrolCardRequest>;
export type ListFacesRequest = Fields<typeof listFacesRequest>;
export type UserRequest = Fields<typeof userRequest>;
export type VerifyRequest = Fields<typeof verifyRequest>;
export type IdentifyRequest = Fields<typeof identifyRequest>;
export type CompareRequest = Fields<typeof compareRequest>;
