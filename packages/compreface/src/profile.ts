import { type Profile, type ProfileOptions, Refusal } from '@wajah/server/profile';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createComprefaceMount } from './calls.ts';
import { errorOf } from './errors.ts';
import { pictureRoutes, recognitionRoutes, subjectRoutes } from './routes.ts';

/** The REST API of CompreFace, for its clients: routes, keys and errors as they expect them. */
export const profile: Profile = { routes, refusalBody: ({ status, detail }) => errorOf(status, detail).body };

async function routes(app: FastifyInstance, options: ProfileOptions): Promise<void> {
  app.decorateRequest('boundGallery', '');
  app.addHook('preSerialization', async (request, reply, payload) => {
    const { refusal } = request;
    if (refusal === null) return payload;
    const { http, body } = errorOf(
      refusal,
      detailOf(request, payload),
      fieldsOf(payload),
      request.subject.userId,
    );
    reply.code(http);
    reply.removeHeader('www-authenticate');
    return body;
  });
  app.setNotFoundHandler(async () => {
    throw new Refusal(
      'routeNotFound',
      'no endpoint has this path and method; docs/compatibility.md lists them',
    );
  });
  const mount = createComprefaceMount(app, options);
  const { subjects } = options.services;
  subjectRoutes(mount, subjects);
  pictureRoutes(mount, subjects);
  recognitionRoutes(mount, subjects);
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(payload: unknown): Fields {
  return typeof payload === 'object' && payload !== null ? (payload as Fields) : {};
}

/** Where the body of a refusal is wrapped for another profile, the request has it. */
function detailOf({ refusalDetail }: FastifyRequest, payload: unknown): string {
  const { detail } = fieldsOf(payload);
  return typeof detail === 'string' ? detail : (refusalDetail ?? '');
}
