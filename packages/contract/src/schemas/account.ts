import { z } from 'zod';
import type { CamelCased } from '../camel-case.ts';
import { name, optionalCount, optionalInstant, optionalName, optionalWords } from '../fields.ts';
import { scopes } from '../scopes.ts';
import { envelope } from './answers.ts';

const trx = optionalName('Identifier of the transaction; made by the server when absent.');
const moment = z.string().meta({ description: 'ISO 8601.' });
const scopeList = z.array(z.enum(scopes));

export const createTokenRequest = z.object({
  name: name('What the token is for.'),
  scopes: optionalWords('What the token may do. Default: all that the caller may.', scopes, 1),
  expires_in_days: optionalCount('Days until it expires. Default: never.', 1, 36_500),
  trx_id: trx,
});

const expires = moment.nullable().meta({ description: 'ISO 8601; null is never.' });

export const createTokenAnswer = envelope.extend({
  token: z.string().meta({ description: 'The token; it is shown only now.' }),
  token_id: z.string(),
  name: z.string(),
  scopes: scopeList,
  expires_at: expires,
});

export const listTokensAnswer = envelope.extend({
  tokens: z.array(
    z.object({
      token_id: z.string(),
      name: z.string(),
      scopes: scopeList,
      created_at: moment,
      expires_at: expires,
      last_used_at: moment.optional().meta({ description: 'ISO 8601, to the minute or so.' }),
      revoked_at: moment.optional(),
    }),
  ),
});

export const revokeTokenRequest = z.object({
  token_id: name('The token, as create-token and list-tokens call it.'),
  trx_id: trx,
});

/** Buckets of an activity series. */
export const activityBuckets = { most: 500, byDefault: 96 } as const;
/** Bins of a histogram of scores, each 1 / scoreBins wide. */
export const scoreBins = 20;

export const activityRequest = z.object({
  from: optionalInstant('Since when, ISO 8601. Default: 24 hours before `to`.'),
  to: optionalInstant('Until when, ISO 8601. Default: now.'),
  buckets: optionalCount(
    `How many steps of time at most. Default ${activityBuckets.byDefault}.`,
    1,
    activityBuckets.most,
  ),
  trx_id: trx,
});

const count = z.int();
const milliseconds = z.number().nullable();
const amounts = z.object({ n_api_hits: count, n_face: count, n_facegallery: count });
const bins = z.array(count).meta({ description: `${scoreBins} counts, over equal parts of 0 to 1.` });

const histogram = z.object({
  bins,
  groups: z
    .array(z.object({ route: z.string(), accepted: z.boolean(), bins }))
    .meta({ description: 'The same by endpoint, and by whether the face was accepted.' }),
});

const refusal = z.object({
  time: moment,
  route: z.string(),
  status: z.string(),
  status_message: z.string(),
  detail: z.string().optional(),
  trx_id: z.string(),
  user_id: z.string().optional(),
  facegallery_id: z.string().optional(),
  similarity: z.number().optional(),
  spoof_score: z.number().optional(),
});

export const activityAnswer = envelope.extend({
  from: moment,
  to: moment,
  bucket_seconds: z.int(),
  series: z
    .object({
      time: z.array(moment),
      calls: z.array(count),
      errors: z.array(count),
      latency_p50: z.array(milliseconds),
      latency_p95: z.array(milliseconds),
      latency_p99: z.array(milliseconds),
    })
    .meta({
      description: 'One entry for each step; latencies in milliseconds, null where nothing was called.',
    }),
  statuses: z.array(z.object({ status: z.string(), status_message: z.string(), count })),
  routes: z.array(
    z.object({
      route: z.string(),
      calls: count,
      errors: count,
      latency_p50: milliseconds,
      latency_p95: milliseconds,
    }),
  ),
  similarity: histogram,
  spoof: histogram,
  refusals: z
    .array(refusal)
    .meta({ description: 'The latest 50 calls that were refused, or whose face was: the newest first.' }),
  counters: amounts.meta({ description: 'What is left; 2147483647 is unlimited.' }),
  limits: amounts.meta({ description: 'What it counts down from; 2147483647 is unlimited.' }),
});

export type CreateTokenRequest = CamelCased<z.output<typeof createTokenRequest>>;

export type RevokeTokenRequest = CamelCased<z.output<typeof revokeTokenRequest>>;

export type ActivityRequest = CamelCased<z.output<typeof activityRequest>>;
