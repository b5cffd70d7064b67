import { statuses } from '@wajah/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { ActivityRecorder, RecordedCall } from '../../services/activity/activity-recorder.ts';
import { endpointOf } from './request-state.ts';

/** A detail says little more beyond this many characters. */
const longestDetail = 300;

/** Counts each call that counts against the quota, once it is answered. */
export const activity = plugin(
  async (app: FastifyInstance, { recorder }: { recorder: Pick<ActivityRecorder, 'record'> }) => {
    app.addHook('onResponse', async (request, reply) => {
      const { clientId } = request;
      const endpoint = endpointOf(request);
      if (clientId === null || !endpoint || endpoint.hit === 'never') return;
      recorder.record({
        at: new Date(),
        clientId,
        route: endpoint.path,
        status: statuses[request.refusal ?? 'success'].status,
        ms: Math.round(reply.elapsedTime),
        similarity: request.observed.similarity,
        spoof: request.observed.spoof,
        refused: refusedOf(request),
      });
    });
  },
  { name: 'activity', dependencies: ['request-state'] },
);

/** Whoever calls too often would only push out what went wrong before. */
function refusedOf({
  refusal,
  refusalDetail,
  observed,
  trxId,
  subject,
}: FastifyRequest): RecordedCall['refused'] {
  if (refusal === 'tooManyRequests' || (refusal === null && observed.denial === null)) return null;
  const detail = (refusal === null ? observed.denial : refusalDetail)?.slice(0, longestDetail) ?? null;
  return { detail, trxId, galleryId: subject.galleryId, userId: subject.userId };
}
