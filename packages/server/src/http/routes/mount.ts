import { type OwnEndpoint, operatorEndpoint, success } from '@wajah/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { mayDiagnose } from '../../services/caller.ts';
import type { Observed } from '../observed.ts';
import {
  type CallAdmission,
  type RequireToken,
  requireBoundGallery,
  settleHit,
  takeHit,
  takeHitIfLeft,
} from '../plugins/auth.ts';
import { readRequest } from '../plugins/body.ts';
import { callerOf } from '../plugins/request-state.ts';
import { withoutRows } from '../plugins/rows.ts';
import { methodsOf } from '../plugins/unrouted.ts';
import { scaleOf } from '../scales.ts';
import type { Judged, Mount, RequestOf, Serve } from './ports.ts';
import { routeOf } from './route-of.ts';

interface MountOptions {
  /** Of the largest picture. */
  readonly imageBytes: number;
  /** As `methodsOf` takes it. */
  readonly prefix: string;
  /** Endpoints are as the operator's socket has them. */
  readonly forOperator?: boolean;
}

export function createMount(
  app: FastifyInstance,
  { quotas, scheduler }: CallAdmission,
  requireCaller: RequireToken,
  { imageBytes, prefix, forOperator = false }: MountOptions,
): Mount {
  return <Request extends z.ZodObject, Answer extends z.ZodObject, Sent extends z.ZodRawShape, Value>(
    row: OwnEndpoint<Request, Answer, Sent>,
    serve: Serve<Request, Sent, Value>,
    judged?: Judged<Request, Answer, Value>,
  ) => {
    const endpoint = forOperator ? operatorEndpoint(row) : row;
    const analyses = endpoint.pictures > 0;
    app.route({
      ...routeOf(endpoint, imageBytes),
      method: methodsOf(endpoint, prefix),
      onRequest: [requireCaller],
      preParsing: async (request: FastifyRequest) => {
        if (analyses) scheduler.requireRoom({ clientId: request.clientId ?? '', operation: endpoint.id });
        if (endpoint.hit === 'before') await takeHit(request, quotas);
        if (endpoint.hit === 'while left') await takeHitIfLeft(request, quotas);
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const fields = readRequest(request, endpoint) as RequestOf<Request, Sent>;
        request.subject = subjectOf(fields);
        requireBoundGallery(request);
        const caller = callerOf(request, reply);
        const scale = scaleOf(request);
        const value = await serve(caller, fields, scale);
        if (judged?.observe) request.observed = judged.observe(value, fields);
        if (endpoint.hit === 'after') await takeHitIfLeft(request, quotas);
        await settleHit(request);
        const view = judged ? judged.view(value, scale) : value;
        const shown = mayDiagnose(caller) ? view : without(view, hiddenOf(endpoint, request.observed));
        const answer = { ...success(endpoint.message), ...(shown as object) };
        return endpoint.answer.parse(withoutRows(request, answer, endpoint.answer));
      },
    });
  };
}

/** Fields that only the scope `diagnostics` sees. */
function hiddenOf(
  { diagnostics = [], diagnosticsOfDenial = [] }: OwnEndpoint,
  { denial }: Observed,
): readonly string[] {
  return denial === null ? diagnostics : [...diagnostics, ...diagnosticsOfDenial];
}

/** A value without some fields, which are named by path. */
function without(value: unknown, paths: readonly string[]): unknown {
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => without(entry, paths));
  const kept = Object.entries(value).filter(([name]) => !paths.includes(name));
  return Object.fromEntries(kept.map(([name, part]) => [name, without(part, pathsBelow(name, paths))]));
}

function pathsBelow(name: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => (path.startsWith(`${name}.`) ? path.slice(name.length + 1) : []));
}

/** User and gallery of a request. */
function subjectOf(fields: Readonly<Record<string, unknown>>): FastifyRequest['subject'] {
  const { userId, facegalleryId } = fields;
  return {
    userId: typeof userId === 'string' ? userId : null,
    galleryId: typeof facegalleryId === 'string' ? facegalleryId : null,
  };
}
