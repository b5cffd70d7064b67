import { type CamelCased, camelCased, type Endpoint, parseRequest } from '@wajah/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import type { z } from 'zod';
import { Refusal } from '../../errors.ts';
import { findJsonFault } from '../json-fault.ts';
import { useTrxId } from './request-state.ts';

const form = 'application/x-www-form-urlencoded';

/**
 * Reads every body as bytes, whatever its Content-Type: JSON is often sent as text/plain or without a type, and with GET.
 * `readRequest` decodes it.
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
 * Checks the fields of a request and names them in camelCase. Query parameters are read where the endpoint has a method
 * other than POST; fields of the body take precedence.
 * @throws Refusal `malformed`, or the row of the missing field
 */
export function readRequest<Request extends z.ZodObject>(
  request: FastifyRequest,
  endpoint: Pick<Endpoint<Request>, 'request' | 'methods' | 'auth'>,
): CamelCased<z.output<Request>> {
  const fields = decode(request, endpoint.auth === 'credentials');
  useTrxId(request, fields);
  const bodyless = endpoint.methods.some((method) => method !== 'POST');
  const parsed = parseRequest(endpoint.request, bodyless ? withQuery(request, fields) : fields);
  if (parsed.ok) return camelCased(parsed.value);
  throw new Refusal(parsed.status, parsed.detail);
}

/** A null in the body is an absent field and does not override the query. */
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

/** Names the place and the problem, but quotes nothing: it may be a picture. */
function jsonProblem(text: string, type: string): string {
  const kind = /^(multipart\/|application\/x-www-form-urlencoded)/i.exec(type);
  if (kind !== null) return `Content-Type: found a form (${type.split(';')[0]}); allowed is a JSON object`;
  const fault = findJsonFault(text);
  if (fault === null) return 'the body: JSON that is nested too deeply';
  const { offset, line, column, problem } = fault;
  return `the body: not JSON at position ${offset} (line ${line}, column ${column}): ${problem}`;
}

/** RFC 6749, section 3.2: a parameter may be present once. */
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
