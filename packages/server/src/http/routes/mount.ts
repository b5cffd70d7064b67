import { type CamelCased, type Endpoint, success } from '@wajah/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { AppServices } from '../../services/app-services.ts';
import { type Caller, mayDiagnose } from '../../services/caller.ts';
import { type RequireToken, takeHit, takeHitIfLeft } from '../plugins/auth.ts';
import { readRequest } from '../plugins/body.ts';
import { callerOf } from '../plugins/request-state.ts';
import { withoutDiagnostics } from '../views/diagnostics.ts';
import { observedIn } from '../views/observed.ts';

/** Largest body without pictures, bytes. */
const smallBody = 1024 * 1024;

/** The fields of an answer besides those of the envelope. */
export type View<Answer extends z.ZodType> = Omit<z.input<Answer>, 'status' | 'status_message'>;

/**
 * Mounts an endpoint behind the token: authentication, rate limit, room for its pictures, quota, request fields in
 * camelCase, one service call, view, answer.
 */
export type Mount = <Request extends z.ZodObject, Answer extends z.ZodObject>(
  endpoint: Endpoint<Request, Answer>,
  serve: (caller: Caller, request: CamelCased<z.output<Request>>) => Promise<View<Answer>>,
) => void;

export function createMount(
  app: FastifyInstance,
  { quotas, requireRoom }: Pick<AppServices, 'quotas' | 'requireRoom'>,
  requireToken: RequireToken,
  imageBytes: number,
): Mount {
  return (endpoint, serve) => {
    const analyses = endpoint.pictures > 0;
    app.route({
      ...routeOf(app, endpoint, imageBytes),
      onRequest: [requireToken],
      preParsing: async (request: FastifyRequest) => {
        if (analyses) requireRoom({ clientId: request.clientId ?? '', operation: endpoint.id });
        if (endpoint.hit === 'before') await takeHit(request, quotas);
        if (endpoint.hit === 'while left') await takeHitIfLeft(request, quotas);
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const fields = await readRequest(request, endpoint);
        request.subject = subjectOf(fields);
        const caller = callerOf(request, reply);
        const view = await serve(caller, fields);
        request.observed = observedIn(view, request.subject.userId !== null);
        if (endpoint.hit === 'after') await takeHitIfLeft(request, quotas);
        const shown = mayDiagnose(caller) ? view : withoutDiagnostics(endpoint.id, view);
        return endpoint.answer.parse({ ...success(endpoint.message), ...shown });
      },
    });
  };
}

/** User and gallery of a request. */
function subjectOf(fields: Readonly<Record<string, unknown>>): FastifyRequest['subject'] {
  const { userId, facegalleryId } = fields;
  return {
    userId: typeof userId === 'string' ? userId : null,
    galleryId: typeof facegalleryId === 'string' ? facegalleryId : null,
  };
}

/** Base64 of a picture over its bytes, wrapped in lines. */
const encoded = 1.4;

/**
 * Method, path, body limit, and the endpoint for plugins.
 * @param imageBytes of the largest picture: a body has as many as its endpoint takes
 */
export function routeOf(app: FastifyInstance, endpoint: Endpoint, imageBytes = 0) {
  const largest = app.initialConfig.bodyLimit ?? smallBody;
  const ofPictures = endpoint.pictures > 0 ? endpoint.pictures * Math.ceil(encoded * imageBytes) : 0;
  return {
    method: [...endpoint.methods],
    url: endpoint.path,
    bodyLimit: Math.min(largest, smallBody + ofPictures),
    config: { endpoint },
  };
}
