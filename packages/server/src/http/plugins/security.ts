import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import helmet from 'helmet';

interface SecurityOptions {
  readonly corsOrigins: readonly string[];
  /** Whether pages of these origins may call the interface of CompreFace too. */
  readonly keys?: boolean;
}

/** Security headers, and CORS for the configured origins. */
export const security = plugin(
  async (app: FastifyInstance, { corsOrigins, keys }: SecurityOptions) => {
    const headers = { ...securityHeaders(), 'cache-control': 'no-store' };
    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers(headers);
      done();
    });
    if (corsOrigins.length === 0) return;
    await app.register(cors, {
      origin: corsOrigins.includes('*') ? '*' : corsOrigins.map(originPattern),
      methods: ['GET', 'HEAD', 'POST', 'DELETE', ...(keys ? ['PUT'] : [])],
      allowedHeaders: ['Accesstoken', 'Authorization', 'Content-Type', ...(keys ? ['X-Api-Key'] : [])],
      exposedHeaders: ['X-Trx-Id', 'Retry-After', 'WWW-Authenticate'],
      maxAge: 600,
      strictPreflight: false,
    });
  },
  { name: 'security' },
);

/** `https://*.example.com` is every subdomain, not the domain itself. */
function originPattern(origin: string): string | RegExp {
  const [scheme, domain] = origin.split('*.');
  if (domain === undefined) return origin;
  return new RegExp(`^${scheme}([a-z0-9_-]+\\.)+${domain.replaceAll('.', '\\.')}$`);
}

/**
 * The headers of helmet, which would compute the same ones for each answer; without those by which a browser treats other
 * addresses of the host, or its other hosts, otherwise from then on: that is decided by who owns the host.
 */
function securityHeaders(): OutgoingHttpHeaders {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: false,
    originAgentCluster: false,
  });
  set(response.req, response, (error) => {
    if (error) throw error;
  });
  return response.getHeaders();
}
