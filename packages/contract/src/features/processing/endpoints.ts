import { z } from 'zod';
import { endpoint } from '../../endpoints/endpoint.ts';
import { envelope, ok, trx } from '../../endpoints/envelope.ts';
import { optionalInstant } from '../../fields.ts';

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
