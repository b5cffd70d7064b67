import { endpoints, isSpecified, ownForm, refusalAnswer, specifiedPart, statuses } from '@wajah/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { z } from 'zod';
import type { Refusal } from '../../errors.ts';
import type { CalibrationNote } from '../../services/galleries/ports.ts';
import { endpointOf } from './request-state.ts';

export interface CalibrationOptions {
  readonly calibrationNote: CalibrationNote;
}

/** Adds `calibration: "provisional"` to the answers that compare faces, and to refusals that state a similarity. */
export const calibration = plugin(
  async (app: FastifyInstance, { calibrationNote }: CalibrationOptions) => {
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
  if (refusal !== null && refusal.status !== 'notRecognized') return 'similarity' in payload;
  const answer = endpointOf(request)?.answer;
  if (!(answer instanceof z.ZodObject) || !('calibration' in answer.shape)) return false;
  // An enrolment compares where it appends.
  if ('similarity' in answer.shape && !('similarity' in payload)) return false;
  return !('calibration' in payload);
}

type Body = Readonly<Record<string, unknown>>;

/** Differences of single answers, beside the fields that are left out. */
const rewrites: Readonly<Record<string, (body: Body) => Body>> = {
  [endpoints.verifyFace.id]: (body) => (body['verified'] === false ? { ...body, ...notVerified } : body),
  [endpoints.identifyFace.id]: (body) => ({ ...body, return: list(body['return']).map(asText) }),
  [endpoints.listGalleries.id]: (body) => ({ ...body, facegalleries: body['facegallery_id'] }),
  [endpoints.verifyLiveness.id]: ({ results, ...body }) => ({
    ...body,
    liveness: String(body['liveness'] === 'passed'),
    results: closedFor('covered', record(results)),
  }),
  [endpoints.verifyLivenessBatch.id]: ({ results, ...body }) => ({
    ...body,
    results: Object.fromEntries(
      Object.entries(record(results)).map(([name, entry]) => [name, batchEntry(record(entry))]),
    ),
  }),
};

const { status, message } = statuses.notRecognized;
const notVerified = { status, status_message: message };

/**
 * Answers like the public cloud service of this protocol, for programs written for it: each body is wrapped, and some
 * values are texts, and only fields that the contract marks as the specification's are told, because programs with strict
 * decoders refuse others; of an endpoint that the specification does not have, all. Unchanged are tokens, health checks and documents; answers to callers that
 * accept the own form, such as the client library; and, by Sec-Fetch-Site, answers to pages of this server's own origin
 * such as the console.
 */
export const compat = plugin(
  async (app: FastifyInstance, { alwaysOk }: { alwaysOk: boolean }) => {
    app.decorateRequest('asCloud', {
      getter() {
        return isWrapped(this);
      },
    });
    app.addHook('preSerialization', async (request, reply, payload) => {
      if (!request.asCloud || typeof payload !== 'object' || payload === null) return payload;
      const { refusal } = request;
      if (refusal === null) return { risetai: rewriteOf(request)(specifiedOf(request, payload)) };
      if (alwaysOk && isOfInterface(request)) reply.code(httpOf(refusal, reply.statusCode));
      const told = specifiedPart(endpointOf(request)?.miss ?? refusalAnswer, payload) as Body;
      return { risetai: refusalOf(request, refusal, told) };
    });
  },
  { name: 'compat', dependencies: ['request-state'] },
);

function isWrapped(request: FastifyRequest): boolean {
  const { accept, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin' || accept?.includes(ownForm)) return false;
  const endpoint = endpointOf(request);
  return endpoint === undefined || (endpoint.auth === 'token' && endpoint.profile === undefined);
}

/** Not so a path that nobody serves: a probe of a proxy, or of Prometheus, would take it for healthy. */
function isOfInterface(request: FastifyRequest): boolean {
  return endpointOf(request) !== undefined || /^(\/risetai)?\/(face|liveness|system)-api\//.test(request.url);
}

const tooLarge = new Set<string>(['bodyTooLarge', 'bodyRestTooLarge', 'picturesTooLarge']);

/** Programs read `status` only, and many libraries throw on other codes. @param otherwise of the native interface */
function httpOf({ code, status: row }: Refusal, otherwise: number): number {
  // What a proxy in front of the server would answer.
  if (code !== null && tooLarge.has(code)) return 413;
  return row === 'busy' || row === 'tooManyRequests' ? otherwise : 200;
}

function refusalOf(request: FastifyRequest, { status: row, fields }: Refusal, body: Body): Body {
  // That service has no 409.
  if (row === 'userExists') return { ...body, status: statuses.malformed.status };
  if (row !== 'notRecognized') return body;
  const answer = rewriteOf(request)(body);
  return 'return' in answer ? { ...answer, return: [unregistered(fields['masked'] === true)] } : answer;
}

/** Programs take the first entry without a look at the length. The confidence is below every limit. */
function unregistered(masked: boolean): Body {
  return { confidence_level: '0.0', mask: String(masked), user_id: 'unregistered', user_name: '' };
}

function rewriteOf(request: FastifyRequest): (body: Body) => Body {
  return rewrites[endpointOf(request)?.id ?? ''] ?? same;
}

function same(body: Body): Body {
  return body;
}

/** What the specification shows of an answer, and of the rows that are written after it. */
function specifiedOf(request: FastifyRequest, answer: object): Body {
  const endpoint = endpointOf(request);
  if (endpoint === undefined || !isSpecified(endpoint)) return answer as Body;
  const { rows } = request;
  if (rows !== null)
    request.rows = { ...rows, row: rows.row.transform((row) => specifiedPart(rows.row, row)) };
  return specifiedPart(endpoint.answer, answer) as Body;
}

/** An entry's mouth is open or closed there. */
function batchEntry(entry: Body): Body {
  return closedFor('masked', closedFor('covered', entry));
}

/** What is in a state that is not known there is closed. */
function closedFor(unknown: string, states: Body): Body {
  return Object.fromEntries(
    Object.entries(states).map(([name, state]) => [name, state === unknown ? 'closed' : state]),
  );
}

function record(value: unknown): Body {
  return typeof value === 'object' && value !== null ? (value as Body) : {};
}

function list(value: unknown): readonly Body[] {
  return Array.isArray(value) ? value : [];
}

function asText({ confidence_level: level, mask, ...person }: Body): Body {
  return { confidence_level: String(level), mask: String(mask), ...person };
}
