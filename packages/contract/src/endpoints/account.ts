import { statuses } from '../errors.ts';
import {
  activityAnswer,
  activityRequest,
  createTokenAnswer,
  createTokenRequest,
  listTokensAnswer,
  revokeTokenRequest,
} from '../schemas/account.ts';
import { envelope } from '../schemas/answers.ts';
import { bareRequest } from '../schemas/requests.ts';
import { statusAnswer } from '../schemas/status.ts';
import { endpoint } from './endpoint.ts';

const ok = { status: '200', status_message: 'Success' };
const noFace = { status: statuses.faceNotDetected.status, status_message: statuses.faceNotDetected.message };
const tokenId = '019a9f3e-7a52-7c1e-b0b5-2d1f6f1f4c11';
const common = { tag: 'client', auth: 'token', hit: 'never' } as const;
const none = Array.from({ length: 20 }, () => 0);
const some = none.map((_, bin) => (bin === 18 ? 2 : 0));

/** What a client sees and does of its own account, and the operator of the server. */
export const accountEndpoints = {
  createApiToken: endpoint({
    ...common,
    id: 'createApiToken',
    methods: ['POST'],
    path: '/face-api/client/create-token',
    summary: 'Extension: makes a long-lived API token; it is shown only in this answer.',
    request: createTokenRequest,
    answer: createTokenAnswer,
    refusals: [],
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
    id: 'listApiTokens',
    methods: ['GET', 'POST'],
    path: '/face-api/client/list-tokens',
    summary: 'Extension: lists the API tokens of the client, without their secrets.',
    request: bareRequest,
    answer: listTokensAnswer,
    refusals: [],
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
    id: 'revokeApiToken',
    methods: ['DELETE'],
    path: '/face-api/client/revoke-token',
    summary: 'Extension: stops an API token of the client at once.',
    request: revokeTokenRequest,
    answer: envelope,
    refusals: ['tokenNotFound'],
    example: { request: { token_id: tokenId }, answer: ok },
  }),
  getActivity: endpoint({
    ...common,
    id: 'getActivity',
    methods: ['GET', 'POST'],
    path: '/face-api/client/get-activity',
    summary: 'Extension: what the client called, how it went and how long it took.',
    request: activityRequest,
    answer: activityAnswer,
    refusals: [],
    example: {
      request: { buckets: 2 },
      answer: {
        ...ok,
        from: '2026-01-31T00:00:00.000Z',
        to: '2026-02-01T00:00:00.000Z',
        bucket_seconds: 43_200,
        series: {
          time: ['2026-01-31T00:00:00.000Z', '2026-01-31T12:00:00.000Z'],
          calls: [3, 0],
          errors: [1, 0],
          latency_p50: [182, null],
          latency_p95: [231, null],
          latency_p99: [231, null],
        },
        statuses: [
          { status: '200', status_message: 'Success', count: 2 },
          { ...noFace, count: 1 },
        ],
        routes: [
          {
            route: '/face-api/facegallery/verify-face',
            calls: 3,
            errors: 1,
            latency_p50: 182,
            latency_p95: 231,
          },
        ],
        similarity: {
          bins: some,
          groups: [{ route: '/face-api/facegallery/verify-face', accepted: true, bins: some }],
        },
        spoof: { bins: none, groups: [] },
        refusals: [
          {
            time: '2026-01-31T08:12:44.120Z',
            route: '/face-api/facegallery/verify-face',
            ...noFace,
            detail: 'image: no face was found in the picture of 640x480 px',
            trx_id: 'door-17',
            user_id: '3174001',
            facegallery_id: 'office',
          },
        ],
        counters: { n_api_hits: 999_958, n_face: 99_997, n_facegallery: 98 },
        limits: { n_api_hits: 1_000_000, n_face: 100_000, n_facegallery: 100 },
      },
    },
  }),
  getStatus: endpoint({
    ...common,
    id: 'getStatus',
    tag: 'system',
    methods: ['GET', 'POST'],
    path: '/system-api/get-status',
    summary: 'Extension: how the server is, for a client that is an operator; others are answered 403.',
    request: bareRequest,
    answer: statusAnswer,
    refusals: [],
    example: {
      request: {},
      answer: {
        ...ok,
        version: '0.1.0',
        started_at: '2026-01-31T00:00:00.000Z',
        uptime_seconds: 3600,
        node: '20.20.0',
        engine: { workers: 3, running: 1, queued: 0, queue: 64, busy: 0 },
        packs: [{ id: 'builtin', version: '3', roles: ['embedder'], in_use: true, licence: 'MIT' }],
        memory: {
          rss: 734_003_200,
          heap_used: 52_428_800,
          match_budget: 1_073_741_824,
          match_used: 734_003,
          galleries_loaded: 2,
        },
        store: { kind: 'sqlite', bytes: 4_194_304, migration: 6 },
        settings: { keep_face_crops: false, spoof_threshold: 0.5 },
        clients: 3,
      },
    },
  }),
};
