import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { AppServices } from '../services/app-services.ts';
import { openApiDocument } from './openapi.ts';
import { activity } from './plugins/activity.ts';
import { body } from './plugins/body.ts';
import { answerClientError, answerFrameworkError, clientErrors } from './plugins/client-error.ts';
import { compat, compatPrefix } from './plugins/compat.ts';
import { draining } from './plugins/draining.ts';
import { envelope } from './plugins/envelope.ts';
import { metrics } from './plugins/metrics.ts';
import { rateLimit } from './plugins/rate-limit.ts';
import { requestLog } from './plugins/request-log.ts';
import { requestState } from './plugins/request-state.ts';
import { security } from './plugins/security.ts';
import { staticPages } from './plugins/static-pages.ts';
import { unknownRoutes } from './plugins/unknown-routes.ts';
import { accountRoutes } from './routes/account.ts';
import { clientRoutes } from './routes/client.ts';
import { compareRoutes } from './routes/compare.ts';
import { detectRoutes } from './routes/detect.ts';
import { enrolmentRoutes, recognitionRoutes } from './routes/face.ts';
import { faceCropRoutes } from './routes/face-crop.ts';
import { galleryRoutes } from './routes/facegallery.ts';
import { gallerySettingsRoutes } from './routes/facegallery-settings.ts';
import { livenessRoutes } from './routes/liveness.ts';
import { livenessSessionRoutes } from './routes/liveness-session.ts';
import { createMount } from './routes/mount.ts';
import { oauthRoutes } from './routes/oauth.ts';
import { systemRoutes } from './routes/system.ts';

/** A request must have arrived by then, milliseconds: the largest body over a slow mobile line. */
const requestTimeout = 300_000;

/**
 * The HTTP side of the service, not yet listening. `close()` refuses new calls and waits for those that run.
 *
 * @example const app = await buildApp(context, { config, logger }); await app.listen({ port: 8080 });
 */
export async function buildApp(
  services: AppServices,
  { config, logger }: { config: Config; logger: Logger },
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy,
    bodyLimit: config.limits.bodyBytes,
    requestTimeout,
    // Refused in the envelope.
    http: { requireHostHeader: false },
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
    clientErrorHandler: answerClientError,
    frameworkErrors: answerFrameworkError,
  });
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  await registerPlugins(app, services, config);
  registerRoutes(app, services);
  if (isCompat(config)) {
    await app.register(async (below) => registerRoutes(below, services), { prefix: compatPrefix });
  }
  await app.ready();
  return app;
}

function isCompat({ compat }: Config): boolean {
  return compat === 'risetai';
}

async function registerPlugins(app: FastifyInstance, services: AppServices, config: Config): Promise<void> {
  await app.register(requestState);
  await app.register(envelope, { events: services.events, quotas: services.quotas });
  await app.register(clientErrors);
  await app.register(requestLog);
  await app.register(activity, { recorder: services.recorder });
  await app.register(draining);
  await app.register(security, { corsOrigins: config.corsOrigins });
  await app.register(body);
  const { callsPerMinute } = config.limits;
  await app.register(rateLimit, { callsPerMinute, limits: services.limits });
  const { metrics: who } = config;
  if (who !== 'off') await app.register(metrics, { who, ...services, registry: services.events.registry });
  const prefix = isCompat(config) ? { prefix: compatPrefix } : {};
  await app.register(unknownRoutes, prefix);
  if (isCompat(config)) await app.register(compat);
  await app.register(staticPages, {});
}

function registerRoutes(app: FastifyInstance, services: AppServices): void {
  const mount = createMount(app, services);
  systemRoutes(app, services, openApiDocument());
  oauthRoutes(app, services);
  clientRoutes(mount, services);
  galleryRoutes(mount, services);
  gallerySettingsRoutes(mount, services);
  accountRoutes(mount, services);
  enrolmentRoutes(mount, services);
  recognitionRoutes(mount, services);
  compareRoutes(mount, services);
  detectRoutes(mount, services);
  faceCropRoutes(mount, services);
  livenessRoutes(mount, services);
  livenessSessionRoutes(mount, services);
}
