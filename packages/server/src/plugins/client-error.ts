import type { Socket } from 'node:net';
import { statuses } from '@wajah/contract';
import type { FastifyError, FastifyReply } from 'fastify';
import { uuidv7 } from 'uuidv7';

const details: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the headers are too large; allowed are 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/** Answers, in the envelope, what was never a whole HTTP request. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = malformedBody(details[error.code ?? ''] ?? 'not an HTTP request');
  const head = 'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n';
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** Answers, in the envelope, a request that reaches no route: its URL cannot be read. */
export function answerFrameworkError(_error: FastifyError, _request: unknown, reply: FastifyReply): void {
  const body = malformedBody('the URL: found a percent sign without two hexadecimal digits, or not UTF-8');
  reply.code(400).header('content-type', 'application/json').send(body);
}

function malformedBody(detail: string): string {
  const { status, message: status_message } = statuses.malformed;
  return JSON.stringify({ status, status_message, detail, trx_id: uuidv7() });
}
