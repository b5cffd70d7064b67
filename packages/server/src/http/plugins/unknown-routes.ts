import { endpointList } from '@wajah/contract';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { Refusal } from '../../errors.ts';
import { comprefacePrefix } from '../compreface-errors.ts';
import { compatPrefix } from './compat.ts';

const methodsOf: ReadonlyMap<string, readonly string[]> = new Map(
  endpointList.map(({ path, methods }) => [path, methods.flatMap(withHead)]),
);

function withHead(method: string): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/**
 * Answers 404, 405 with Allow, and OPTIONS outside of CORS.
 * @param prefix below which all routes are also served
 */
export const unknownRoutes = plugin(
  async (app: FastifyInstance, { prefix = '' }: { prefix?: string }) => {
    app.setNotFoundHandler(async (request, reply) => {
      // A missing file may exist after an update.
      reply.header('cache-control', 'no-store');
      const path = request.url.split('?')[0]?.replace(/\/+$/, '') ?? '';
      const inside = prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
      const methods = methodsOf.get(inside);
      if (methods === undefined) throw new Refusal('routeNotFound', missing(path, prefix));
      const allow = [...methods, 'OPTIONS'].join(', ');
      reply.header('allow', allow);
      if (request.method === 'OPTIONS') return reply.code(204).send();
      throw new Refusal('methodNotAllowed', `found ${request.method}; allowed here is ${allow}`);
    });
  },
  { name: 'unknown-routes', dependencies: ['envelope'] },
);

function missing(path: string, prefix: string): string {
  const isCompatPath = prefix === '' && path.startsWith(`${compatPrefix}/`);
  const isComprefacePath = path.startsWith(`${comprefacePrefix}/`);
  const hint = isCompatPath
    ? `; paths below ${compatPrefix} need WAJAH_COMPAT=risetai`
    : isComprefacePath
      ? `; paths below ${comprefacePrefix} need WAJAH_COMPAT=compreface`
      : '';
  return `no endpoint has this path; see /openapi.json${hint}`;
}
