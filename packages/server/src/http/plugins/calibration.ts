import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { z } from 'zod';
import type { AppServices } from '../../services/app-services.ts';
import { endpointOf } from './request-state.ts';

/** Adds `calibration: "provisional"` to the answers that compare faces, and to refusals that state a similarity. */
export const calibration = plugin(
  async (app: FastifyInstance, { calibrationNote }: Pick<AppServices, 'calibrationNote'>) => {
    app.addHook('preSerialization', async (request, _reply, payload) => {
      if (typeof payload !== 'object' || payload === null || !compares(request, payload)) return payload;
      const note = await calibrationNote(request.clientId, request.subject.galleryId);
      return note === null ? payload : { ...payload, calibration: note };
    });
  },
  { name: 'calibration', dependencies: ['request-state'] },
);

function compares(request: FastifyRequest, payload: object): boolean {
  const { refusal } = request;
  if (refusal !== null && refusal !== 'notRecognized') return 'similarity' in payload;
  const answer = endpointOf(request)?.answer;
  return answer instanceof z.ZodObject && 'calibration' in answer.shape && !('calibration' in payload);
}
