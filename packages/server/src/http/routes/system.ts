import { type Endpoint, endpoints, success } from '@wajah/contract';
import type { OpenApiVersion } from '@wajah/contract/openapi';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { browserUrl, type Config, urlOf } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import { version } from '../../version.ts';
import { readRequest } from '../plugins/body.ts';
import { StaticContent } from '../plugins/static-pages.ts';
import { routeOf } from './route-of.ts';

interface SystemServices {
  /** Public keys of the token issuer (RFC 7517). */
  jwks(): Promise<{ keys: object[] }>;
  /** Named checks; ready when all are true. Workers of the engine, and how many were replaced. The embedder. The pack of PAD networks, or `none`. How operators start the program. Notices tell what an operator should improve. */
  ready(): Promise<{
    ready: boolean;
    checks: Readonly<Record<string, boolean>>;
    workers: Readonly<Record<'configured' | 'alive' | 'restarts', number>>;
    embedder: string;
    pad: string;
    command: string;
    notices: readonly string[];
  }>;
}

/** Endpoints without authentication. Health checks are not rate limited. */
export function systemRoutes(
  app: FastifyInstance,
  { ready, jwks }: SystemServices,
  config: Pick<Config, 'host' | 'port' | 'publicUrl'>,
): void {
  const get = (endpoint: Endpoint, handler: RouteHandlerMethod) => {
    const { config: marks, ...route } = routeOf(endpoint);
    const isHealthCheck = endpoint.tag === 'system';
    app.route({ ...route, config: isHealthCheck ? { ...marks, rateLimit: false } : marks, handler });
  };

  get(endpoints.health, async () => success());

  get(endpoints.ready, async () => {
    const { ready: isReady, notices, ...state } = await ready();
    const { checks, workers } = state;
    if (!isReady) throw new Refusal('notReady', { checks: failing(checks) }, { checks, workers });
    return { ...success(), ...state, ...(notices.length > 0 && { notices }) };
  });

  get(endpoints.jwks, async () => jwks());

  // Made on the first call: it takes a tenth of the CPU time of a start.
  const documents = new Map<OpenApiVersion, Promise<StaticContent>>();
  get(endpoints.openapi, async (request, reply) => {
    const asked = readRequest(request, endpoints.openapi).version === '3.0' ? '3.0.3' : '3.1.0';
    const document = documents.get(asked) ?? contentOf(asked, browserUrl(config, urlOf(config)));
    documents.set(asked, document);
    return (await document).send(request, reply);
  });
}

async function contentOf(asked: OpenApiVersion, url: string): Promise<StaticContent> {
  const { openApiDocument } = await import('@wajah/contract/openapi');
  return StaticContent.of(
    Buffer.from(JSON.stringify(openApiDocument(version, asked, url))),
    'application/json',
  );
}

function failing(checks: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(checks).filter((name) => checks[name] === false);
}
