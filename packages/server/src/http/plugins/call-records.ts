import { statuses } from '@wajah/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { ActivityRecorder, RecordedCall } from '../../services/activity/activity-recorder.ts';
import { endpointOf, isDisconnected } from './request-state.ts';

/** Characters of a refusal's detail that are recorded. */
const maxDetail = 1000;

interface CallRecordsOptions {
  readonly recorder: Pick<ActivityRecorder, 'record'>;
}

/** Logs one line for each request, never its body, query string or token; records the calls of clients. */
export const callRecords = plugin(
  async (app: FastifyInstance, { recorder }: CallRecordsOptions) => {
    app.addHook('onRequest', (request, reply, done) => {
      // Fastify calls no later hook when the client disconnects before the answer.
      reply.raw.once('close', () => {
        if (isDisconnected(reply)) app.log.info({ ...factsOf(request, reply), gone: true }, 'request');
      });
      done();
    });
    app.addHook('onResponse', (request, reply, done) => {
      const { status } = statuses[request.refusal ?? 'success'];
      app.log.info({ ...factsOf(request, reply), status, http: reply.statusCode }, 'request');
      const { clientId } = request;
      const endpoint = endpointOf(request);
      if (clientId !== null && endpoint && endpoint.hit !== 'never') {
        recorder.record({
          at: new Date(),
          clientId,
          route: endpoint.path,
          status,
          ms: Math.round(reply.elapsedTime),
          similarities: request.observed.similarities,
          spoof: request.observed.spoof,
          refused: refusedCall(request),
        });
      }
      done();
    });
  },
  { name: 'call-records', dependencies: ['request-state'] },
);

function factsOf(request: FastifyRequest, reply: FastifyReply): object {
  return {
    trx_id: request.trxId,
    client_id: request.clientId,
    method: request.method,
    route: endpointOf(request)?.path ?? null,
    ms: Math.round(reply.elapsedTime),
  };
}

/** Rate-limited calls are left out: they would displace the refusals before them. */
function refusedCall(request: FastifyRequest): RecordedCall['refused'] {
  const { refusal, refusalDetail, observed, trxId, subject } = request;
  if (refusal === 'tooManyRequests' || (refusal === null && observed.denial === null)) return null;
  const detail = (refusal === null ? observed.denial : refusalDetail)?.slice(0, maxDetail) ?? null;
  return { detail, trxId, galleryId: subject.galleryId, userId: subject.userId };
}
