import { z } from 'zod';
import type { CamelCased } from '../camel-case.ts';
import { name, optionalCount, optionalInstant, optionalName, optionalPicture, word } from '../fields.ts';
import { attributes, envelope, outcome, similarity, verified } from './answers.ts';
import { identity, pairGiven, parameters, shortAngles, shortList } from './liveness.ts';

/** Most frames in the submission of a session. */
export const maxFrames = 20;
/** How many things a person is asked to do between looking to the front first and last. */
export const sessionSteps = { least: 2, most: 5, byDefault: 3 } as const;

const trx = optionalName('Identifier of the transaction; made by the server when absent.');

export const createSessionRequest = z
  .object({
    ...identity,
    steps: optionalCount(
      `How many things the person is asked to do between looking to the front first and last. Default ${sessionSteps.byDefault}.`,
      sessionSteps.least,
      sessionSteps.most,
    ),
    trx_id: trx,
  })
  .check(pairGiven);

export const sessionAnswer = envelope.extend({
  session_id: z.string(),
  steps: z.array(z.enum(parameters)).meta({ description: 'What the person must do, in this order.' }),
  nonce: z.string().meta({ description: 'Comes back as the claim `nonce` of the liveness_token.' }),
  expires_at: z.string().meta({ description: 'Until when the frames must have come, ISO 8601.' }),
  expires_in: z.int().meta({ description: 'The same as seconds from this answer on: needs no clock.' }),
  front_angle: z.number().meta({
    description: 'Degrees of yaw and pitch below which a head faces the front, for who looks before sending.',
  }),
});

const frame = z.object(
  {
    step: word('The step that this frame was taken in.', parameters, shortAngles),
    image: optionalPicture('The picture: base64 of a JPEG or PNG.'),
    captured_at: optionalInstant('When it was taken, ISO 8601; frames must be in order of time.'),
  },
  { error: 'an object with step and image' },
);

export const submitSessionRequest = z.object({
  session_id: name('The session, as create-session answered it.'),
  frames: shortList(frame, maxFrames).meta({
    description: 'The frames in the order they were taken; several may belong to one step.',
  }),
  nonce: optionalName('The nonce of the session; when it is sent it must be the right one.'),
  trx_id: trx,
});

const stepResult = attributes.extend({
  step: z.enum(parameters),
  match: z.boolean().meta({ description: 'A frame of this step shows what was asked.' }),
  frame: z
    .int()
    .optional()
    .meta({ description: 'Index of the frame that is told of: the best of the step.' }),
  error: envelope
    .extend({ detail: z.string() })
    .optional()
    .meta({ description: 'Why no frame of this step could be judged.' }),
});

export const submitSessionAnswer = envelope.extend({
  liveness: outcome,
  verified: verified.optional(),
  similarity: similarity.optional(),
  reasons: z.array(z.string()).optional().meta({ description: 'Why the session was not passed.' }),
  results: z.array(stepResult).meta({ description: 'One entry for each step, in order.' }),
  liveness_token: z
    .string()
    .optional()
    .meta({ description: 'When passed: proves it once, to one later call about the same face.' }),
  expires_in: z.int().optional().meta({ description: 'Seconds that the liveness_token lives.' }),
});

export type CreateSessionRequest = CamelCased<z.output<typeof createSessionRequest>>;

export type SubmitSessionRequest = CamelCased<z.output<typeof submitSessionRequest>>;
