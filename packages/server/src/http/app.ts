import proxyAddr from '@fastify/proxy-addr';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { Events } from '../events/table.ts';
import type { RequireOperator } from '../services/accounts/ports.ts';
import type { Tracer } from '../services/caller.ts';
import type { LimitStore } from '../store/ports/limits.ts';
import { type ConnectionLimits, type Connections, createBoundedServer } from './connections/connections.ts';
import { fastifyOptions } from './fastify-options.ts';
import { draining, rateLimit } from './plugins/admission.ts';
import { type CalibrationOptions, calibration, compat } from './plugins/answers.ts';
import { type CallAdmission, createIdentify, type RequireToken, requireTokenOf } from './plugins/auth.ts';
import { type BodyLimits, body } from './plugins/body.ts';
import { envelope } from './plugins/envelope.ts';
import { callEvents, metrics, traces } from './plugins/observation.ts';
import { loadProfile, type ProfileOptions } from './plugins/profile.ts';
import { requestState } from './plugins/request-state.ts';
import { longLists } from './plugins/rows.ts';
import { security } from './plugins/security.ts';
import { staticPages } from './plugins/static-pages.ts';
import {
  answerClientError,
  answerUndecodable,
  compatPrefix,
  comprefacePrefix,
  refuseConnection,
  unroutedRequests,
} from './plugins/unrouted.ts';
import { type ClientRoutes, mountClientRoutes } from './routes/client-routes.ts';
import { createMount } from './routes/mount.ts';
import { oauthRoutes } from './routes/oauth.ts';
import type { SiteServices } from './routes/site-ports.ts';
import { siteRoutes } from './routes/sites.ts';
import { systemRoutes } from './routes/system.ts';
import { wireRoutes } from './routes/wires.ts';

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections;
  }
}

/** What the app takes from the context: what its routes, its profile and its plugins take. It closes none of it. */
export type AppServices = Parameters<typeof systemRoutes>[1] &
  Parameters<typeof oauthRoutes>[1] &
  ClientRoutes &
  CallAdmission &
  SiteServices &
  Parameters<typeof wireRoutes>[1] &
  ProfileOptions['services'] &
  CalibrationOptions & {
    readonly requireOperator: RequireOperator;
    /** With all metrics of the server. */
    readonly events: Events & { readonly registry: Registry };
    /** Counters of the rate limits. */
    readonly limits: LimitStore;
  };

interface AppOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly tracer?: Tracer | null;
  /** Replace limits, for tests. */
  readonly limits?: TransportLimits | undefined;
}

export interface TransportLimits {
  readonly bodies?: BodyLimits;
  readonly connections?: Partial<ConnectionLimits>;
}

/**
 * Creates the HTTP app, which does not listen yet. `close()` refuses new calls and waits for running ones.
 *
 * @example const app = await buildApp(context, { config, logger }); await app.listen({ port: 8080 });
 */
export async function buildApp(
  services: AppServices,
  { config, logger, tracer = null, limits = {} }: AppOptions,
): Promise<FastifyInstance> {
  const isProxy = trustedProxies(config);
  const profile = config.compat.includes('compreface') ? await loadProfile() : null;
  const { registry } = services.events;
  let bounded: ReturnType<typeof createBoundedServer> | undefined;
  const app = Fastify({
    ...fastifyOptions(config, logger),
    trustProxy: config.trustProxy !== false && isProxy,
    serverFactory: (handle) => {
      bounded = createBoundedServer(handle, {
        limits: { readRate: config.limits.leastRate, ...limits.connections },
        registry,
        isProxy,
        refuse: refuseConnection,
      });
      return bounded.server;
    },
    return503OnClosing: false,
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket, bounded!.connections.unanswered(socket)),
    frameworkErrors: (_error, request, reply) => answerUndecodable(request, reply, profile),
  });
  app.decorate('connections', bounded!.connections);
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  const identify = createIdentify(services.accounts, config.limits.callsPerMinute);
  const requireToken = requireTokenOrSecret(services, config);
  await app.register(requestState);
  await app.register(traces, { tracer });
  await registerPlugins(app, services, { config, limits }, requireToken);
  registerRoutes(app, services, requireToken, config);
  if (isCompat(config)) {
    await app.register(async (below) => registerRoutes(below, services, requireToken, config), {
      prefix: compatPrefix,
    });
  }
  await siteRoutes(app, services, config.limits.imageBytes);
  await wireRoutes(app, services, identify, config.limits);
  if (profile) {
    const options = { prefix: comprefacePrefix, services, identify, imageBytes: config.limits.imageBytes };
    await app.register(profile.routes, options);
  }
  await app.ready();
  return app;
}

/** Requires a token, or the secret of a hosted session. */
function requireTokenOrSecret({ accounts, livenessSessions }: AppServices, { limits }: Config): RequireToken {
  const authenticate = async (token: string) =>
    (await livenessSessions.authenticate(token)) ?? accounts.authenticate(token);
  return requireTokenOf(createIdentify({ authenticate }, limits.callsPerMinute));
}

/** Fastify trusts no number of proxies, because it cannot know whether callers reach it without them; the operator does. */
function trustedProxies({ trustProxy }: Config): (address: string, hop?: number) => boolean {
  if (typeof trustProxy === 'boolean') return () => trustProxy;
  if (typeof trustProxy === 'number') return (_address, hop = 0) => hop < trustProxy;
  const isTrusted = proxyAddr.compile([...trustProxy]);
  return (address, hop = 0) => isTrusted(address, hop);
}

function isCompat({ compat }: Config): boolean {
  return compat.includes('risetai');
}

function prefixOf(config: Config): string {
  return isCompat(config) ? compatPrefix : '';
}

async function registerPlugins(
  app: FastifyInstance,
  services: AppServices,
  { config, limits = {} }: Pick<AppOptions, 'config' | 'limits'>,
  requireToken: RequireToken,
): Promise<void> {
  await app.register(envelope, { events: services.events });
  await app.register(unroutedRequests, { prefix: prefixOf(config) });
  await app.register(callEvents, { events: services.events });
  await app.register(draining);
  const keys = config.compat.includes('compreface');
  await app.register(security, { corsOrigins: config.corsOrigins, keys });
  await app.register(body, { ...config.limits, ...limits.bodies });
  const { callsPerMinute } = config.limits;
  await app.register(rateLimit, { callsPerMinute, limits: services.limits });
  const { metrics: who } = config;
  if (who !== 'off')
    await app.register(metrics, {
      who,
      ...services,
      requireToken,
      registry: services.events.registry,
    });
  if (isCompat(config)) await app.register(compat, { alwaysOk: config.compatHttp200 });
  else await app.register(calibration, services);
  await app.register(longLists);
  await app.register(staticPages, {});
}

function registerRoutes(
  app: FastifyInstance,
  services: AppServices,
  requireToken: RequireToken,
  config: Config,
): void {
  const sized = { imageBytes: config.limits.imageBytes, prefix: prefixOf(config) };
  const mount = createMount(app, services, requireToken, sized);
  systemRoutes(app, services, config);
  oauthRoutes(app, services);
  mountClientRoutes(mount, services);
}
