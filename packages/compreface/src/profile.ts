import { type Profile, type ProfileOptions, Refusal } from '@wajah/server/profile';
import type { FastifyInstance } from 'fastify';
import { createComprefaceMount } from './calls.ts';
import { errorOf } from './errors.ts';
import { pictureRoutes, recognitionRoutes, subjectRoutes } from './routes.ts';
import { createSubjectService } from './subjects.ts';

/** The REST API of CompreFace, for its clients: routes, keys and errors as they expect them. */
export const profile: Profile = { routes, refusalBody: (refusal) => errorOf(refusal).body };

async function routes(app: FastifyInstance, options: ProfileOptions): Promise<void> {
  app.addHook('preSerialization', async ({ refusal, subject }, reply, payload) => {
    if (refusal === null) return payload;
    const { http, body } = errorOf(refusal, subject.userId);
    reply.code(http);
    reply.removeHeader('www-authenticate');
    return body;
  });
  app.setNotFoundHandler(async () => {
    throw new Refusal('noSuchPath');
  });
  const mount = createComprefaceMount(app, options);
  const { parts, faces } = options.services;
  const subjects = createSubjectService(parts, faces);
  subjectRoutes(mount, subjects);
  pictureRoutes(mount, subjects);
  recognitionRoutes(mount, subjects);
}
