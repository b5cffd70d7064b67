import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { AppServices } from '../../services/app-services.ts';
import { errorOf } from '../compreface-errors.ts';
import { createComprefaceMount, type MountOptions } from './mount.ts';
import { pictureRoutes, recognitionRoutes, subjectRoutes } from './routes.ts';

interface ProfileOptions extends MountOptions {
  readonly services: Pick<AppServices, 'quotas' | 'requireRoom' | 'subjects'>;
}

/**
 * The REST API of CompreFace, for its clients: routes, keys and errors as they expect them. Register it with the prefix.
 * Not a plugin of the whole app: its errors are of its own routes only.
 */
export async function compreface(app: FastifyInstance, options: ProfileOptions): Promise<void> {
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
