import type { IncomingMessage } from 'node:http';
import { type CamelCased, camelCased, type Endpoint, parseRequest } from '@wajah/contract';
import { phrase } from '@wajah/contract/refusals';
import { imageType } from '@wajah/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { Refusal } from '../../errors.ts';
import { largestBody, restBytes, unread } from '../bodies/body-reader.ts';
import { formFields, formShapeOf, partKindOf, pictureNames } from '../bodies/form-fields.ts';
import { type FormPart, FormReader, isForm } from '../bodies/form-parts.ts';
import { type JsonBody, JsonReader } from '../bodies/json-body.ts';
import { type Accounts, BodyBudget, type Reception, receiveBody } from '../bodies/receive-body.ts';
import { endpointOf, mayCarryPictures, useTrxId } from './request-state.ts';

const form = 'application/x-www-form-urlencoded';

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes that this request has taken from the budget of bodies. */
    bodyBytes: number;
  }
}

/** What tests replace: they cannot send as much as the real limits allow. */
export interface BodyLimits {
  /** Bytes of all bodies in flight, and of those of one caller. */
  readonly total?: number;
  readonly share?: number;
  /** Bytes a second below which a body is refused; 0: none is. */
  readonly leastRate?: number;
}

/** What one client may take of the budget of all bodies, and the links of its sessions of that: others have room then. */
const [clientShare, linksShare] = [3 / 4, 1 / 2];

/** Pictures of the largest size that the link of a session may send at a time: all its frames are smaller. */
const linkPictures = 2;

/** A body that was received: of a form its fields; of anything else JSON, or a text that is taken for it. */
type ReceivedBody = readonly FormPart[] | JsonBody;

/**
 * Reads every body while it arrives, whatever its Content-Type: JSON is often sent as text/plain or without a type, and
 * with GET. `readRequest` parses it. Bodies count against the budget until their calls are answered.
 */
export const body = plugin(
  async (
    app: FastifyInstance,
    {
      bodiesBytes,
      imageBytes,
      ...limits
    }: Pick<Config['limits'], 'bodiesBytes' | 'imageBytes' | 'leastRate'> & BodyLimits,
  ) => {
    // One body of the allowed size always fits.
    const { share = Math.max(clientShare * bodiesBytes, largestBody(imageBytes)) } = limits;
    const { total = Math.max(bodiesBytes, share), leastRate } = limits;
    const budget = new BodyBudget();
    const [link, links] = [largestBody(imageBytes, linkPictures), linksShare * share];
    const accountsOf = ({ clientId, sessionId }: FastifyRequest): Accounts => {
      // Callers without a token share a part of one share.
      const caller = clientId === null ? 'unknown' : `client ${clientId}`;
      const own = { [`session ${sessionId}`]: link, [`links of ${caller}`]: links };
      return Object.entries({
        ...(sessionId !== null && own),
        [caller]: clientId === null ? links : share,
        all: total,
      });
    };
    app.decorateRequest('bodyBytes', 0);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
      const endpoint = endpointOf(request);
      // Without an endpoint nobody reads it.
      if (!endpoint || !hasBody(request)) return undefined;
      const reader = readerOf(request, endpoint, imageBytes);
      const reception = receptionOf(request, budget, accountsOf(request), leastRate);
      return receiveBody<ReceivedBody>(payload, reception, reader);
    });
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
      // Who has the token in the body is known only afterwards.
      const accounts = accountsOf(request);
      reply.raw.once('close', () => budget.add(accounts, -request.bodyBytes));
      done(null, payload);
    });
    app.addHook('onSend', (request, reply, payload, done) => {
      if (hasBody(request) && !request.raw.complete) closeOnceRead(request, reply);
      done(null, payload);
    });
  },
  { name: 'body', dependencies: ['request-state'] },
);

/** A client that still sends its body may not see the answer on a connection that is closed. */
function closeOnceRead({ raw: request }: FastifyRequest, reply: FastifyReply): void {
  const { raw: answer } = reply;
  const closes = !answer.shouldKeepAlive;
  reply.removeHeader('connection');
  answer.shouldKeepAlive = true;
  if (!closes) return;
  const end = () => request.socket.end();
  answer.once('finish', () => (request.complete ? end() : request.once('end', end)));
}

function readerOf(request: FastifyRequest, { request: schema, pictures }: Endpoint, imageBytes: number) {
  const type = request.headers['content-type'] ?? '';
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Refusal('bodyCompressed', {}, unread);
  const isMultipart = /^multipart\//i.test(type);
  if (isMultipart && !(isForm(request) && pictures > 0))
    throw new Refusal('formNotTaken', { type: type.split(';')[0]! }, unread);
  const shape = formShapeOf(schema);
  const fields = pictureNames(shape);
  const bounds = { rest: restBytes(pictures), picture: imageBytes, pictureFields: fields };
  const names = new Set(fields.map((field) => field.split('.').at(-1)!));
  if (isMultipart) return new FormReader(type, bounds, (name) => partKindOf(shape, name), names);
  const reader = new JsonReader(bounds, names);
  let isFirst = true;
  return {
    write(chunk: Buffer) {
      if (isFirst && pictures > 0) requireJson(chunk, type);
      isFirst = false;
      reader.write(chunk);
    },
    end: () => reader.end(),
  };
}

/** What a form and a picture begin with, that are sent as something else. */
const formStart = /^--\S+\s+content-(disposition|type):/i;

/** @throws Refusal that says what a body is that cannot be JSON */
function requireJson(start: Buffer, contentType: string): void {
  const text = start.toString('latin1', 0, 1024);
  if (/^(\xef\xbb\xbf)?\s*([{["]|$)/.test(text)) return;
  const type = contentType || 'none';
  if (formStart.test(text)) throw new Refusal('bodyIsForm', { type });
  const image = imageType(start);
  if (image.format !== 'other')
    throw new Refusal('bodyIsPicture', { type, looksLike: image.format.toUpperCase() });
  const looksLike = image.looksLike.replace(/^base64 .*/, 'base64');
  if (/ picture$|^base64$/.test(looksLike)) throw new Refusal('bodyIsPicture', { type, looksLike });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function receptionOf(
  request: FastifyRequest,
  budget: BodyBudget,
  accounts: Accounts,
  leastRate: number,
): Reception {
  const length = request.headers['content-length'];
  // A larger one would never find room.
  const most = Math.min(request.routeOptions.bodyLimit ?? 0, ...accounts.map(([, bytes]) => bytes));
  const requireRoom = (bytes: number) => {
    const lacking = budget.lacking(accounts, bytes);
    if (lacking === undefined) return;
    const whose = phrase(lacking === 'all' ? 'ofOtherCalls' : 'ofYourCalls');
    throw new Refusal('noRoomForBody', { whose, seconds: 1 }, unread);
  };
  return {
    announced: length === undefined ? undefined : Number(length),
    most,
    leastRate,
    requireRoom,
    take(bytes) {
      requireRoom(bytes);
      budget.add(accounts, bytes);
      request.bodyBytes += bytes;
    },
    tooLarge: () =>
      new Refusal(mayCarryPictures(request) ? 'picturesTooLarge' : 'bodyTooLarge', { most }, unread),
    tooSlow: (bytes, seconds) => new Refusal('bodyTooSlow', { bytes, seconds }),
  };
}

/**
 * Checks the fields of a request and names them in camelCase. Query parameters are read where the endpoint has a method
 * other than POST; fields of the body take precedence.
 * @throws Refusal `malformed`, or the row of the missing field
 */
export function readRequest<Request extends z.ZodObject>(
  request: FastifyRequest,
  endpoint: Endpoint<Request>,
): CamelCased<z.output<Request>> {
  const fields = decode(request, endpoint);
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

function decode(request: FastifyRequest, endpoint: Endpoint): unknown {
  const parts = formPartsOf(request);
  if (parts) return formFields(parts, formShapeOf(endpoint.request));
  const type = request.headers['content-type'] ?? '';
  const isUrlEncoded = type.toLowerCase().startsWith(form);
  const takesForms = endpoint.auth === 'credentials' || endpoint.profile !== undefined;
  if (!takesForms || !isUrlEncoded) return readJson(request);
  const text = (request.body as JsonBody | undefined)?.text ?? '';
  return text.trimStart().startsWith('{') ? readJson(request) : parseForm(text);
}

/** The fields of a body that is a form; null: it is none. */
export function formPartsOf({ body: received }: FastifyRequest): readonly FormPart[] | null {
  return Array.isArray(received) ? received : null;
}

/** The JSON of a body that is no form; undefined: it is empty. @throws Refusal `malformed` */
export function readJson(request: FastifyRequest): unknown {
  const json = request.body as JsonBody | undefined;
  if (json === undefined || json.text.trim() === '') return undefined;
  const type = request.headers['content-type'] ?? '';
  try {
    return json.value();
  } catch (error) {
    const isUrlEncoded = type.toLowerCase().startsWith(form);
    const isForm = isUrlEncoded || /^[\w.%+-]+=/.test(json.text);
    throw isForm ? new Refusal('jsonExpected', { type: form }) : error;
  }
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
