import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { Refusal } from '../../errors.ts';

/**
 * From the moment the app is closed new calls are refused as busy, while those that run are finished. Connections
 * that no call has come over, as browsers open them ahead, are cut: Node would wait for their first call.
 */
export const draining = plugin(
  async (app: FastifyInstance) => {
    let closing = false;
    const cutUnused = followUnused(app.server);
    app.addHook('preClose', async () => {
      closing = true;
      cutUnused();
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

/** @returns cuts the connections over which nothing, or less than the head of a call, has come so far */
function followUnused(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () => {
    for (const socket of unused) socket.destroy();
  };
}
