import Fastify, { type FastifyInstance } from 'fastify';
import { createEvents } from '../../src/events/events.ts';
import { envelope } from '../../src/http/plugins/envelope.ts';
import { requestState } from '../../src/http/plugins/request-state.ts';
import { security } from '../../src/http/plugins/security.ts';
import { staticPages } from '../../src/http/plugins/static-pages.ts';
import { unroutedRequests } from '../../src/http/plugins/unrouted.ts';
import { chain } from './audit.ts';
import { atEnd } from './temporary.ts';

const log = { info: () => {}, error: () => {} };

/** An app that serves the pages alone, without a store; its events are recorded nowhere. */
export async function pagesApp(folders: Parameters<typeof staticPages>[1] = {}): Promise<FastifyInstance> {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  atEnd(() => app.close());
  const events = createEvents({ log, store: { audit: { append: async () => [] } }, chain });
  await app.register(requestState);
  await app.register(envelope, { events });
  await app.register(security, { corsOrigins: [] });
  await app.register(unroutedRequests);
  await app.register(staticPages, folders);
  return app;
}
