import { z } from 'zod';
import { endpoint } from '../../endpoints/endpoint.ts';
import { envelope, gallery, ok, trx } from '../../endpoints/envelope.ts';
import { message, name, optionalFlag, optionalWord } from '../../fields.ts';
import { idTokenAlgorithms, mostRedirects } from './values.ts';

const client = name('The client.');
const redirectError = message('listOfNames', { most: mostRedirects });
/** Also as a text with commas, as commands send it. */
const redirects = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.split(',') : value),
    z
      .array(name('Address.', 2000), { error: redirectError })
      .min(1, { error: redirectError })
      .max(mostRedirects, {
        error: redirectError,
      }),
  )
  .meta({
    description: 'Addresses that people are led back to, compared as texts: https, or http on localhost.',
  });

const options = {
  public: optionalFlag('It keeps no secret, as a program on a phone: PKCE protects its codes.', false),
  identify: optionalFlag(
    'Without login_hint the person before the camera is identified in the gallery.',
    false,
  ),
  id_token_alg: optionalWord(
    'Algorithm that its ID tokens are signed with. Default RS256.',
    idTokenAlgorithms,
  ),
};

const createRequest = z.object({
  client_id: client,
  facegallery_id: gallery,
  redirect_uris: redirects,
  ...options,
  trx_id: trx,
});
const listRequest = z.object({ client_id: client, trx_id: trx });
const rotateRequest = z.object({
  at_once: optionalFlag(
    'The new keys sign now, and the former ones are erased: no app takes their ID tokens any longer.',
    false,
  ),
  trx_id: trx,
});
const deleteRequest = z.object({ app_id: name('The app, from list-openid-apps.'), trx_id: trx });

const app = z.object({
  app_id: z.string().meta({ description: 'Its client_id in OpenID Connect.' }),
  facegallery_id: z.string(),
  redirect_uris: z.array(z.string()),
  public: z.boolean(),
  identify: z.boolean(),
  id_token_alg: z.enum(idTokenAlgorithms),
  created_at: z.string().meta({ description: 'ISO 8601.' }),
});
const issuer = z
  .string()
  .nullable()
  .meta({ description: 'What apps are configured with; null: WAJAH_OPENID is off.' });
const createAnswer = envelope.extend({
  app_id: z.string(),
  app_secret: z.string().nullable().meta({
    description: 'Its client_secret in OpenID Connect; only this answer contains it. Null: it is public.',
  }),
  issuer,
});

const rotateAnswer = envelope.extend({
  signs_from: z.string().meta({ description: 'When the new keys begin to sign, ISO 8601.' }),
  former_until: z
    .string()
    .meta({ description: 'When the former keys are erased, with the last ID token they signed expired.' }),
});

const common = { tag: 'system', hit: 'never', access: 'operate' } as const;
const app_id = 'app_019a9f3e-7a52-7c1e-b0b5-2d1f6f1f4c11';
const registered = {
  facegallery_id: 'shop@trial',
  redirect_uris: ['https://app.example/callback'],
};

/** Apps that sign people in with their faces, for operators. */
export const openidExtensions = {
  createOpenidApp: endpoint({
    ...common,
    methods: ['POST'],
    path: '/system-api/create-openid-app',
    command: {
      usage: 'openid create <client_id> <facegallery_id> <redirect_uris>',
      options: { public: 'public', identify: 'identify', id_token_alg: 'id-token-alg <name>' },
    },
    repeatable: false,
    audits: 'administered',
    summary: 'Registers an app that signs the people of a gallery in; only this answer contains its secret.',
    request: createRequest,
    answer: createAnswer,
    refusals: ['clientNotFound', 'galleryNotFound'],
    example: {
      request: { client_id: 'shop', ...registered },
      answer: { ...ok, app_id, app_secret: 'R2Vl…', issuer: 'https://faces.example' },
    },
  }),
  listOpenidApps: endpoint({
    ...common,
    methods: ['GET', 'POST'],
    path: '/system-api/list-openid-apps',
    command: 'openid list <client_id>',
    repeatable: true,
    audits: null,
    summary: 'Lists the apps that sign people of a client in, without their secrets.',
    request: listRequest,
    answer: envelope.extend({ apps: z.array(app), issuer }),
    refusals: ['clientNotFound'],
    example: {
      request: { client_id: 'shop' },
      answer: {
        ...ok,
        apps: [
          {
            app_id,
            ...registered,
            public: false,
            identify: false,
            id_token_alg: 'RS256',
            created_at: '2026-01-31T12:00:00.000Z',
          },
        ],
        issuer: 'https://faces.example',
      },
    },
  }),
  deleteOpenidApp: endpoint({
    ...common,
    methods: ['DELETE', 'POST'],
    path: '/system-api/delete-openid-app',
    command: 'openid delete <app_id>',
    repeatable: false,
    audits: 'administered',
    summary: 'Deletes an app that signs people in, with its codes and tokens.',
    request: deleteRequest,
    answer: envelope,
    example: { request: { app_id }, answer: ok },
  }),
  rotateOpenidKeys: endpoint({
    ...common,
    methods: ['POST'],
    path: '/system-api/rotate-openid-keys',
    command: { usage: 'openid rotate-keys', options: { at_once: 'at-once' } },
    repeatable: false,
    audits: 'administered',
    summary: 'Replaces the keys that sign ID tokens: the new ones are published now, and sign in an hour.',
    request: rotateRequest,
    answer: rotateAnswer,
    example: {
      request: {},
      answer: { ...ok, signs_from: '2026-01-31T13:00:00.000Z', former_until: '2026-01-31T14:05:00.000Z' },
    },
  }),
};
