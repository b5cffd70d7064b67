import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { endpointList, type StatusName, statuses } from '@wajah/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { uuidv7 } from 'uuidv7';
import { Refusal } from '../../errors.ts';
import { compatPrefix } from './answers.ts';
import { comprefacePrefix, type Profile } from './profile.ts';

const details: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the headers are too large; allowed are 16 KiB',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the extensions of the chunks are too large; allowed are 16 KiB',
  HPE_INVALID_CONTENT_LENGTH: 'Content-Length: found a value that is not a number of bytes',
  HPE_UNEXPECTED_CONTENT_LENGTH:
    'Content-Length: found beside another one or Transfer-Encoding; allowed is one',
  HPE_INVALID_TRANSFER_ENCODING: 'Transfer-Encoding: found beside Content-Length or not ending with chunked',
  HPE_INVALID_CHUNK_SIZE: 'the body: found a chunk without a hexadecimal size',
  HPE_INVALID_METHOD: 'the request line: found no method of HTTP',
  HPE_INVALID_URL: 'the request line: found a URL with a character that has to be escaped',
  HPE_INVALID_VERSION: 'the request line: found a version of HTTP other than 1.0 and 1.1',
  HPE_INVALID_HEADER_TOKEN: 'the headers: found a character that is not allowed there',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

const methodsOf: ReadonlyMap<string, readonly string[]> = new Map(
  endpointList.map(({ path, methods }) => [path, methods.flatMap(withHead)]),
);

function withHead(method: string): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

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
      endWith(socket, answer('methodNotAllowed', 'found CONNECT; this is no proxy'));
    });
    app.addHook('onRequest', ({ raw }, _reply, done) => {
      // RFC 9112, section 3.2 requires status 400.
      const lacksHost = raw.httpVersion === '1.1' && raw.headers.host === undefined;
      if (!lacksHost) return done();
      done(new Refusal('malformed', 'Host: found no such header; send the host name of the URL'));
    });
    app.setNotFoundHandler(async (request, reply) => {
      // A missing file may exist after an update.
      reply.header('cache-control', 'no-store');
      const path = request.url.split('?')[0]?.replace(/\/+$/, '') ?? '';
      const inside = prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
      const methods = methodsOf.get(inside);
      if (methods === undefined) throw new Refusal('routeNotFound', missing(path, prefix));
      const allow = [...methods, 'OPTIONS'].join(', ');
      reply.header('allow', allow);
      if (request.method === 'OPTIONS') return reply.code(204).send();
      throw new Refusal('methodNotAllowed', `found ${request.method}; allowed here is ${allow}`);
    });
  },
  { name: 'unrouted-requests', dependencies: ['envelope'] },
);

function missing(path: string, prefix: string): string {
  const isCompatPath = prefix === '' && path.startsWith(`${compatPrefix}/`);
  const isComprefacePath = path.startsWith(`${comprefacePrefix}/`);
  const hint = isCompatPath
    ? `; paths below ${compatPrefix} need WAJAH_COMPAT=risetai`
    : isComprefacePath
      ? `; paths below ${comprefacePrefix} need WAJAH_COMPAT=compreface`
      : '';
  return `no endpoint has this path; see /openapi.json${hint}`;
}

/**
 * Answers an incomplete or invalid HTTP request in the envelope, after the complete requests before it.
 * @param before answers of the connection that are not complete
 */
export function answerClientError(
  error: Error & { code?: string },
  socket: Duplex,
  before: readonly ServerResponse[],
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  if (before.some((response) => !response.req.complete && response.headersSent)) {
    // Its answer has begun; a second one would corrupt it.
    socket.destroy();
    return;
  }
  const detail = details[error.code ?? ''] ?? 'not an HTTP request';
  const waiting = before.filter((response) => response.req.complete);
  if (waiting.length === 0) endWith(socket, answer('malformed', detail));
  else waiting.at(-1)?.once('close', () => socket.writable && endWith(socket, answer('malformed', detail)));
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
  profile: Pick<Profile, 'malformedBody'> | null,
): void {
  const detail =
    'the URL: found no path, a percent sign without two hexadecimal digits, or escaped bytes that are not UTF-8';
  const isOfProfile = profile && request.url.startsWith(`${comprefacePrefix}/`);
  const body = isOfProfile ? JSON.stringify(profile.malformedBody(detail)) : bodyOf('malformed', detail);
  reply.code(400).header('content-type', 'application/json').send(body);
}

/** Answers a connection before its first request, and closes it. */
export function refuseConnection(socket: Socket): void {
  // Without a listener the reset of a connection ends the process.
  socket.on('error', () => {});
  const detail =
    'too many connections of this network, or too many pipelined requests; keep a connection for several calls, and make fewer at a time';
  // At once: what it has sent would be parsed, and its requests held until it closes.
  socket.end(answer('busy', detail), () => socket.destroy());
}

/** A complete HTTP answer, after which the connection closes. */
function answer(name: StatusName, detail: string): string {
  const body = bodyOf(name, detail);
  const { http, message } = statuses[name];
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

function bodyOf(name: StatusName, detail: string): string {
  const { status, message: status_message } = statuses[name];
  return JSON.stringify({ status, status_message, detail, trx_id: uuidv7() });
}
