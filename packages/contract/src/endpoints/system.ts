import { z } from 'zod';
import { envelope, readyAnswer } from '../schemas/answers.ts';
import {
  clientTokenRequest,
  jwksAnswer,
  revokeRequest,
  tokenAnswer,
  tokenRequest,
} from '../schemas/oauth.ts';
import { endpoint } from './endpoint.ts';

const nothing = z.object({});
const open = { auth: 'none', hit: 'never', methods: ['GET'], request: nothing } as const;
const credentials = {
  tag: 'oauth',
  auth: 'credentials',
  hit: 'never',
  methods: ['POST'],
  refusals: ['malformed', 'unauthorized', 'tooManyRequests', 'serverError', 'busy'],
} as const;
const token = { access_token: 'eyJhbGciOiJFZERTQSJ9…', token_type: 'Bearer', expires_in: 86_400 };

/** Tokens, and what is open to everybody. */
export const systemEndpoints = {
  clientToken: endpoint({
    ...credentials,
    id: 'clientToken',
    path: '/oauth/client/token',
    summary: 'Issues an access token for client_id and password.',
    request: clientTokenRequest,
    answer: tokenAnswer,
    example: { request: { client_id: 'demo', password: 'secret' }, answer: token },
  }),
  token: endpoint({
    ...credentials,
    id: 'token',
    path: '/oauth/token',
    summary: 'Issues an access token as RFC 6749 says: grant_type client_credentials.',
    request: tokenRequest,
    answer: tokenAnswer,
    example: {
      request: { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'secret' },
      answer: token,
    },
  }),
  revokeToken: endpoint({
    ...credentials,
    id: 'revokeToken',
    path: '/oauth/token/revoke',
    summary: "Stops a token at once; with the token in the header and the client's credentials.",
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
    id: 'jwks',
    tag: 'oauth',
    path: '/.well-known/jwks.json',
    summary: 'The public keys that tokens are signed with.',
    answer: jwksAnswer,
    refusals: ['serverError'],
    example: { request: {}, answer: { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'k1', x: '11qYAY…' }] } },
  }),
  health: endpoint({
    ...open,
    id: 'health',
    tag: 'system',
    path: '/health',
    summary: 'Answers while the process lives.',
    answer: envelope,
    refusals: ['serverError'],
    example: { request: {}, answer: { status: '200', status_message: 'Success' } },
  }),
  ready: endpoint({
    ...open,
    id: 'ready',
    tag: 'system',
    path: '/ready',
    summary: 'Answers 200 when models are warm and the store is open, 503 otherwise.',
    answer: readyAnswer,
    refusals: ['busy', 'serverError'],
    example: {
      request: {},
      answer: { status: '200', status_message: 'Success', checks: { engine: true, store: true } },
    },
  }),
  openapi: endpoint({
    ...open,
    id: 'openapi',
    tag: 'system',
    path: '/openapi.json',
    summary: 'This document.',
    answer: z.looseObject({ openapi: z.string() }),
    refusals: ['serverError'],
    example: { request: {}, answer: { openapi: '3.1.0' } },
  }),
};
