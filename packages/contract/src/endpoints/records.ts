import { z } from 'zod';
import { optionalCount, optionalIdentifier, optionalInstant, optionalName, optionalWord } from '../fields.ts';
import { statuses } from '../refusals/statuses.ts';
import { endpoint } from './endpoint.ts';
import { envelope, type Fields, ok, trx } from './envelope.ts';

/** The fields by which a list, the newest first, is read page by page. */
const before = optionalCount('`next_before` of the previous page.', 1, Number.MAX_SAFE_INTEGER);
const nextBefore = z
  .int()
  .nullable()
  .meta({ description: '`before` of the next page; null: there is none.' });

const auditRequest = z.object({
  since: optionalInstant('Oldest time, ISO 8601. Default: none.'),
  client_id: optionalName('Only records of this client.'),
  event: optionalName('Only records of this event, such as face_enrolled.'),
  limit: optionalCount('Most records in the answer. Default 100.', 1, 1000),
  before,
  trx_id: trx,
});

const record = z.object({
  number: z
    .int()
    .nullable()
    .meta({ description: 'Number in the chain; null: written by a version without one.' }),
  time: z.string().meta({ description: 'ISO 8601.' }),
  event: z.string(),
  client_id: z.string().nullable().meta({ description: 'Null: none, or erased.' }),
  trx_id: z.string().nullable(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  hash: z.string().nullable().meta({ description: 'SHA-256, hexadecimal; as in a receipt.' }),
});

const auditAnswer = envelope.extend({
  records: z.array(record).meta({ description: 'The newest first.' }),
  next_before: nextBefore,
});

export type AuditRequest = Fields<typeof auditRequest>;

/** For operators. */
export const auditExtensions = {
  getAudit: endpoint({
    hit: 'never',
    tag: 'system',
    methods: ['GET', 'POST'],
    operator: { client: 'optional' },
    path: '/system-api/get-audit',
    command: {
      usage: 'audit list',
      options: {
        since: 'since <time>',
        client_id: 'client <client_id>',
        event: 'event <event>',
        limit: 'limit <n>',
      },
    },
    access: 'read',
    repeatable: true,
    audits: null,
    summary: 'Lists the audit trail of the server; for clients marked as operators, 403 for others.',
    request: auditRequest,
    answer: auditAnswer,
    example: {
      request: { event: 'face_enrolled', limit: 1 },
      answer: {
        ...ok,
        records: [
          {
            number: 4711,
            time: '2026-01-31T08:12:44.120Z',
            event: 'face_enrolled',
            client_id: 'demo',
            trx_id: 'door-17',
            facts: { facegallery_id: 'office', way: 'image', replaced: false, forced: false, found: 1 },
            hash: '5f0c6a0d0e6c4d3f3a5f5f3b9f1d6b6f0b8a7c2d9e4f1a3b5c7d9e0f1a2b3c4d',
          },
        ],
        next_before: 4711,
      },
    },
  }),
};

const processingRequest = z.object({
  from: optionalInstant('Beginning of the counts, ISO 8601. Default: a year ago.'),
  to: optionalInstant('End of the counts, ISO 8601, exclusive. Default: now.'),
  trx_id: trx,
});

const counts = z
  .array(
    z.object({
      month: z.string().meta({ description: 'UTC, such as 2026-01.' }),
      event: z.string().meta({ description: 'Event of the audit trail.' }),
      count: z.int(),
    }),
  )
  .meta({ description: 'By month and event.' });

/** The processing of one client: what Art. 30 GDPR and Art. 31 of UU 27/2022 ask for, as far as Wajah knows it. */
const processing = {
  client_id: z.string(),
  galleries: z.array(
    z.object({
      facegallery_id: z.string(),
      people: z.int(),
      purposes: z
        .array(z.object({ purpose: z.string().nullable(), people: z.int() }))
        .meta({ description: 'Purposes of the stored consents; null: a consent without a purpose.' }),
      without_consent: z.int().meta({ description: 'People of whom no consent is stored.' }),
      require_consent: z.boolean(),
      retention_days: z.int().nullable(),
      counts,
    }),
  ),
  other_counts: counts.meta({ description: 'Events of no gallery, or of several.' }),
  recipients: z
    .array(
      z.object({
        name: z.string(),
        scopes: z.array(z.string()),
        created_at: z.string(),
        last_used_at: z.string().nullable(),
      }),
    )
    .meta({ description: 'API tokens that are valid: the programs that may receive personal data.' }),
  categories: z
    .array(
      z.object({
        data: z.string(),
        of: z.string().meta({ description: 'Whose data.' }),
        kept: z.boolean().meta({ description: 'Whether the server keeps it, by its settings.' }),
        erased: z.string().meta({ description: 'When it is erased at the latest.' }),
      }),
    )
    .meta({ description: 'Categories of personal data.' }),
};

const processingAnswer = envelope.extend({ from: z.string(), to: z.string(), ...processing });

export type ProcessingRequest = Fields<typeof processingRequest>;

/** Records of processing. */
export const processingExtensions = {
  getProcessingRecords: endpoint({
    hit: 'never',
    tag: 'client',
    methods: ['GET', 'POST'],
    path: '/face-api/client/records-of-processing',
    command: {
      usage: 'records-of-processing',
      about: 'What is processed, of whom, for how long (Art. 30 GDPR, Art. 31 UU 27/2022).',
      options: { client_id: 'client <client_id>', from: 'since <time>', to: 'until <time>' },
      each: 'client',
    },
    access: 'read',
    repeatable: true,
    audits: null,
    summary:
      "The client's records of processing: purposes, categories of data, recipients, retention, and counts of the audit trail by month.",
    request: processingRequest,
    answer: processingAnswer,
    example: {
      request: {},
      answer: {
        ...ok,
        from: '2025-03-02T10:00:00.000Z',
        to: '2026-03-02T10:00:00.000Z',
        client_id: 'demo',
        galleries: [
          {
            facegallery_id: 'office',
            people: 120,
            purposes: [{ purpose: 'entry to the office', people: 118 }],
            without_consent: 2,
            require_consent: true,
            retention_days: 365,
            counts: [{ month: '2026-01', event: 'face_verified', count: 4210 }],
          },
        ],
        other_counts: [],
        recipients: [
          { name: 'door', scopes: ['recognise'], created_at: '2026-01-02T08:00:00.000Z', last_used_at: null },
        ],
        categories: [
          { data: 'face templates', of: 'enrolled people', kept: true, erased: 'with the person' },
        ],
      },
    },
  }),
};

/** A call that was refused, or whose face was not accepted. */
export const refusal = z.object({
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

export const exampleRefusal = {
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
