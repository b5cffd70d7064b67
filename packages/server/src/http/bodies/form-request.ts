import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { BodyMemory } from './body-memory.ts';
import { type FormPart, readFormParts } from './form-parts.ts';

/** Whether the body of a request is a multipart form. */
export function isForm({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/**
 * Reads the multipart form of a request, which was received within the limits of all bodies, and releases it.
 * @param use takes what is needed of the fields, whose bytes are gone when it returns
 * @throws Refusal `malformed` when the form is incomplete, has too many fields, or a field cannot be read; what `use` throws
 * @example const pictures = await readForm(request, (parts) => parts.map(({ bytes }) => bytes.toString('base64')));
 */
export async function readForm<T>(
  request: Pick<FastifyRequest, 'headers' | 'body'>,
  use: (parts: readonly FormPart[]) => T,
): Promise<T> {
  requireUncompressed(request.headers);
  const memory = request.body as BodyMemory | undefined;
  try {
    const bytes = memory?.bytes ?? Buffer.alloc(0);
    return use(bytes.length === 0 ? [] : readFormParts(bytes, request.headers['content-type'] ?? ''));
  } finally {
    memory?.release();
  }
}

/** @throws Refusal `malformed` when the body is compressed: its size would not be known before it is read */
export function requireUncompressed(headers: IncomingHttpHeaders): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new Refusal('malformed', 'Content-Encoding: the body is compressed; allowed is identity');
  }
}
