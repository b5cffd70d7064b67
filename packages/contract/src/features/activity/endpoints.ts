import { z } from 'zod';
import { endpoint } from '../../endpoints/endpoint.ts';
import { before, envelope, nextBefore, ok, trx } from '../../endpoints/envelope.ts';
import {
  optionalCount,
  optionalIdentifier,
  optionalInstant,
  optionalName,
  optionalWord,
} from '../../fields.ts';
import { statuses } from '../../refusals/statuses.ts';
import { refusalPage } from './values.ts';

const moment = z.string().meta({ description: 'ISO 8601.' });

const activityRequest = z.object({
  from: optionalInstant(
    'Counts from the day, UTC, of this time on, ISO 8601. Default: six days before `to`.',
  ),
  to: optionalInstant('End of the time range, ISO 8601, exclusive. Default: now.'),
  route: optionalName('Only calls of the endpoint with this path. `routes` lists all.'),
  for_status: optionalIdentifier('Only calls that were answered with this status. `statuses` lists all.'),
  trx_id: trx,
});

const count = z.int();
const counted = { calls: count, errors: count };
const amounts = z.object({ n_api_hits: count, n_face: count, n_facegallery: count });

const activityAnswer = envelope.extend({
  from: moment,
  to: moment,
  days: z
    .array(z.object({ day: z.string().meta({ description: 'UTC, such as 2026-01-31.' }), ...counted }))
    .meta({ description: 'Days with calls, the oldest first.' }),
  statuses: z.array(z.object({ status: z.string(), status_message: z.string(), count })),
  routes: z.array(z.object({ route: z.string(), ...counted })),
  counters: amounts.meta({ description: 'Remaining; 2147483647 is unlimited.' }),
  limits: amounts.meta({ description: 'Quotas; 2147483647 is unlimited.' }),
});

/** A call that was refused, or whose face was not accepted. */
const refusal = z.object({
  time: z.string().meta({ description: 'ISO 8601.' }),
  route: z.string(),
  status: z.string(),
  status_message: z.string(),
  error: z.string().optional().meta({ description: 'The code of the refusal.' }),
  params: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'The values that its sentence contains, by name.' }),
  detail: z.string().optional(),
  trx_id: z.string(),
  user_id: z.string().optional(),
  facegallery_id: z.string().optional(),
  similarity: z.number().optional(),
  spoof_score: z.number().optional(),
});

const exampleRefusal = {
  time: '2026-01-31T08:12:44.120Z',
  route: '/face-api/facegallery/verify-face',
  status: statuses.faceNotDetected.status,
  status_message: statuses.faceNotDetected.message,
  error: 'faceNotDetected',
  params: { field: 'image', width: 640, height: 480 },
  detail:
    'image: no face was found in the picture of 640x480 px; send one that shows the face whole, upright and well lit',
  trx_id: 'door-17',
  user_id: '3174001',
  facegallery_id: 'office',
};

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

/** Field of an export of a person. */
export const activityExport = { refusals: z.array(refusal.omit({ user_id: true })) };
export const activityExportExample = { refusals: [] };

const listed = { tag: 'client', hit: 'never', methods: ['GET', 'POST'] } as const;
const noFace = { status: statuses.faceNotDetected.status, status_message: statuses.faceNotDetected.message };

/** The calls of a client: how many, and the latest that were refused. */
export const activityExtensions = {
  getActivity: endpoint({
    ...listed,
    path: '/face-api/client/get-activity',
    access: 'read',
    repeatable: true,
    audits: null,
    summary: "Number of the client's calls by day, status and endpoint, and its quotas.",
    request: activityRequest,
    answer: activityAnswer,
    example: {
      request: { from: '2026-01-30T00:00:00Z', to: '2026-02-01T00:00:00Z' },
      answer: {
        ...ok,
        from: '2026-01-30T00:00:00.000Z',
        to: '2026-02-01T00:00:00.000Z',
        days: [{ day: '2026-01-31', calls: 3, errors: 1 }],
        statuses: [
          { status: '200', status_message: 'Success', count: 2 },
          { ...noFace, count: 1 },
        ],
        routes: [{ route: '/face-api/facegallery/verify-face', calls: 3, errors: 1 }],
        counters: { n_api_hits: 999_958, n_face: 99_997, n_facegallery: 98 },
        limits: { n_api_hits: 1_000_000, n_face: 100_000, n_facegallery: 100 },
      },
    },
  }),
  listRefusals: endpoint({
    ...listed,
    path: '/face-api/client/list-refusals',
    access: 'read',
    repeatable: true,
    audits: null,
    summary:
      "Lists the client's latest 1,000 calls that were refused or whose face was not accepted, by page.",
    request: refusalsRequest,
    answer: refusalsAnswer,
    example: {
      request: { kind: 'refused', for_status: '412', limit: 1 },
      answer: { ...ok, refusals: [exampleRefusal], next_before: 4711 },
    },
  }),
};
