import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { LimitStore } from '../../store/ports/limits.ts';
import { formShapeOf, pictureNames } from '../bodies/form-fields.ts';
import {
  type CallAdmission,
  checkTokenOf,
  type Identify,
  settleHit,
  takeHit,
  takeHitIfLeft,
} from '../plugins/auth.ts';
import { readRequest } from '../plugins/body.ts';
import { callerOf, endpointOf } from '../plugins/request-state.ts';
import { withoutRows } from '../plugins/rows.ts';
import { routeOf } from './route-of.ts';
import type { MountCall, OpenWire, Wire, WireServices } from './wire-ports.ts';

type Services = CallAdmission &
  WireServices & {
    readonly limits: LimitStore;
    readonly features: readonly { readonly wire?: OpenWire | undefined }[];
  };

interface Limits {
  /** Of the largest picture. */
  readonly imageBytes: number;
  readonly callsPerMinute: number;
}

/** The interfaces of other services that features serve. */
export async function wireRoutes(
  app: FastifyInstance,
  services: Services,
  identify: Identify,
  limits: Limits,
): Promise<void> {
  const admit = createAdmission(services, identify, limits);
  for (const { wire: open } of services.features) {
    if (!open) continue;
    const wire = open(services);
    await app.register(async (below) => mountWire(below, wire, admit, limits), { prefix: wire.prefix });
  }
}

function mountWire(app: FastifyInstance, wire: Wire, admit: Admit, { imageBytes }: Limits): void {
  const clientAt = createTrust(wire);
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (request.refusal === null) return payload;
    const { http, body } = wire.refused(request.refusal, endpointOf(request)?.id);
    reply.code(http).removeHeader('www-authenticate');
    return body;
  });
  app.setNotFoundHandler(async () => {
    throw new Refusal('routeNotFound');
  });
  const mount: MountCall = (endpoint, serve) => {
    const { url, ...route } = routeOf(endpoint, imageBytes);
    app.route({
      ...route,
      url: url.slice(wire.prefix.length),
      onRequest: async (request: FastifyRequest) => {
        if (endpoint.auth !== 'none' && clientAt(request)) {
          request.clientId = wire.trusted!.clientId;
          request.scopes = wire.trusted!.scopes;
        }
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const fields = readRequest(request, endpoint);
        const { apiKey, userid = null } = fields as Readonly<{ apiKey?: string; userid?: string }>;
        if (endpoint.auth !== 'none') await admit(request, reply, apiKey);
        request.subject = { userId: userid, galleryId: wire.galleryId };
        const answer = await serve(callerOf(request, reply), fields);
        await settleHit(request);
        return withoutRows(request, { success: true, ...answer });
      },
    });
  };
  wire.mount(mount);
}

type Admit = ReturnType<typeof createAdmission>;

/** What the token of a body is checked for, which other calls are checked for before their bodies are read. */
function createAdmission(
  { quotas, scheduler, limits }: Services,
  identify: Identify,
  { callsPerMinute }: Limits,
) {
  const requireToken = checkTokenOf(identify);
  return async (request: FastifyRequest, reply: FastifyReply, token: string | undefined): Promise<void> => {
    const endpoint = endpointOf(request)!;
    if (request.clientId === null) {
      await requireToken(request, reply, token);
      // Until now it was counted for its network only.
      const key = `calls client ${request.clientId}`;
      const { count, waitMs } = await limits.increment(key, callsPerMinute, 60_000);
      const seconds = Math.ceil(waitMs / 1000);
      if (count > callsPerMinute)
        throw new Refusal('tooManyCalls', { most: callsPerMinute, seconds }, { retry_after: seconds });
    }
    const analyses = pictureNames(formShapeOf(endpoint.request)).length > 0;
    if (analyses) scheduler.requireRoom({ clientId: request.clientId ?? '', operation: endpoint.id });
    if (endpoint.hit === 'before') await takeHit(request, quotas);
    else await takeHitIfLeft(request, quotas);
  };
}

/** Headers of a proxy. */
const forwarded = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

/**
 * Whether a call needs no token by its address. One that a proxy sends which is not trusted does, as its address is that
 * of the proxy; and one of a page in a browser, which anybody may have written.
 */
function createTrust({ trusted }: Wire) {
  if (!trusted) return () => false;
  const isTrusted = proxyAddr.compile([...trusted.networks]);
  return ({ headers, ip, socket }: FastifyRequest): boolean => {
    const isOfPage = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
    const isOfProxy = ip === socket.remoteAddress && forwarded.some((name) => headers[name] !== undefined);
    return !isOfPage && !isOfProxy && isTrusted(ip, 0);
  };
}
