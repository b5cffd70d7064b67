import limiter, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { Refusal } from '../../errors.ts';
import { memoryLimits } from '../../store/memory-limits.ts';
import type { LimitStore } from '../../store/ports/limits.ts';
import { networkOf } from '../connections/connections.ts';

/**
 * When the app closes, refuses new calls as busy while running ones finish, and closes idle connections: Node would wait
 * for the first call of those that browsers open in advance.
 */
export const draining = plugin(
  async (app: FastifyInstance) => {
    let closing = false;
    app.addHook('preClose', async () => {
      closing = true;
      app.connections.closeIdle();
    });
    app.addHook('onRequest', (_request, reply, done) => {
      if (!closing) return done();
      reply.header('connection', 'close');
      done(new Refusal('shuttingDown', {}, { retry_after: 5 }));
    });
  },
  { name: 'draining', dependencies: ['envelope'] },
);

interface RateLimitOptions {
  readonly callsPerMinute: number;
  readonly limits: LimitStore;
}

/** Of the page of a session: two hints a second, and its frames, sent again after a fault. */
const callsOfSession = 240;

/** Limits the calls per minute: of a client over all servers; of a network at this server before authentication. */
export const rateLimit = plugin(
  async (app: FastifyInstance, { callsPerMinute, limits }: RateLimitOptions) => {
    await app.register(limiter, {
      max: ({ sessionId }) =>
        sessionId === null ? callsPerMinute : Math.min(callsPerMinute, callsOfSession),
      timeWindow: '1 minute',
      store: createStore(limits),
      keyGenerator: ({ clientId, sessionId, ip }) => {
        // A visitor must not use up the calls of the client.
        if (sessionId !== null) return `session ${sessionId}`;
        return clientId === null ? `network ${networkOf(ip)}` : `client ${clientId}`;
      },
      errorResponseBuilder: (_request, { max, ttl }) =>
        new Refusal('tooManyCalls', { most: max, seconds: Math.ceil(ttl / 1000) }),
    });
  },
  { name: 'rate-limit', dependencies: ['envelope'] },
);

type Callback = (error: Error | null, result?: { current: number; ttl: number }) => void;

/** Calls without a client, such as health checks, must not depend on a database. */
function createStore(limits: LimitStore) {
  const local = memoryLimits();
  return class implements FastifyRateLimitStore {
    incr(key: string, callback: Callback, timeWindow: number, max: number): void {
      const store = key.startsWith('client ') ? limits : local;
      store.increment(`calls ${key}`, max, timeWindow).then(
        ({ count, waitMs }) => callback(null, { current: count, ttl: waitMs }),
        (error: Error) => callback(error),
      );
    }

    child(): FastifyRateLimitStore {
      return this;
    }
  };
}
