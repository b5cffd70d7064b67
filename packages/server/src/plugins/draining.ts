import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { Refusal } from '../errors.ts';

/** From the moment the app is closed new calls are refused as busy, while those that run are finished. */
export const draining = plugin(
  async (app: FastifyInstance) => {
    let closing = false;
    app.addHook('preClose', async () => {
      closing = true;
    });
    app.addHook('onRequest', async (_request, reply) => {
      if (!closing) return;
      reply.header('connection', 'close');
      throw new Refusal('busy', 'the server is shutting down; nothing was written, try again in a moment', {
        retry_after: 5,
      });
    });
  },
  { name: 'draining', dependencies: ['envelope'] },
);
