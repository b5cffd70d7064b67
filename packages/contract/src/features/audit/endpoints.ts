import { z } from 'zod';
import { endpoint } from '../../endpoints/endpoint.ts';
import { before, envelope, nextBefore, ok, trx } from '../../endpoints/envelope.ts';
import { optionalCount, optionalInstant, optionalName } from '../../fields.ts';

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
