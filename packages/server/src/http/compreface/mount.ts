import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { nothingObserved } from '../../services/activity/activity-recorder.ts';
import type { AppServices } from '../../services/app-services.ts';
import type { Caller } from '../../services/caller.ts';
import { type Identify, takeHit, takeHitIfLeft } from '../plugins/auth.ts';
import { callerOf } from '../plugins/request-state.ts';
import { routeOf } from '../routes/mount.ts';
import type { ComprefaceEndpoint } from './endpoints.ts';
import { requireKeyOf } from './key.ts';
import { readCall } from './read-call.ts';

/** An answer, and what it says for the records of calls. */
export interface Answer {
  readonly body: unknown;
  /** Default: 200. */
  readonly http?: number;
  readonly type?: string;
  /** The best similarities, and the threshold that this service would apply. */
  readonly best?: readonly number[];
  readonly threshold?: number;
}

export interface MountOptions {
  readonly services: Pick<AppServices, 'quotas' | 'requireRoom'>;
  readonly identify: Identify;
  /** Of the largest picture. */
  readonly imageBytes: number;
}

/** Mounts an endpoint behind a key of its service: authentication, room for pictures, quota, fields, one service call, view. */
export type ComprefaceMount = <Request extends z.ZodObject>(
  endpoint: ComprefaceEndpoint<Request>,
  serve: (caller: Caller, fields: z.output<Request>, galleryId: string) => Promise<Answer>,
) => void;

export function createComprefaceMount(
  app: FastifyInstance,
  { services: { quotas, requireRoom }, identify, imageBytes }: MountOptions,
): ComprefaceMount {
  return (endpoint, serve) => {
    const analyses = endpoint.pictures > 0;
    const { url, ...route } = routeOf(app, endpoint, imageBytes);
    app.route({
      ...route,
      url: url.slice(app.prefix.length),
      onRequest: [requireKeyOf(identify, endpoint)],
      preParsing: async (request: FastifyRequest) => {
        if (analyses) requireRoom({ clientId: request.clientId ?? '', operation: endpoint.id });
        if (endpoint.hit === 'before') await takeHit(request, quotas);
        else await takeHitIfLeft(request, quotas);
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const fields = await readCall(request, endpoint);
        request.subject = { userId: subjectOf(fields), galleryId: request.boundGallery || null };
        const {
          body,
          http = 200,
          type,
          ...scores
        } = await serve(callerOf(request, reply), fields, request.boundGallery);
        request.observed = { ...nothingObserved, similarities: similaritiesOf(scores) };
        if (type !== undefined) reply.type(type);
        return reply.code(http).send(body);
      },
    });
  };
}

function subjectOf(fields: Readonly<Record<string, unknown>>): string | null {
  const given = fields['name'] ?? fields['subject'];
  return typeof given === 'string' ? given : null;
}

function similaritiesOf({ best = [], threshold = 0 }: Pick<Answer, 'best' | 'threshold'>) {
  return best.map((value) => ({ value, accepted: value >= threshold }));
}
