import type { OwnEndpoint } from '@wajah/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { livenessRoutes } from './liveness.ts';
import { createMount } from './mount.ts';
import type { Mount } from './ports.ts';
import type { OpenSite, Site, SiteServices } from './site-ports.ts';

type Services = SiteServices &
  Parameters<typeof livenessRoutes>[1] & {
    readonly features: readonly { readonly site?: OpenSite | undefined }[];
  };

/** What features serve besides endpoints. @param imageBytes of the largest picture */
export async function siteRoutes(
  app: FastifyInstance,
  services: Services,
  imageBytes: number,
): Promise<void> {
  for (const { site: open } of services.features) {
    if (!open) continue;
    const site = await open(services);
    for (const url of site.paths) {
      app.route({
        method: ['GET', 'POST', 'OPTIONS'],
        url,
        handler: (request, reply) => answer(site, request, reply),
      });
    }
    await app.register(async (below) => sessionRoutes(below, services, site, imageBytes), {
      prefix: site.sessions,
    });
  }
}

async function answer(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { raw } = reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  raw.setHeader('x-trx-id', encodeURI(request.trxId));
  try {
    await site.answer(request.raw, raw, request.trxId);
  } catch (err) {
    request.server.log.error({ trx_id: request.trxId, err }, 'unexpected error');
    if (!raw.headersSent) raw.writeHead(500);
    raw.end();
  }
}

/** The page of a hosted session, and its calls. */
function sessionRoutes(app: FastifyInstance, services: Services, site: Site, imageBytes: number): void {
  app.get('/page', (request, reply) => app.sendHostedPage(request, reply));
  const requireSession = async (request: FastifyRequest, reply: FastifyReply) => {
    const { clientId, sessionId, scopes } = await site.sessionOf(request.raw, reply.raw);
    Object.assign(request, { clientId, sessionId, scopes });
  };
  const mount = createMount(app, services, requireSession, { imageBytes, prefix: '' });
  const ofPage = (endpoint: OwnEndpoint, ...serve: unknown[]) => {
    if (endpoint.hosted) (mount as (...row: unknown[]) => void)(endpoint, ...serve);
  };
  livenessRoutes(ofPage as Mount, services);
}
