import { z } from 'zod';
import { flag, message, optionalName, optionalWord } from '../fields.ts';
import { passwordLength } from '../values.ts';
import { endpoint } from './endpoint.ts';
import { bareRequest, envelope, ok } from './envelope.ts';

/** Undefined when absent, null or empty; not trimmed, since passwords may have blanks. */
function secret(description: string, max = 1024) {
  return z
    .preprocess(
      (value) => (value === null || value === '' ? undefined : value),
      z
        .string({ error: message('text') })
        .max(max, { error: message('textUpTo', { most: max }) })
        .optional(),
    )
    .optional()
    .meta({ description });
}

const clientId = optionalName('Client identifier; may be sent as HTTP Basic instead.');

const credentialFields = {
  client_id: clientId,
  password: secret('Password of the client; may be sent as HTTP Basic instead.'),
  client_secret: secret('The standard name of `password`.'),
};

const scope = optionalName(
  'Further scopes, separated by blanks: `diagnostics`, and for an operator `operate`. Others are in every access token; unknown ones are ignored.',
);

const clientTokenRequest = z.object({
  ...credentialFields,
  sign_in_code: secret('Extension: the code of a sign-in link, in place of the password; it works once.', 64),
  scope,
});

const tokenRequest = z.object({
  grant_type: z
    .string({ error: message('word', { word: 'client_credentials' }) })
    .optional()
    .meta({ enum: ['client_credentials'], description: 'Required; the only grant supported.' }),
  ...credentialFields,
  scope,
});

const revokeRequest = z.object({
  ...credentialFields,
  // Tokens of other issuers may carry many claims; no header would be longer.
  token: secret('Token to revoke; the header Accesstoken has precedence.', 16_384),
  own: flag(
    'Extension: revokes the token of the header Accesstoken, which must be valid, without credentials.',
    false,
  ),
});

const { min, max } = passwordLength;
const changePasswordRequest = z.object({
  ...credentialFields,
  new_password: secret(`Required; ${min} to ${max} characters.`, 2 * max),
  revoke_api_tokens: flag('Revokes the API tokens of the client too.', false),
  scope,
});

/** The answer of RFC 6749, section 5.1. */
const tokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds.' }),
  scope: z.string().optional().meta({ description: 'Scopes that were granted beyond the usual ones.' }),
});

/** Public keys that tokens are signed with (RFC 7517). */
const jwksAnswer = z.object({
  keys: z.array(
    z.object({
      kty: z.string(),
      crv: z.string().optional(),
      x: z.string().optional(),
      kid: z.string().optional(),
      alg: z.string().optional(),
      use: z.string().optional(),
    }),
  ),
});

const bytes = z.int().meta({ description: 'Bytes.' });

const settingValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const setting = z.object({
  name: z.string(),
  group: z.string(),
  value: settingValue.meta({ description: 'Null: none, or the default of the model pack.' }),
  default: settingValue,
  unit: z.string().optional().meta({ description: 'Of a number, such as bytes, ms or days.' }),
  changed: z.boolean().meta({ description: 'Whether the value is not the default.' }),
});

const padPack = z.string().meta({
  description:
    'Installed pack whose networks detect presentation attacks; `none`: the score comes from weaker signals.',
});

const embedder = z.string().meta({
  description: 'Embedder that templates are computed with; templates of others cannot be compared.',
});

const finding = z.object({
  id: z.string().meta({ description: 'What was looked at.' }),
  severity: z.enum(['doubtful', 'bad']).meta({
    description: '`bad` prevents correct operation; `doubtful` needs the judgement of a person.',
  }),
  sentence: z.string(),
  remedy: z.string().meta({ description: 'What to do.' }),
});

const statusAnswer = envelope.extend({
  version: z.string(),
  started_at: z.string().meta({ description: 'ISO 8601.' }),
  uptime_seconds: z.int(),
  node: z.string(),
  engine: z.object({
    workers: z.int(),
    alive: z.int().meta({ description: 'Workers that have loaded their models.' }),
    restarts: z.int().meta({ description: 'Workers that ended and were replaced since the start.' }),
    running: z.int(),
    queued: z.int(),
    queue: z.int().meta({ description: 'Queue length.' }),
    busy: z.int().meta({ description: 'Calls refused with 503 since the start.' }),
  }),
  packs: z.array(
    z.object({
      id: z.string(),
      version: z.string(),
      roles: z.array(z.string()),
      in_use: z.boolean(),
      licence: z.string(),
    }),
  ),
  embedder,
  findings: z.array(finding).meta({ description: 'What is wrong with this installation.' }),
  pad: z.object({
    pack: padPack,
    notice: z.string().nullable().meta({ description: 'Why and how to install one; null: one is in use.' }),
    install: z.array(z.string()).meta({ description: 'Commands that install the recommended pack.' }),
  }),
  calibration: z.object({
    provisional: z.boolean().meta({ description: 'From published operating points, not measured.' }),
    notice: z.string().nullable().meta({ description: 'How to measure it; null: it was measured.' }),
  }),
  memory: z.object({
    rss: bytes,
    heap_used: bytes,
    match_budget: bytes,
    match_used: bytes,
    galleries_loaded: z.int(),
  }),
  store: z.object({
    kind: z.enum(['sqlite', 'postgres']),
    bytes: bytes.optional(),
    migration: z.int().meta({ description: 'Number of the newest schema migration.' }),
  }),
  settings: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .meta({ description: 'Main settings in force.' }),
  configuration: z.array(setting).meta({ description: 'Settings in force, without secrets and paths.' }),
  clients: z.int(),
});

const readyAnswer = envelope.extend({
  checks: z.record(z.string(), z.boolean()),
  workers: z
    .object({
      configured: z.int(),
      alive: z.int().meta({ description: 'Workers that have loaded their models.' }),
      restarts: z.int().meta({ description: 'Workers that ended and were replaced since the start.' }),
    })
    .optional()
    .meta({ description: 'Processes that analyse pictures.' }),
  embedder,
  pad: padPack,
  command: z.string().meta({
    description: 'How operators start the command line of this server, such as `docker exec faces wajah`.',
  }),
  notices: z
    .array(z.string())
    .optional()
    .meta({ description: 'What an operator should improve, such as a model pack to install.' }),
});

const nothing = z.object({});
const open = { access: 'none', hit: 'never', methods: ['GET'], request: nothing } as const;
const credentials = {
  tag: 'oauth',
  access: 'credentials',
  hit: 'never',
  refusals: ['malformed', 'unauthorized', 'tooManyRequests', 'serverError', 'busy'],
} as const;
const exampleToken = { access_token: 'eyJhbGciOiJFZERTQSJ9…', token_type: 'Bearer', expires_in: 86_400 };

/** Access tokens, and endpoints without authentication. */
export const systemEndpoints = {
  clientToken: endpoint({
    ...credentials,
    methods: ['POST'],
    path: '/oauth/client/token',
    repeatable: true,
    audits: null,
    summary: 'Issues an access token for client_id and password.',
    request: clientTokenRequest,
    answer: tokenAnswer,
    example: { request: { client_id: 'demo', password: 'secret' }, answer: exampleToken },
  }),
  token: endpoint({
    ...credentials,
    methods: ['POST'],
    path: '/oauth/token',
    repeatable: true,
    audits: null,
    summary: 'Issues an access token by the client credentials grant of RFC 6749.',
    request: tokenRequest,
    answer: tokenAnswer,
    example: {
      request: { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'secret' },
      answer: exampleToken,
    },
  }),
  revokeToken: endpoint({
    ...credentials,
    methods: ['POST'],
    path: '/oauth/token/revoke',
    destroys: true,
    repeatable: false,
    audits: 'token_revoked',
    summary:
      "Revokes a token at once; needs the token in the header and the client's credentials, or own: true.",
    request: revokeRequest,
    answer: envelope,
    message: 'Success Revoke Token',
    example: {
      request: { client_id: 'demo', password: 'secret' },
      answer: { status: '200', status_message: 'Success Revoke Token' },
    },
  }),
  jwks: endpoint({
    ...open,
    tag: 'oauth',
    path: '/.well-known/jwks.json',
    repeatable: true,
    audits: null,
    summary: 'Returns the public keys that verify tokens.',
    answer: jwksAnswer,
    refusals: ['serverError'],
    example: { request: {}, answer: { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'k1', x: '11qYAY…' }] } },
  }),
  health: endpoint({
    ...open,
    tag: 'system',
    path: '/health',
    repeatable: true,
    audits: null,
    summary: 'Answers 200 while the process runs.',
    answer: envelope,
    refusals: ['serverError'],
    example: { request: {}, answer: { status: '200', status_message: 'Success' } },
  }),
  ready: endpoint({
    ...open,
    tag: 'system',
    path: '/ready',
    repeatable: true,
    audits: null,
    summary:
      'Answers 200 when the models are loaded, the store is open and the start is done, 503 otherwise.',
    answer: readyAnswer,
    refusals: ['busy', 'serverError'],
    example: {
      request: {},
      answer: {
        status: '200',
        status_message: 'Success',
        checks: { store: true, models: true, audit: true, start: true },
        workers: { configured: 3, alive: 3, restarts: 0 },
        embedder: 'mobilefacenet-ms1m+mobilefacenet-foamliu',
        pad: 'pad',
        command: 'wajah',
      },
    },
  }),
  openapi: endpoint({
    ...open,
    tag: 'system',
    path: '/openapi.json',
    repeatable: true,
    audits: null,
    summary: 'Returns the OpenAPI document.',
    request: z.object({
      version: optionalWord(
        'Extension: of OpenAPI, 3.1 by default; 3.0 for generators that do not know it.',
        ['3.0', '3.1'],
      ),
    }),
    answer: z.object({ openapi: z.string() }),
    refusals: ['malformed', 'serverError'],
    example: { request: {}, answer: { openapi: '3.1.0' } },
  }),
};

/** The client's own password. */
export const passwordExtensions = {
  changePassword: endpoint({
    ...credentials,
    methods: ['POST'],
    path: '/oauth/client/password',
    repeatable: false,
    audits: 'password_changed',
    summary:
      'Replaces the password of the client, revokes its access tokens and issues one for the new password.',
    request: changePasswordRequest,
    answer: tokenAnswer,
    example: {
      request: { client_id: 'demo', password: 'secret', new_password: 'a-longer-secret' },
      answer: exampleToken,
    },
  }),
};

/** For operators. */
export const statusExtensions = {
  getStatus: endpoint({
    hit: 'never',
    tag: 'system',
    methods: ['GET', 'POST'],
    operator: { client: 'optional' },
    path: '/system-api/get-status',
    access: 'read',
    repeatable: true,
    audits: null,
    summary: 'State of the server; for clients marked as operators, 403 for others.',
    request: bareRequest,
    answer: statusAnswer,
    example: {
      request: {},
      answer: {
        ...ok,
        version: '0.1.0',
        started_at: '2026-01-31T00:00:00.000Z',
        uptime_seconds: 3600,
        node: '20.20.0',
        engine: { workers: 3, alive: 3, restarts: 0, running: 1, queued: 0, queue: 64, busy: 0 },
        packs: [
          { id: 'plus', version: '2', roles: ['second-embedder'], in_use: true, licence: 'Apache-2.0' },
        ],
        embedder: 'mobilefacenet-ms1m+mobilefacenet-foamliu',
        findings: [],
        pad: {
          pack: 'pad',
          notice: null,
          install: ['wajah models pull pad', 'wajah models pull pad --from <folder>'],
        },
        calibration: { provisional: false, notice: null },
        memory: {
          rss: 734_003_200,
          heap_used: 52_428_800,
          match_budget: 1_073_741_824,
          match_used: 734_003,
          galleries_loaded: 2,
        },
        store: { kind: 'sqlite', bytes: 4_194_304, migration: 6 },
        settings: { keep_face_crops: false, spoof_threshold: 0.4 },
        configuration: [
          {
            name: 'WAJAH_ENGINE_DEADLINE_MS',
            group: 'Engine',
            unit: 'ms',
            value: 20_000,
            default: 10_000,
            changed: true,
          },
        ],
        clients: 3,
      },
    },
  }),
};
