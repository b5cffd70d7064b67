import { parseRequest } from '@wajah/contract';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { foundTwice, textOf } from '../bodies/form-fields.ts';
import type { FormPart } from '../bodies/form-parts.ts';
import { isForm, readForm } from '../bodies/form-parts.ts';
import { failure } from '../compreface-errors.ts';
import { readJson } from '../plugins/body.ts';
import type { ComprefaceEndpoint } from './endpoints.ts';

type Fields = Readonly<Record<string, unknown>>;

const pictureFields = ['file', 'source_image', 'target_image'];

/**
 * The fields of a call: of the path, the query string, and the JSON or the form of its body.
 * @throws Refusal with the code of CompreFace
 */
export async function readCall<Request extends z.ZodObject>(
  request: FastifyRequest,
  endpoint: ComprefaceEndpoint<Request>,
): Promise<z.output<Request>> {
  const query = queryOf(request.url);
  const fields: Fields = { ...query, ...(await bodyOf(request, endpoint)), ...pathOf(request) };
  for (const name of endpoint.required) requireParameter(fields, name);
  for (const name of pictureFields.filter((field) => field in endpoint.request.shape)) {
    requirePicture(request, fields, name);
  }
  const parsed = parseRequest(endpoint.request, fields);
  if (parsed.ok) return parsed.value;
  throw failure('validation', parsed.detail, parsed.status);
}

/** Programs append a second question mark: CompreFace's own library for JavaScript does. */
const secondQuery =
  /\?(?=(limit|det_prob_threshold|prediction_count|face_plugins|status|detect_faces|page|size)=)/g;

function queryOf(url: string): Record<string, string> {
  const start = url.indexOf('?');
  if (start === -1) return {};
  return Object.fromEntries(new URLSearchParams(url.slice(start + 1).replace(secondQuery, '&')));
}

function pathOf({ params }: FastifyRequest): Fields {
  return (params ?? {}) as Fields;
}

async function bodyOf(request: FastifyRequest, endpoint: ComprefaceEndpoint): Promise<Fields> {
  if (!['POST', 'PUT'].includes(request.method)) return {};
  if (isForm(request)) return readForm(request, (parts) => fieldsOfForm(parts, endpoint));
  const json = readJson(request);
  if (Array.isArray(json) && 'ids' in endpoint.request.shape) return { ids: json };
  if (json === undefined || json === null) return {};
  if (typeof json === 'object' && !Array.isArray(json)) return json as Fields;
  throw failure('undefined', 'the body: allowed is a JSON object, or a form where pictures are sent');
}

/** The fields that the endpoint has; others are ignored. */
function fieldsOfForm(parts: readonly FormPart[], { request }: ComprefaceEndpoint): Fields {
  const fields = new Map<string, string>();
  for (const part of parts.filter(({ name }) => Object.hasOwn(request.shape, name))) {
    if (fields.has(part.name)) throw foundTwice(part);
    fields.set(part.name, part.isFile ? part.bytes.toString('base64') : textOf(part));
  }
  return Object.fromEntries(fields);
}

function requireParameter(fields: Fields, name: string): void {
  const value = fields[name];
  if (value === undefined)
    throw failure('missingParameter', `Required parameter ${name} is missing`, 'userIdNull');
  if (typeof value === 'string' && value.trim() === '') {
    throw failure('validation', 'Subject name is empty; ', 'userIdNull');
  }
}

function requirePicture(request: FastifyRequest, fields: Fields, name: string): void {
  if (fields[name] !== undefined && fields[name] !== null) return;
  if (isForm(request)) throw failure('missingPart', `Required part ${name} is missing`, 'imageNull');
  throw failure('emptyField', `Field ${name} cannot be empty`, 'imageNull');
}
