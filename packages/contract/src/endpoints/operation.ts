import { z } from 'zod';
import { name, optionalCount, optionalFlag, optionalName } from '../fields.ts';
import { endpoint } from './endpoint.ts';
import { envelope, exampleReceipt, type Fields, ok, receipt, trx } from './envelope.ts';

/** Clients of one answer of `list-clients`. */
export const clientPage = { most: 1000, byDefault: 200 } as const;

const client = name('The client.');
const quotaFields = (absent: string) => {
  const field = (what: string) =>
    optionalCount(`${what}; -1: unlimited. Default: ${absent}.`, -1, 2_147_483_647);
  return {
    n_api_hits: field('Most calls'),
    n_face: field('Most enrolled faces'),
    n_facegallery: field('Most galleries'),
  };
};

const quotaOptions = { n_face: 'faces <n>', n_facegallery: 'galleries <n>', n_api_hits: 'hits <n>' };
const newPassword = z.string().optional();

const listRequest = z.object({
  after: optionalName('`next_after` of the previous page.'),
  limit: optionalCount(`Most clients in the answer. Default ${clientPage.byDefault}.`, 1, clientPage.most),
  trx_id: trx,
});
const createRequest = z.object({
  client_id: name('1 to 114 letters, digits or . _ @ -'),
  ...quotaFields('of the server'),
  trx_id: trx,
});
const quotaRequest = z.object({ client_id: client, ...quotaFields('unchanged'), trx_id: trx });
const clientRequest = z.object({ client_id: client, trx_id: trx });

const amounts = z.object({ n_api_hits: z.int(), n_face: z.int(), n_facegallery: z.int() });
const listAnswer = envelope.extend({
  clients: z
    .array(
      z.object({
        client_id: z.string(),
        created_at: z.string().meta({ description: 'ISO 8601.' }),
        registered: z.boolean(),
        operator: z.boolean(),
        has_password: z.boolean().meta({ description: 'False: its tokens are of another issuer.' }),
        limits: amounts.meta({ description: 'Quotas; 2147483647 is unlimited.' }),
        used: amounts.meta({ description: 'Counts alone: nothing of galleries or people.' }),
      }),
    )
    .meta({ description: 'In the order of client_id.' }),
  next_after: z.string().nullable().meta({ description: '`after` of the next page; null: there is none.' }),
});
const secretAnswer = envelope.extend({
  client_id: z.string(),
  password: z.string().meta({ description: 'A random one; only this answer contains it.' }),
});
const erasedAnswer = envelope.extend({ n_facegallery: z.int(), n_face: z.int(), receipt });

export type ClientRequest = Fields<typeof clientRequest>;

const common = { tag: 'system', hit: 'never', access: 'operate' } as const;
const client_id = 'door-7';
const password = 'vG3r…';

/** Clients, for operators: what the commands `wajah client …` do. */
export const operationExtensions = {
  listClients: endpoint({
    ...common,
    methods: ['GET', 'POST'],
    path: '/system-api/list-clients',
    command: { usage: 'client list', options: {}, follow: 'after' },
    repeatable: true,
    audits: null,
    summary: 'Lists the clients; for operators.',
    request: listRequest,
    answer: listAnswer,
    example: {
      request: {},
      answer: {
        ...ok,
        clients: [
          {
            client_id,
            created_at: '2026-01-31T12:00:00.000Z',
            registered: true,
            operator: false,
            has_password: true,
            limits: { n_api_hits: 1_000_000, n_face: 100_000, n_facegallery: 100 },
            used: { n_api_hits: 42, n_face: 3, n_facegallery: 2 },
          },
        ],
        next_after: null,
      },
    },
  }),
  createClient: endpoint({
    ...common,
    methods: ['POST'],
    path: '/system-api/create-client',
    command: {
      usage: 'client create <client_id>',
      options: { password: 'password <password>', operator: 'operator', ...quotaOptions },
    },
    operator: {
      request: {
        password: newPassword.meta({
          description: 'The password, or - to read one line from the standard input. Default: a random one.',
        }),
        operator: optionalFlag('Allows the client to read the status and the audit trail of the server.'),
      },
      answer: { access_token: z.string(), expires_in: z.int() },
    },
    repeatable: false,
    audits: 'administered',
    summary: 'Creates a client with its first gallery.',
    request: createRequest,
    answer: secretAnswer,
    refusals: ['clientExists'],
    example: { request: { client_id }, answer: { ...ok, client_id, password } },
  }),
  setClientQuota: endpoint({
    ...common,
    methods: ['POST'],
    path: '/system-api/set-client-quota',
    command: { usage: 'client set-quota <client_id>', options: quotaOptions },
    repeatable: false,
    audits: 'administered',
    summary: 'Changes quotas of a client.',
    request: quotaRequest,
    answer: envelope,
    refusals: ['clientNotFound'],
    example: { request: { client_id, n_face: 5000 }, answer: ok },
  }),
  resetClientPassword: endpoint({
    ...common,
    methods: ['POST'],
    path: '/system-api/reset-client-password',
    destroys: true,
    command: {
      usage: 'client reset-password <client_id>',
      about: 'Replaces the password of a client, and revokes its tokens; prints the new password, once.',
      options: { password: 'password-file <file>', keep_tokens: 'keep-tokens' },
    },
    operator: {
      request: {
        password: newPassword.meta({
          description:
            'The password is the first line of this file, or of the standard input where it is -. Default: a random one.',
        }),
        keep_tokens: optionalFlag('Tokens of the client stay valid.'),
      },
    },
    repeatable: false,
    audits: 'administered',
    summary: 'Replaces the password of a client, and revokes its tokens; 403 for an operator.',
    request: clientRequest,
    answer: secretAnswer,
    refusals: ['clientNotFound'],
    example: { request: { client_id }, answer: { ...ok, client_id, password } },
  }),
  eraseClient: endpoint({
    ...common,
    methods: ['DELETE'],
    path: '/system-api/erase-client',
    command: {
      usage: 'client delete <client_id>',
      about: 'Erases a client with its galleries, faces and tokens.',
      confirm: {
        question: 'Erase the client {client_id} with all its galleries and faces? This cannot be undone.',
      },
    },
    repeatable: false,
    audits: 'administered',
    summary: 'Erases a client with its galleries; 403 for an operator.',
    request: clientRequest,
    answer: erasedAnswer,
    refusals: ['clientNotFound'],
    example: {
      request: { client_id },
      answer: { ...ok, n_facegallery: 2, n_face: 3, receipt: exampleReceipt },
    },
  }),
};
