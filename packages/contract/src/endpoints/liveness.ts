import { z } from 'zod';
import {
  flag,
  message,
  optionalCount,
  optionalFlag,
  optionalName,
  optionalPicture,
  optionalWord,
  picture,
  word,
} from '../fields.ts';
import { phrase } from '../refusals.ts';
import { aPicture } from '../values.ts';
import { endpoint } from './endpoint.ts';
import {
  attributes,
  calibration,
  envelope,
  exampleImage,
  fraction,
  ok,
  outcome,
  similarity,
  trx,
  unjudged,
  verified,
  veto,
} from './envelope.ts';
import { specified } from './specified.ts';

/** Greatest number of pictures in a batch. */
const maxBatch = 8;

const angles = ['face left', 'face right', 'face up', 'face down', 'face front'] as const;
export const parameters = [...angles, 'eyes open', 'eyes closed', 'mouth open', 'mouth closed'] as const;
/** What one picture must show. */
export type Parameter = (typeof parameters)[number];
/** A direction of the head, from the person's own point of view. */
export type Angle = (typeof angles)[number];

export const shortAngles = {
  left: 'face left',
  right: 'face right',
  up: 'face up',
  down: 'face down',
  front: 'face front',
} as const;

export const identity = {
  user_id: optionalName('User that the face is verified against; requires facegallery_id.'),
  facegallery_id: optionalName('Gallery of user_id; requires user_id.'),
};

/**
 * Reports the missing one of the two fields. It runs even when other fields are wrong, because these fields come first
 * in the request and errors are reported in its order.
 */
function pairProblem(context: z.core.ParsePayload<{ user_id?: unknown; facegallery_id?: unknown }>): void {
  const { user_id, facegallery_id } = context.value;
  if ((user_id === undefined) === (facegallery_id === undefined)) return;
  const path = user_id === undefined ? 'user_id' : 'facegallery_id';
  const other = user_id === undefined ? 'facegallery_id' : 'user_id';
  const problem = message('neededWith', { other });
  context.issues.push({ code: 'custom', input: undefined, path: [path], message: problem });
}

export const pairGiven = z.check<{ user_id?: unknown; facegallery_id?: unknown }>(pairProblem);
pairGiven._zod.def.when = ({ value }) => typeof value === 'object' && value !== null;

/** The specification names the parameters an object and an array: the objects of a list are merged. */
function mergeParameters(value: unknown): unknown {
  if (!Array.isArray(value) || value.length > maxBatch) return value;
  const objects = value.every((part) => typeof part === 'object' && part !== null && !Array.isArray(part));
  return objects ? Object.fromEntries(value.flatMap((part) => Object.entries(part))) : value;
}

const faceParameters = z
  .object(
    {
      angle: optionalWord('Direction of the head, as seen from the person.', angles, shortAngles),
      spoof_detection: optionalFlag('Looks for signs of a presentation attack.', true),
      eyes: optionalWord('State both eyes must have.', ['open', 'closed']),
      mouth: optionalWord('State the mouth must have.', ['open', 'closed']),
    },
    { error: message('parameterNeeded') },
  )
  .refine((given) => Object.values(given).some((value) => value !== undefined), {
    error: message('noneOfThem', { needed: phrase('parameterNeeded') }),
  })
  .meta({ minProperties: 1 });

const livenessRequest = z
  .object({
    ...identity,
    image: picture(`The picture: base64 of a ${aPicture}.`),
    trx_id: trx,
    face_parameters: z
      .preprocess(mergeParameters, faceParameters)
      .meta({ description: 'Conditions that the face must meet; at least one.' }),
  })
  .check(pairGiven);

const batchItem = z.object(
  {
    image: optionalPicture(`The picture: base64 of a ${aPicture}. If it is absent, only this entry fails.`),
    face_parameter: word('What this picture must show.', parameters, shortAngles),
    spoof_detection: flag('Looks for signs of a presentation attack.', true),
    face_verification: flag('Verifies the face against user_id, if that is given.', true),
  },
  { error: message('objectWithTwo', { one: 'image', other: 'face_parameter' }) },
);

/** A list of 1 to `max` objects; a longer one is refused before its entries are checked. */
export function shortList<Item extends z.ZodType>(item: Item, max: number) {
  const allowed = phrase('objectsUpTo', { most: max });
  return z.preprocess(
    (value: unknown, context: z.core.$RefinementCtx<unknown>) => {
      if (Array.isArray(value) && (value.length < 1 || value.length > max)) {
        context.addIssue({
          code: 'custom',
          message: message('foundAllowed', { found: phrase('aListOf', { count: value.length }), allowed }),
        });
      }
      return value === null ? undefined : value;
    },
    z.array(item, { error: JSON.stringify(allowed) }).meta({ minItems: 1, maxItems: max }),
  );
}

const batchLivenessRequest = z
  .object({
    ...identity,
    trx_id: trx,
    success_threshold: optionalCount('Number of pictures that must pass. Default: all.', 1, maxBatch),
    batch: shortList(batchItem, maxBatch).meta({
      description: 'The pictures, each with what it must show.',
    }),
  })
  .check(pairGiven)
  .check(({ value, issues }) => {
    const { success_threshold: wanted, batch } = value;
    if (wanted === undefined || wanted <= batch.length) return;
    const problem = message('batchSuccesses', { found: wanted, pictures: batch.length });
    issues.push({ code: 'custom', input: wanted, path: ['success_threshold'], message: problem });
  });

const asIfVerified = verified.default(false).meta({
  description: 'The similarity is at or above the threshold; false without user_id, and then without effect.',
});

/** What was not asked for has a fixed value and no effect: programs of the specification decode these fields. */
const livenessAnswer = envelope.extend({
  calibration,
  detail: unjudged,
  ...specified({
    liveness: outcome,
    confidence_level: fraction,
    verified: asIfVerified,
    match_status: z.object(
      specified({
        verified: asIfVerified,
        is_real: z.boolean().default(true).meta({ description: 'True also with spoof_detection false.' }),
        angle: z.boolean().optional(),
        eyes: z.boolean().optional(),
        mouth: z.boolean().optional(),
      }),
    ),
    results: attributes.extend(
      specified({
        similarity: similarity
          .default(0)
          .meta({ description: 'Calibrated similarity, 0 to 1; 0 without user_id.' }),
        is_spoof: z
          .boolean()
          .default(false)
          .meta({ description: `False also with spoof_detection false. ${veto}` }),
        spoof_score: fraction.default(0).meta({
          description: `Probability of a presentation attack; 0 with spoof_detection false. ${veto}`,
        }),
      }),
    ),
  }),
});

const batchEntry = attributes.extend({
  ...specified({ match: z.boolean(), verified: verified.optional() }),
  error: envelope
    .extend({ detail: z.string() })
    .optional()
    .meta({ description: 'Why this picture could not be judged.' }),
});

const batchLivenessAnswer = envelope.extend({
  calibration,
  detail: unjudged,
  ...specified({ liveness: outcome, results: z.record(z.string().regex(/^image[1-8]$/), batchEntry) }),
  reasons: z
    .array(z.string())
    .optional()
    .meta({ description: 'Why the batch failed as a whole; its pictures may have passed.' }),
});

/** Liveness of one picture and of a batch. */
export const livenessEndpoints = {
  verifyLiveness: endpoint({
    tag: 'liveness',
    methods: ['POST'],
    path: '/liveness-api/verify-face-liveness',
    access: 'recognise',
    repeatable: true,
    pictures: 1,
    hit: 'before',
    audits: 'liveness_judged',
    summary:
      'Looks for signs of a presentation attack in a picture, and checks that the face shows what was asked.',
    request: livenessRequest,
    answer: livenessAnswer,
    refusals: [
      'imageNull',
      'userIdNull',
      'galleryIdNull',
      'imageBase64',
      'imageType',
      'imageBroken',
      'faceNotDetected',
      'faceTooSmall',
      'userNotFound',
      'userSuspended',
      'galleryNotFound',
    ],
    example: {
      request: { image: exampleImage, face_parameters: { angle: 'face left', eyes: 'open' } },
      answer: {
        ...ok,
        liveness: 'passed',
        confidence_level: 0.95,
        verified: false,
        match_status: { verified: false, is_real: true, angle: true, eyes: true },
        results: {
          similarity: 0,
          masker: false,
          is_spoof: false,
          spoof_score: 0.03,
          spoof_verdict: 'bona_fide',
          roll: 1.2,
          pitch: -3.4,
          yaw: 24.5,
          left_eye: 'open',
          right_eye: 'open',
          left_eye_score: 0.99,
          right_eye_score: 0.99,
          mouth: 'closed',
          mouth_score: 0.97,
        },
      },
    },
  }),
  verifyLivenessBatch: endpoint({
    tag: 'liveness',
    methods: ['POST'],
    path: '/liveness-api/batch-verify-face-liveness',
    access: 'recognise',
    repeatable: true,
    pictures: maxBatch,
    hit: 'before',
    audits: 'liveness_judged',
    summary: 'Judges several pictures, each against what it must show.',
    request: batchLivenessRequest,
    answer: batchLivenessAnswer,
    refusals: [
      'userIdNull',
      'galleryIdNull',
      'userNotFound',
      'userSuspended',
      'galleryNotFound',
      'imageBroken',
    ],
    example: {
      request: {
        batch: [
          { image: exampleImage, face_parameter: 'face left' },
          { image: exampleImage, face_parameter: 'eyes closed', spoof_detection: false },
        ],
      },
      answer: {
        ...ok,
        liveness: 'passed',
        results: {
          image1: {
            match: true,
            verified: false,
            similarity: 0,
            masker: false,
            is_spoof: false,
            spoof_score: 0.03,
            spoof_verdict: 'bona_fide',
            roll: 1.2,
            pitch: -3.4,
            yaw: 24.5,
          },
          image2: {
            match: true,
            verified: false,
            similarity: 0,
            masker: false,
            left_eye: 'closed',
            right_eye: 'closed',
            left_eye_score: 0.98,
            right_eye_score: 0.97,
          },
        },
      },
    },
  }),
};
