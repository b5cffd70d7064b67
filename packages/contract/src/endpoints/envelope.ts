import { z } from 'zod';
import { name, optionalCount, optionalIdentifier } from '../fields.ts';
import type { CamelCased } from '../parse.ts';
import { statuses } from '../refusals/statuses.ts';
import { specified } from './specified.ts';

export const fraction = z.number().min(0).max(1);
export const similarity = fraction.meta({ description: 'Calibrated similarity, 0 to 1.' });
export const masker = z.boolean().meta({ description: 'The face wears a mask.' });
export const threshold = fraction.meta({
  description: 'Extension: the threshold in force: of the call, else of the gallery, else of the server.',
});
export const verified = z.boolean().meta({ description: 'The similarity is at or above the threshold.' });

/** The envelope of every answer. */
export const envelope = z.object(
  specified({
    status: z.string().meta({ description: 'Status of the call, a row of the status table.' }),
    status_message: z.string(),
  }),
);

/** Of answers that compare faces. */
export const calibration = z.literal('provisional').optional().meta({
  description:
    'Extension: the similarities come from the published operating points of the model pack, not from a measurement; absent otherwise, and with WAJAH_COMPAT=risetai.',
});

const px = z.number();

/** Where a face is. */
export const box = z
  .object({ x: px, y: px, width: px, height: px })
  .meta({ description: 'Brow to chin, pixels of the upright picture; may reach beyond its edges.' });

/** The envelope of a refusal. */
export const refusalAnswer = envelope.extend({
  error: z.string().meta({
    description:
      'Extension: the code of the refusal, for programs; a status may have several. Where RFC 6749 defines `error`, the code is in `error_code`.',
  }),
  params: z.record(z.string(), z.unknown()).meta({
    description:
      'Extension: the values that the sentence of `detail` contains, by name. A value with `code` is a part of the sentence with values of its own.',
  }),
  detail: z.string().meta({ description: 'The field, the measured value, the limit, and what to do.' }),
  trx_id: z.string().meta({ description: 'Transaction identifier of the caller, else of the server.' }),
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
    .meta({ description: 'With status 414: each rule that failed.' }),
  faces: z.array(z.object({ box })).optional().meta({
    description: 'With status 414 and the rule `faces`: each face found, the most prominent first.',
  }),
});

/** What an erasure left in the audit trail. */
export const receipt = z
  .object({
    number: z.int().meta({ description: 'Number of the record.' }),
    hash: z.string().meta({ description: 'SHA-256 of the record, hexadecimal.' }),
    at: z.string().meta({ description: 'ISO 8601.' }),
  })
  .optional()
  .meta({
    description:
      'Extension: the record of the erasure in the audit trail; absent if it could not be written in time, and with WAJAH_COMPAT=risetai.',
  });

/** The verdict of a quality rule on a face. */
export const qualityVerdict = z.object({
  rule: z.string(),
  value: z.number(),
  limit: z.number(),
  ok: z.boolean(),
  unit: z.string(),
  reason: z
    .string()
    .optional()
    .meta({ description: 'If the rule is not met: what is wrong and what to do.' }),
});

const degrees = z.number();
const eye = z.enum(['open', 'closed', 'covered']);

/** What a verdict on one picture is worth; docs/liveness.md has the figures. */
export const veto = 'A picture alone is a veto, never a proof; a session checks more.';

/** The attributes of a face; those that were analysed are present. */
export const attributes = z.object({
  ...specified({
    similarity: similarity.optional(),
    masker: masker.optional(),
    is_spoof: z
      .boolean()
      .optional()
      .meta({ description: `Whether the face is judged a presentation attack. ${veto}` }),
    spoof_score: fraction.optional().meta({ description: `Probability of a presentation attack. ${veto}` }),
  }),
  spoof_verdict: z.enum(['bona_fide', 'attack', 'unclear']).optional().meta({
    description:
      'unclear: the picture is too dark, small, tightly cropped, blurred or noisy for a verdict, or no PAD pack is in use; is_spoof then follows WAJAH_UNCLEAR_SPOOF: by default false for such a picture, and true without a PAD pack. Absent with WAJAH_COMPAT=risetai.',
  }),
  ...specified({
    roll: degrees
      .optional()
      .meta({ description: "Degrees; positive tilts towards the person's left shoulder." }),
    pitch: degrees.optional().meta({ description: 'Degrees; positive looks up.' }),
    yaw: degrees.optional().meta({ description: "Degrees; positive turns to the person's left." }),
    left_eye: eye.optional(),
    right_eye: eye.optional(),
    left_eye_score: fraction.optional(),
    right_eye_score: fraction.optional(),
    mouth: z.enum(['open', 'closed', 'masked']).optional(),
    mouth_score: fraction.optional(),
  }),
});

export type Attributes = z.input<typeof attributes>;

/** Why no spoof check passes. */
export const unjudged = z.string().optional().meta({
  description:
    'Extension: present if a spoof check does not pass because no PAD pack is installed; names the pack and the command that installs it.',
});

export const outcome = z.enum(['passed', 'failed']);

/** The envelope of a success. */
export function success(message: string = statuses.success.message): z.output<typeof envelope> {
  return { status: statuses.success.status, status_message: message };
}

/** The fields of a request as services take them: checked, and named in camelCase. */
export type Fields<Schema extends z.ZodType> = CamelCased<z.output<Schema>>;

export const trx = optionalIdentifier(
  'Transaction identifier for logs; generated by the server when absent.',
);
export const gallery = name('Name of the gallery.');
export const user = name('Identifier of the user, unique within the gallery.');

export const bareRequest = z.object({ trx_id: trx });

/** Parts of examples. */
export const ok = { status: '200', status_message: 'Success' };
export const exampleReceipt = {
  number: 4712,
  hash: '9b74c9897bac770ffc029102a200c5de1e0c5e1d7a7f9e3a0b8c4d2f6e8a1b3c',
  at: '2026-01-31T08:12:45.007Z',
};
export const exampleImage = '/9j/4AAQSkZJRgABAQ…';

/** The fields by which a list, the newest first, is read page by page. */
export const before = optionalCount('`next_before` of the previous page.', 1, Number.MAX_SAFE_INTEGER);
export const nextBefore = z
  .int()
  .nullable()
  .meta({ description: '`before` of the next page; null: there is none.' });
