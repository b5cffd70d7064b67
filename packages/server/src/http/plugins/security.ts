import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';

/** Security headers, and CORS for the configured origins. */
export const security = plugin(
  async (app: FastifyInstance, { corsOrigins }: { corsOrigins: readonly string[] }) => {
    await app.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
    });
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    if (corsOrigins.length === 0) return;
    await app.register(cors, {
      origin: [...corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'DELETE'],
      allowedHeaders: ['Accesstoken', 'Authorization', 'Content-Type'],
      exposedHeaders: ['X-Trx-Id', 'Retry-After', 'WWW-Authenticate'],
      maxAge: 600,
      strictPreflight: false,
    });
  },
  { name: 'security' },
);
