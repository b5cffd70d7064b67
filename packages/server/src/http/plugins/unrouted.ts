import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Endpoint, endpointList, type Method, statuses } from '@wajah/contract';
import { type Phrase, phrase } from '@wajah/contract/refusals';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { uuidv7 } from 'uuidv7';
import { Refusal } from '../../errors.ts';

/** Below them are the interfaces of other services, where the setting WAJAH_COMPAT has `risetai` or `compreface`. */
export const compatPrefix = '/risetai';
export const comprefacePrefix = '/api/v1';

/** Codes of Node's errors. */
const codes = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'extensionsTooLarge',
  HPE_INVALID_CONTENT_LENGTH: 'contentLengthInvalid',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'contentLengthTwice',
  HPE_INVALID_TRANSFER_ENCODING: 'transferEncodingInvalid',
  HPE_INVALID_CHUNK_SIZE: 'chunkSizeInvalid',
  HPE_INVALID_METHOD: 'methodInvalid',
  HPE_INVALID_URL: 'urlInvalid',
  HPE_INVALID_VERSION: 'versionInvalid',
  HPE_INVALID_HEADER_TOKEN: 'headerInvalid',
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTooSlow',
} as const;

const endpointAt: ReadonlyMap<string, Endpoint> = new Map(endpointList.map((one) => [one.path, one]));

/** The methods of an endpoint. @param prefix of the profile `risetai`, whose older programs delete by POST; else empty */
export function methodsOf({ methods }: Endpoint, prefix: string): Method[] {
  const byPost = prefix !== '' && methods.includes('DELETE');
  return byPost ? [...new Set<Method>([...methods, 'POST'])] : [...methods];
}

function withHead(method: string): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** RFC 3986, section 3.2.2: a name or address, with a port. Addresses of pages are made with it. */
const hostForm = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * Answers in the envelope what reaches no route: 404, 405 with Allow, OPTIONS outside of CORS, and the errors that Node
 * would answer itself. Needs Node's `requireHostHeader: false`.
 * @param prefix below which all routes are also served
 */
export const unroutedRequests = plugin(
  async (app: FastifyInstance, { prefix = '' }: { prefix?: string }) => {
    // RFC 9110, section 10.1.1: an unknown expectation may be ignored.
    app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
    app.server.on('connect', (_request, socket) => {
      // Node has removed its own listener: without one the reset of a connection ends the process.
      socket.on('error', () => {});
      endWith(socket, answer(new Refusal('noProxy')));
    });
    app.addHook('onRequest', ({ raw, host }, _reply, done) => {
      // RFC 9112, section 3.2 requires status 400 for both.
      const lacksHost = raw.httpVersion === '1.1' && raw.headers.host === undefined;
      if (lacksHost) return done(new Refusal('hostMissing'));
      if (!hostForm.test(host)) return done(new Refusal('hostInvalid', { found: host }));
      done();
    });
    app.setNotFoundHandler(async (request, reply) => {
      // A missing file may exist after an update.
      reply.header('cache-control', 'no-store');
      const path = request.url.split('?')[0]?.replace(/\/+/g, '/').replace(/\/$/, '') ?? '';
      const inside = prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
      const endpoint = endpointAt.get(inside);
      if (endpoint === undefined) throw new Refusal('routeNotFound', { hint: hintFor(path, prefix) });
      const allow = [...methodsOf(endpoint, prefix).flatMap(withHead), 'OPTIONS'].join(', ');
      reply.header('allow', allow);
      if (request.method === 'OPTIONS') return reply.code(204).send();
      throw new Refusal('methodNotAllowed', { method: request.method, allowed: allow });
    });
  },
  { name: 'unrouted-requests', dependencies: ['envelope'] },
);

/** What a path needs that would be served with another setting. */
function hintFor(path: string, prefix: string): Phrase | undefined {
  if (prefix === '' && path.startsWith(`${compatPrefix}/`))
    return phrase('belowRisetai', { prefix: compatPrefix });
  if (!path.startsWith(`${comprefacePrefix}/`)) return undefined;
  return phrase('belowCompreface', { prefix: comprefacePrefix });
}

/**
 * Answers an incomplete or invalid HTTP request in the envelope, after the complete one before it.
 * @param before the answer of the connection that is not sent
 */
export function answerClientError(
  error: Error & { code?: string },
  socket: Duplex,
  before: ServerResponse | null,
): void {
  // An answer that has begun would be corrupted by a second one.
  const isBegun = before !== null && !before.req.complete && before.headersSent;
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || isBegun) {
    socket.destroy();
    return;
  }
  const text = answer(new Refusal(codes[error.code as keyof typeof codes] ?? 'notHttp'));
  if (!before?.req.complete) endWith(socket, text);
  else before.once('close', () => socket.writable && endWith(socket, text));
}

/** Time in which the caller of an ended connection reads its last answer and closes its side, milliseconds. */
const lingerMs = 5000;

/** A caller that is gone, or never closes its side, would keep the connection open. */
function endWith(socket: Duplex, text: string): void {
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Answers a request with an undecodable URL in the envelope. */
export function answerUndecodable(
  request: FastifyRequest,
  reply: FastifyReply,
  profile: { refusalBody(refusal: Refusal): object } | null,
): void {
  const refusal = new Refusal('urlUndecodable');
  const isOfProfile = profile && request.url.startsWith(`${comprefacePrefix}/`);
  const body = isOfProfile ? JSON.stringify(profile.refusalBody(refusal)) : bodyOf(refusal);
  reply.code(400).header('content-type', 'application/json').send(body);
}

/** Answers a connection before its first request, and closes it. */
export function refuseConnection(socket: Socket): void {
  // Without a listener the reset of a connection ends the process.
  socket.on('error', () => {});
  // At once: what it has sent would be parsed, and its requests held until it closes.
  socket.end(answer(new Refusal('tooManyConnections')), () => socket.destroy());
}

/** A complete HTTP answer, after which the connection closes. */
function answer(refusal: Refusal): string {
  const body = bodyOf(refusal);
  const { http, message } = statuses[refusal.status];
  const head = [
    `HTTP/1.1 ${http} ${message}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

function bodyOf({ code: error, status: row, params, detail }: Refusal): string {
  const { status, message: status_message } = statuses[row];
  return JSON.stringify({ status, status_message, error, params, detail, trx_id: uuidv7() });
}
