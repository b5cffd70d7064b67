import limiter from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { Refusal } from '../errors.ts';

/** Calls per minute and client; where no client is known, per address. */
export const rateLimit = plugin(
  async (app: FastifyInstance, { callsPerMinute }: { callsPerMinute: number }) => {
    await app.register(limiter, {
      max: callsPerMinute,
      timeWindow: '1 minute',
      keyGenerator: ({ clientId, ip }) => (clientId === null ? `address ${ip}` : `client ${clientId}`),
      errorResponseBuilder: (_request, { max, ttl }) =>
        new Refusal(
          'tooManyRequests',
          `found more than ${max} calls in a minute; try again in ${Math.ceil(ttl / 1000)} s`,
        ),
    });
  },
  { name: 'rate-limit', dependencies: ['envelope'] },
);
