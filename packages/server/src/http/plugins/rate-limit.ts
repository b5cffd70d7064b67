import limiter, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { Refusal } from '../../errors.ts';
import { memoryLimits } from '../../store/memory-limits.ts';
import type { LimitStore } from '../../store/store.ts';

interface RateLimitOptions {
  readonly callsPerMinute: number;
  readonly limits: LimitStore;
}

/** Calls per minute and client, at all servers together; where no client is known, per address at this one. */
export const rateLimit = plugin(
  async (app: FastifyInstance, { callsPerMinute, limits }: RateLimitOptions) => {
    await app.register(limiter, {
      max: callsPerMinute,
      timeWindow: '1 minute',
      store: storeOf(limits),
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

type Told = (error: Error | null, result?: { current: number; ttl: number }) => void;

/** Calls without a client (is the server alive?) must not depend on a database. */
function storeOf(limits: LimitStore) {
  const own = memoryLimits();
  return class implements FastifyRateLimitStore {
    incr(key: string, told: Told, timeWindow: number, max: number): void {
      const counting = key.startsWith('client ') ? limits : own;
      counting.increment(`calls ${key}`, max, timeWindow).then(
        ({ count, waitMs }) => told(null, { current: count, ttl: waitMs }),
        (error: Error) => told(error),
      );
    }

    child(): FastifyRateLimitStore {
      return this;
    }
  };
}
