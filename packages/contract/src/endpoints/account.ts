import { z } from 'zod';
import { name, optionalCount, optionalName, optionalWord, optionalWords } from '../fields.ts';
import { defaultScopes, scopes } from '../values.ts';
import { endpoint } from './endpoint.ts';
import { bareRequest, envelope, exampleReceipt, ok, receipt, trx } from './envelope.ts';
import { galleriesAnswer, galleryAnswer } from './galleries.ts';
import { specified } from './specified.ts';

const countersAnswer = envelope.extend(
  specified({
    remaining_limit: z.object(
      specified({
        n_api_hits: z.int().meta({ description: 'Remaining API hits; 2147483647 is unlimited.' }),
        n_face: z.int().meta({ description: 'Faces that may still be enrolled.' }),
        n_facegallery: z.int().meta({ description: 'Galleries that may still be created.' }),
      }),
    ),
  }),
);

/** The client itself. */
export const clientEndpoints = {
  register: endpoint({
    tag: 'client',
    methods: ['POST'],
    path: '/face-api/client/register',
    access: 'manage',
    repeatable: false,
    audits: 'client_registered',
    summary:
      'Registers the client of the token and creates its first gallery; calling it again changes nothing.',
    hit: 'after',
    request: bareRequest,
    answer: galleryAnswer,
    example: { request: {}, answer: { ...ok, facegallery_id: 'demo@trial' } },
  }),
  deleteClient: endpoint({
    tag: 'client',
    methods: ['DELETE'],
    path: '/face-api/client/delete',
    access: 'manage',
    repeatable: false,
    audits: 'client_erased',
    summary:
      'Erases the galleries and faces of the client and the records of its calls. A client that registers again has the remaining calls that it had before.',
    hit: 'while left',
    request: bareRequest,
    answer: galleriesAnswer.extend({ receipt }),
    example: { request: {}, answer: { ...ok, facegallery_id: [], receipt: exampleReceipt } },
  }),
  getCounters: endpoint({
    tag: 'client',
    methods: ['GET', 'POST'],
    path: '/face-api/client/get-counters',
    access: 'read',
    repeatable: true,
    audits: null,
    summary: 'Returns the remaining quotas; the call itself is not counted.',
    hit: 'never',
    request: bareRequest,
    answer: countersAnswer,
    example: {
      request: { trx_id: 'a-1' },
      answer: { ...ok, remaining_limit: { n_api_hits: 999_958, n_face: 99_997, n_facegallery: 98 } },
    },
  }),
};

const comprefaceServices = ['recognition', 'detection', 'verification'] as const;
const moment = z.string().meta({ description: 'ISO 8601.' });
const scopeList = z.array(z.enum(scopes));

const createTokenRequest = z.object({
  name: name('Purpose of the token.'),
  scopes: optionalWords(
    `Scopes of the token, none that the caller lacks. Default: ${defaultScopes}.`,
    scopes,
    1,
  ),
  expires_in_days: optionalCount(
    'Days until the token expires; with facegallery_id, days after its last use. Default: never.',
    1,
    36_500,
  ),
  facegallery_id: optionalName(
    'Gallery that the token can identify faces in, with identify-face and nothing else: for a screen at a door.',
  ),
  trx_id: trx,
});

const expires = moment.nullable().meta({ description: 'ISO 8601; null for never.' });

const createTokenAnswer = envelope.extend({
  token: z.string().meta({ description: 'The token; only this answer contains it.' }),
  token_id: z.string(),
  name: z.string(),
  scopes: scopeList,
  expires_at: expires,
});

const listTokensAnswer = envelope.extend({
  tokens: z.array(
    z.object({
      token_id: z.string(),
      name: z.string(),
      scopes: scopeList,
      created_at: moment,
      expires_at: expires,
      last_used_at: moment.optional().meta({ description: 'ISO 8601, accurate to about a minute.' }),
      revoked_at: moment.optional(),
      compreface: z.enum(comprefaceServices).optional().meta({
        description: 'The service of CompreFace that the token is for, and for nothing else.',
      }),
      facegallery_id: z.string().optional().meta({
        description:
          'The gallery that the token identifies faces in, and nothing else; with `compreface`, that of its recognition service.',
      }),
    }),
  ),
});

const revokeTokenRequest = z.object({
  token_id: name('Identifier of the token, from create-token or list-tokens.'),
  trx_id: trx,
});

const tokenId = '019a9f3e-7a52-7c1e-b0b5-2d1f6f1f4c11';
const common = { tag: 'client', hit: 'never' } as const;

/** API tokens of a client. */
export const accountExtensions = {
  createApiToken: endpoint({
    ...common,
    methods: ['POST'],
    path: '/face-api/client/create-token',
    command: {
      usage: 'token create <client_id>',
      options: {
        name: 'name <name>',
        expires_in_days: 'days <n>',
        scopes: 'scopes <list>',
        compreface: 'compreface <service>',
        facegallery_id: 'gallery <name>',
      },
      defaults: { name: 'api' },
    },
    operator: {
      request: {
        compreface: optionalWord(
          "For CompreFace's clients: the service that it is for, and for nothing else.",
          comprefaceServices,
        ),
      },
    },
    access: 'manage',
    repeatable: false,
    audits: 'token_created',
    summary: 'Creates a long-lived API token; only this answer contains it.',
    request: createTokenRequest,
    answer: createTokenAnswer,
    refusals: ['galleryNotFound'],
    example: {
      request: { name: 'front door', scopes: ['recognise'], expires_in_days: 365 },
      answer: {
        ...ok,
        token: 'waj_R2Vl…',
        token_id: tokenId,
        name: 'front door',
        scopes: ['recognise'],
        expires_at: '2027-01-31T12:00:00.000Z',
      },
    },
  }),
  listApiTokens: endpoint({
    ...common,
    methods: ['GET', 'POST'],
    path: '/face-api/client/list-tokens',
    command: 'token list <client_id>',
    access: 'manage',
    repeatable: true,
    audits: null,
    summary: 'Lists the API tokens of the client, without their secrets.',
    request: bareRequest,
    answer: listTokensAnswer,
    example: {
      request: {},
      answer: {
        ...ok,
        tokens: [
          {
            token_id: tokenId,
            name: 'front door',
            scopes: ['recognise'],
            created_at: '2026-01-31T12:00:00.000Z',
            expires_at: null,
            last_used_at: '2026-01-31T12:05:00.000Z',
          },
        ],
      },
    },
  }),
  revokeApiToken: endpoint({
    ...common,
    methods: ['DELETE'],
    path: '/face-api/client/revoke-token',
    command: 'token revoke <token_id>',
    operator: { client: 'optional' },
    access: 'manage',
    repeatable: false,
    audits: 'token_revoked',
    summary: 'Revokes an API token of the client at once.',
    request: revokeTokenRequest,
    answer: envelope,
    refusals: ['tokenNotFound'],
    example: { request: { token_id: tokenId }, answer: ok },
  }),
};
