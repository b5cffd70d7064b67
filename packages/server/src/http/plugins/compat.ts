import { endpoints, statuses } from '@wajah/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { endpointOf } from './request-state.ts';

/** All routes are also served below this prefix. */
export const compatPrefix = '/risetai';

type Body = Readonly<Record<string, unknown>>;

/** Differences of single answers. */
const rewrites: Readonly<Record<string, (body: Body) => Body>> = {
  [endpoints.verifyFace.id]: (body) => (body['verified'] === false ? { ...body, ...notVerified } : body),
  [endpoints.identifyFace.id]: (body) => ({ ...body, return: list(body['return']).map(asText) }),
  [endpoints.verifyLiveness.id]: (body) => ({ ...body, liveness: String(body['liveness'] === 'passed') }),
};

const { status, message } = statuses.notRecognized;
const notVerified = { status, status_message: message };

/**
 * Answers like the public cloud service of this protocol, for programs written for it: each body is wrapped, and some
 * values are texts. Unchanged are tokens, health checks and documents, and, by Sec-Fetch-Site, answers to pages of this
 * server's own origin such as the console.
 */
export const compat = plugin(
  async (app: FastifyInstance) => {
    app.addHook('preSerialization', async (request, _reply, payload) => {
      if (!isWrapped(request) || typeof payload !== 'object' || payload === null) return payload;
      const rewrite =
        request.refusal === null || request.refusal === 'notRecognized' ? rewriteOf(request) : same;
      return { risetai: rewrite(payload as Body) };
    });
  },
  { name: 'compat', dependencies: ['request-state'] },
);

function isWrapped(request: FastifyRequest): boolean {
  if (request.headers['sec-fetch-site'] === 'same-origin') return false;
  const endpoint = endpointOf(request);
  return endpoint === undefined || endpoint.auth === 'token';
}

function rewriteOf(request: FastifyRequest): (body: Body) => Body {
  return rewrites[endpointOf(request)?.id ?? ''] ?? same;
}

function same(body: Body): Body {
  return body;
}

function list(value: unknown): readonly Body[] {
  return Array.isArray(value) ? value : [];
}

function asText({ confidence_level: level, mask, ...person }: Body): Body {
  return { confidence_level: String(level), mask: String(mask), ...person };
}
