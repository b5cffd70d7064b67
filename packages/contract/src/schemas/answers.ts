import { z } from 'zod';
import { statuses } from '../errors.ts';

const fraction = z.number().min(0).max(1);
export const similarity = fraction.meta({ description: 'Calibrated similarity, 0 to 1.' });
const masker = z.boolean().meta({ description: 'The face wears a mask.' });
/** What `similarity` was held against. */
const threshold = fraction.meta({
  description:
    'Extension: the similarity that was needed: of the call, else of the gallery, else of the server.',
});
export const verified = z.boolean().meta({ description: 'The similarity is at or above the threshold.' });

/** The envelope of every answer. */
export const envelope = z.object({
  status: z.string().meta({ description: 'Condition of the call, a row of the status table.' }),
  status_message: z.string(),
});

/** The envelope of a refusal. */
export const refusalAnswer = envelope.extend({
  detail: z.string().meta({ description: 'The field, the measured value, the limit, and what to do.' }),
  trx_id: z.string().meta({ description: "The caller's transaction identifier, or the server's." }),
  rules: z
    .array(
      z.object({
        rule: z.string(),
        value: z.number(),
        limit: z.number(),
        unit: z.string(),
        reason: z.string(),
      }),
    )
    .optional()
    .meta({ description: 'With a face quality too low: each rule that failed.' }),
});

export const galleryAnswer = envelope.extend({ facegallery_id: z.string() });

export const galleriesAnswer = envelope.extend({ facegallery_id: z.array(z.string()) });

export const countersAnswer = envelope.extend({
  remaining_limit: z.object({
    n_api_hits: z.int().meta({ description: 'Remaining API hits; 2147483647 is unlimited.' }),
    n_face: z.int().meta({ description: 'Faces that may still be enrolled.' }),
    n_facegallery: z.int().meta({ description: 'Galleries that may still be created.' }),
  }),
});

export const cardAnswer = envelope.extend({ masker, similarity });

/** A KTP enrolment below the minimum. */
export const cardMiss = refusalAnswer.extend({ masker, similarity });

export const listFacesAnswer = envelope.extend({
  faces: z.array(z.object({ user_id: z.string(), user_name: z.string() })),
  next_cursor: z.string().optional().meta({ description: 'Extension: there when a limit cut the list.' }),
});

export const verifyAnswer = envelope.extend({
  user_name: z.string(),
  similarity,
  masker,
  verified,
  threshold,
});

const identified = z.array(
  z.object({ confidence_level: fraction, mask: z.boolean(), user_id: z.string(), user_name: z.string() }),
);

export const identifyAnswer = envelope.extend({ status_description: z.string(), return: identified });

/** Nobody was found. */
export const identifyMiss = refusalAnswer.extend({ status_description: z.string(), return: identified });

export const compareAnswer = envelope.extend({ similarity, verified, masker, threshold });

const degrees = z.number();
const eye = z.enum(['open', 'closed']);

/** What a picture showed; a field is there when it was evaluated. */
export const attributes = z.object({
  similarity: similarity.optional(),
  masker: masker.optional(),
  is_spoof: z.boolean().optional(),
  spoof_score: fraction.optional().meta({ description: 'Probability of a spoof.' }),
  roll: degrees.optional().meta({ description: 'Degrees; above 0 tilts towards the own left shoulder.' }),
  pitch: degrees.optional().meta({ description: 'Degrees; above 0 looks up.' }),
  yaw: degrees.optional().meta({ description: 'Degrees; above 0 turns to the own left.' }),
  left_eye: eye.optional(),
  right_eye: eye.optional(),
  left_eye_score: fraction.optional(),
  right_eye_score: fraction.optional(),
  mouth: z.enum(['open', 'closed', 'masked']).optional(),
  mouth_score: fraction.optional(),
});

/** What a picture showed, in the names of the wire. */
export type Attributes = z.input<typeof attributes>;

export const outcome = z.enum(['passed', 'failed']);

export const livenessAnswer = envelope.extend({
  liveness: outcome,
  confidence_level: fraction,
  verified: verified.optional(),
  match_status: z.object({
    verified: verified.optional(),
    is_real: z.boolean().optional(),
    angle: z.boolean().optional(),
    eyes: z.boolean().optional(),
    mouth: z.boolean().optional(),
  }),
  results: attributes,
});

const batchEntry = attributes.extend({
  match: z.boolean(),
  verified: verified.optional(),
  error: envelope
    .extend({ detail: z.string() })
    .optional()
    .meta({ description: 'Why this picture could not be judged.' }),
});

export const batchLivenessAnswer = envelope.extend({
  liveness: outcome,
  reasons: z
    .array(z.string())
    .optional()
    .meta({ description: 'Why the batch as a whole failed although its pictures may not have.' }),
  results: z.record(z.string().regex(/^image[1-8]$/), batchEntry),
});

export const readyAnswer = envelope.extend({ checks: z.record(z.string(), z.boolean()) });

/** Status of the success row, the first fields of every good answer. */
export function success(message: string = statuses.success.message): z.output<typeof envelope> {
  return { status: statuses.success.status, status_message: message };
}
