import type { IncomingMessage } from 'node:http';
import { type CamelCased, camelCased, type Endpoint, parseRequest } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import { formFields, formShapeOf } from '../bodies/form-fields.ts';
import { isForm, readForm, requireUncompressed } from '../bodies/form-parts.ts';
import { findJsonFault } from '../bodies/json-fault.ts';
import { parseWithPictures } from '../bodies/json-pictures.ts';
import type { BodyMemory } from '../bodies/receive-body.ts';
import { BodyBudget, memoryReturner, type Reception, receiveBody } from '../bodies/receive-body.ts';
import { endpointOf, mayCarryPictures, useTrxId } from './request-state.ts';

const form = 'application/x-www-form-urlencoded';

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes that this request has taken from the budget of bodies. */
    bodyBytes: number;
  }
}

type BodyLimits = Pick<Config['limits'], 'bodyBytes' | 'bodiesBytes' | 'clientBodiesBytes' | 'bodyRate'>;

/**
 * Reads every body as bytes, whatever its Content-Type: JSON is often sent as text/plain or without a type, and with GET.
 * `readRequest` decodes it. Bodies count against the budget until their calls are answered.
 */
export const body = plugin(
  async (app: FastifyInstance, { bodyBytes, bodiesBytes, clientBodiesBytes, bodyRate }: BodyLimits) => {
    // One body of the allowed size always fits.
    const share = Math.max(clientBodiesBytes, bodyBytes);
    const budget = new BodyBudget(Math.max(bodiesBytes, share), share);
    const memory = memoryReturner(() => budget.used);
    app.decorateRequest('bodyBytes', 0);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) =>
      // Without an endpoint nobody reads it.
      endpointOf(request) && hasBody(request)
        ? receiveBody(payload, receptionOf(request, budget, bodyRate))
        : undefined,
    );
    app.addHook('onRequest', ({ raw }, _reply, done) => {
      const type = raw.headers['content-type'];
      if (type !== undefined && !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$)/.test(type)) {
        raw.headers['content-type'] = 'application/octet-stream';
      }
      done();
    });
    app.addHook('preParsing', (request, reply, payload, done) => {
      if (!hasBody(request)) return done(null, payload);
      // The caller disconnected during authentication: the event below has passed, and nothing would be given back.
      if (reply.raw.destroyed) return done(new Error('the connection was closed before the body'));
      reply.raw.once('close', () => {
        memory.beforeGivingBack();
        budget.giveBack(ownerOf(request), request.bodyBytes);
        memory.afterGivingBack();
      });
      done(null, payload);
    });
  },
  { name: 'body', dependencies: ['request-state'] },
);

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Callers without a token share one share. */
function ownerOf({ clientId }: FastifyRequest): string {
  return clientId === null ? 'unknown' : `client ${clientId}`;
}

function receptionOf(request: FastifyRequest, budget: BodyBudget, leastRate: number): Reception {
  const length = request.headers['content-length'];
  const most = request.routeOptions.bodyLimit ?? 0;
  return {
    announced: length === undefined ? undefined : Number(length),
    most,
    leastRate,
    reserve(bytes) {
      const lacking = budget.take(ownerOf(request), bytes);
      if (lacking !== null) throw noRoom(lacking);
      request.bodyBytes += bytes;
    },
    tooLarge: () =>
      new Refusal(mayCarryPictures(request) ? 'picturesTooLarge' : 'bodyTooLarge', { most }, readOn),
    tooSlow: (bytes, seconds) => new Refusal('bodyTooSlow', { bytes, seconds }),
  };
}

/** The rest of the body is read and dropped. */
const readOn = { keep_connection: true };

function noRoom(lacking: 'share' | 'total'): Refusal {
  const whose = phrase(lacking === 'share' ? 'ofYourCalls' : 'ofOtherCalls');
  return new Refusal('noRoomForBody', { whose, seconds: 1 }, readOn);
}

/**
 * Checks the fields of a request and names them in camelCase. Query parameters are read where the endpoint has a method
 * other than POST; fields of the body take precedence.
 * @throws Refusal `malformed`, or the row of the missing field
 */
export async function readRequest<Request extends z.ZodObject>(
  request: FastifyRequest,
  endpoint: Endpoint<Request>,
): Promise<CamelCased<z.output<Request>>> {
  const fields = await decode(request, endpoint);
  useTrxId(request, fields);
  const bodyless = endpoint.methods.some((method) => method !== 'POST');
  const parsed = parseRequest(endpoint.request, bodyless ? withQuery(request, fields) : fields);
  if (parsed.ok) return camelCased(parsed.value);
  throw new Refusal(parsed.code, parsed.params);
}

/** A null in the body is an absent field and does not override the query. */
function withQuery(request: FastifyRequest, fields: unknown): unknown {
  const query = request.query as Record<string, unknown>;
  if (fields === undefined || fields === null) return query;
  if (typeof fields !== 'object' || Array.isArray(fields)) return fields;
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  return { ...query, ...Object.fromEntries(given) };
}

async function decode(request: FastifyRequest, endpoint: Endpoint): Promise<unknown> {
  if (isForm(request) && endpoint.pictures > 0) {
    return readForm(request, (parts) => formFields(parts, formShapeOf(endpoint.request)));
  }
  return takeBytes(request, (bytes) => {
    const usual = endpoint.pictures > 0 ? parseWithPictures(bytes, formShapeOf(endpoint.request)) : null;
    return usual === null ? parseText(bytes, request, endpoint) : usual.value;
  });
}

function parseText(bytes: Buffer, request: FastifyRequest, endpoint: Endpoint): unknown {
  const text = decodeUtf8(bytes);
  const formAllowed = endpoint.auth === 'credentials';
  if (text === '') return undefined;
  const type = request.headers['content-type'] ?? '';
  const isUrlEncoded = type.toLowerCase().startsWith(form);
  return isUrlEncoded && formAllowed && !text.trimStart().startsWith('{')
    ? parseForm(text)
    : parseJson(text, type);
}

/** The JSON of a body; undefined: it is empty. @throws Refusal `malformed` */
export function readJson(request: FastifyRequest): unknown {
  const type = request.headers['content-type'] ?? '';
  return takeBytes(request, (bytes) => parseJson(decodeUtf8(bytes), type));
}

/** What is read out of a body that is a text; undefined: it is empty. Its bytes are released. */
function takeBytes(request: FastifyRequest, read: (bytes: Buffer) => unknown): unknown {
  const memory = request.body as BodyMemory | undefined;
  if (memory === undefined || memory.bytes.length === 0) return undefined;
  try {
    requireText(request);
    return read(memory.bytes);
  } finally {
    memory.release();
  }
}

function requireText({ headers }: FastifyRequest): void {
  requireUncompressed(headers);
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (/^multipart\//i.test(type)) throw new Refusal('formNotTaken', { type });
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('bodyNotUtf8');
  }
}

function parseJson(text: string, type: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw jsonRefusal(text, type);
  }
}

/** Names the place and the problem, but quotes nothing: it may be a picture. */
function jsonRefusal(text: string, type: string): Refusal {
  if (type.toLowerCase().startsWith(form)) return new Refusal('jsonExpected', { type: form });
  const fault = findJsonFault(text);
  return fault === null ? new Refusal('jsonTooDeep') : new Refusal('notJson', fault);
}

/** RFC 6749, section 3.2: a parameter may be present once. */
function parseForm(text: string): Record<string, string> {
  const fields: [string, string][] = [];
  const seen = new Set<string>();
  for (const [field, value] of new URLSearchParams(text)) {
    if (seen.has(field)) throw new Refusal('fieldTwice');
    seen.add(field);
    fields.push([field, value]);
  }
  return Object.fromEntries(fields);
}
