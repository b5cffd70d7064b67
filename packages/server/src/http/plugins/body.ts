import { type Endpoint, parseRequest } from '@wajah/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { z } from 'zod';
import { Refusal } from '../../errors.ts';
import { findJsonFault } from './json-fault.ts';
import { useTrxId } from './request-state.ts';

const form = 'application/x-www-form-urlencoded';

/**
 * Takes every body as bytes, whatever its Content-Type says: JSON sent as text/plain or without a type is
 * common. GET may have a body too. What the bytes mean is decided when the handler reads them.
 */
export const body = plugin(
  async (app: FastifyInstance) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
    app.addHook('onRequest', async ({ raw }) => {
      const type = raw.headers['content-type'];
      if (type !== undefined && !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$)/.test(type)) {
        raw.headers['content-type'] = 'application/octet-stream';
      }
    });
  },
  { name: 'body', dependencies: ['request-state'] },
);

/**
 * The fields of a request, checked. Query parameters count where the endpoint can be called without a body;
 * fields of the body win.
 * @throws Refusal `malformed`, or the row of the missing field
 */
export function readRequest<Request extends z.ZodObject>(
  request: FastifyRequest,
  endpoint: Pick<Endpoint<Request>, 'request' | 'methods' | 'auth'>,
): z.output<Request> {
  const fields = decode(request, endpoint.auth === 'credentials');
  useTrxId(request, fields);
  const bodyless = endpoint.methods.some((method) => method !== 'POST');
  const parsed = parseRequest(endpoint.request, bodyless ? withQuery(request, fields) : fields);
  if (parsed.ok) return parsed.value;
  throw new Refusal(parsed.status, parsed.detail);
}

/** A null in the body stands for an absent field, so it does not hide the query's. */
function withQuery(request: FastifyRequest, fields: unknown): unknown {
  const query = request.query as Record<string, unknown>;
  if (fields === undefined || fields === null) return query;
  if (typeof fields !== 'object' || Array.isArray(fields)) return fields;
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  return { ...query, ...Object.fromEntries(given) };
}

function decode(request: FastifyRequest, formAllowed: boolean): unknown {
  const bytes = request.body as Buffer | undefined;
  if (bytes === undefined || bytes.length === 0) return undefined;
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new Refusal('malformed', 'Content-Encoding: the body is compressed; allowed is identity');
  }
  const text = decodeUtf8(bytes);
  const type = request.headers['content-type'] ?? '';
  const isForm = type.toLowerCase().startsWith(form);
  return isForm && formAllowed && !text.trimStart().startsWith('{') ? parseForm(text) : parseJson(text, type);
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('malformed', 'the body: found bytes that are not UTF-8; allowed is JSON in UTF-8');
  }
}

function parseJson(text: string, type: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('malformed', jsonProblem(text, type));
  }
}

/** Names the place, never what stands there: it may be a picture. */
function jsonProblem(text: string, type: string): string {
  const kind = /^(multipart\/|application\/x-www-form-urlencoded)/i.exec(type);
  if (kind !== null) return `Content-Type: found a form (${type.split(';')[0]}); allowed is a JSON object`;
  const fault = findJsonFault(text);
  if (fault === null) return 'the body: JSON that is nested too deeply';
  const before = text.slice(0, fault.offset);
  const line = before.split('\n').length;
  const column = fault.offset - before.lastIndexOf('\n');
  return `the body: not JSON at position ${fault.offset} (line ${line}, column ${column}): ${fault.expected} was expected`;
}

/** RFC 6749, section 3.2: parameters must not be included more than once. */
function parseForm(text: string): Record<string, string> {
  const fields: [string, string][] = [];
  const seen = new Set<string>();
  for (const [field, value] of new URLSearchParams(text)) {
    if (seen.has(field)) throw new Refusal('malformed', 'the body: found a field twice; allowed is once');
    seen.add(field);
    fields.push([field, value]);
  }
  return Object.fromEntries(fields);
}
