import { z } from 'zod';
import { statuses } from '../../errors.ts';
import {
  optionalCount,
  optionalIdentifier,
  optionalInstant,
  optionalName,
  optionalWord,
} from '../../fields.ts';
import { endpoint } from '../endpoint.ts';
import { envelope, type Fields, ok, trx } from '../envelope.ts';
import { before, nextBefore } from './paging.ts';

/** A call that was refused, or whose face was not accepted. */
export const refusal = z.object({
  time: z.string().meta({ description: 'ISO 8601.' }),
  route: z.string(),
  status: z.string(),
  status_message: z.string(),
  detail: z.string().optional(),
  trx_id: z.string(),
  user_id: z.string().optional(),
  facegallery_id: z.string().optional(),
  similarity: z.number().optional(),
  spoof_score: z.number().optional(),
});

export const exampleRefusal = {
  time: '2026-01-31T08:12:44.120Z',
  route: '/face-api/facegallery/verify-face',
  status: statuses.faceNotDetected.status,
  status_message: statuses.faceNotDetected.message,
  detail: 'image: no face was found in the picture of 640x480 px',
  trx_id: 'door-17',
  user_id: '3174001',
  facegallery_id: 'office',
};

/** Refused calls in an answer of `list-refusals`. */
export const refusalPage = { most: 200, byDefault: 50 } as const;

const refusalsRequest = z.object({
  kind: optionalWord(
    'refused: calls that were answered with an error; rejected: calls that were answered, and whose face was not accepted. Default: both.',
    ['refused', 'rejected'],
  ),
  from: optionalInstant('Oldest time, ISO 8601. Default: none.'),
  to: optionalInstant('Newest time, ISO 8601, exclusive. Default: none.'),
  for_status: optionalIdentifier('Only calls that were answered with this status.'),
  route: optionalName('Only calls of the endpoint with this path.'),
  user_id: optionalIdentifier('Only calls that named this user.'),
  facegallery_id: optionalName('Only calls that named this gallery.'),
  limit: optionalCount(`Most calls in the answer. Default ${refusalPage.byDefault}.`, 1, refusalPage.most),
  before,
  trx_id: trx,
});

const refusalsAnswer = envelope.extend({
  refusals: z.array(refusal).meta({ description: 'The newest first.' }),
  next_before: nextBefore,
});

export type RefusalsRequest = Fields<typeof refusalsRequest>;

/** The latest refused calls of a client. */
export const refusalExtensions = {
  listRefusals: endpoint({
    hit: 'never',
    tag: 'client',
    methods: ['GET', 'POST'],
    path: '/face-api/client/list-refusals',
    scope: 'read',
    repeatable: true,
    pictures: 0,
    summary:
      "Extension: lists the client's latest 1,000 calls that were refused or whose face was not accepted, by page.",
    request: refusalsRequest,
    answer: refusalsAnswer,
    example: {
      request: { kind: 'refused', for_status: '412', limit: 1 },
      answer: { ...ok, refusals: [exampleRefusal], next_before: 4711 },
    },
  }),
};
