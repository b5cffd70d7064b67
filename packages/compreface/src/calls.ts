import { type Picture, parseRequest } from '@wajah/contract';
import {
  type Caller,
  type CompatibleService,
  callerOf,
  type FormPart,
  formPartsOf,
  foundTwice,
  type Identify,
  isForm,
  type ProfileOptions,
  Refusal,
  readJson,
  routeOf,
  settleHit,
  takeHit,
  takeHitIfLeft,
  textOf,
  withoutRows,
} from '@wajah/server/profile';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ComprefaceEndpoint } from './endpoints.ts';
import { validationCode } from './errors.ts';

export interface Answer {
  readonly body: unknown;
  /** Default: 200. */
  readonly http?: number;
  readonly type?: string;
}

/** Mounts an endpoint behind a key of its service: authentication, room for pictures, quota, fields, one service call, view. */
export type ComprefaceMount = <Request extends z.ZodObject>(
  endpoint: ComprefaceEndpoint<Request>,
  serve: (caller: Caller, fields: z.output<Request>, galleryId: string) => Promise<Answer>,
) => void;

export function createComprefaceMount(
  app: FastifyInstance,
  { services: { quotas, scheduler }, identify, imageBytes }: ProfileOptions,
): ComprefaceMount {
  return (endpoint, serve) => {
    const analyses = endpoint.pictures > 0;
    const { url, ...route } = routeOf(endpoint, imageBytes);
    app.route({
      ...route,
      url: url.slice(app.prefix.length),
      onRequest: [requireKeyOf(identify, endpoint)],
      preParsing: async (request: FastifyRequest) => {
        if (analyses) scheduler.requireRoom({ clientId: request.clientId ?? '', operation: endpoint.id });
        if (endpoint.hit === 'before') await takeHit(request, quotas);
        else await takeHitIfLeft(request, quotas);
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const fields = readCall(request, endpoint);
        const gallery = request.boundGallery;
        request.subject = { userId: subjectOf(fields), galleryId: gallery };
        const { body, http = 200, type } = await serve(callerOf(request, reply), fields, gallery ?? '');
        await settleHit(request);
        if (type !== undefined) reply.type(type);
        return reply.code(http).send(body instanceof Buffer ? body : withoutRows(request, body as object));
      },
    });
  };
}

function subjectOf(fields: Readonly<Record<string, unknown>>): string | null {
  const given = fields['name'] ?? fields['subject'];
  return typeof given === 'string' ? given : null;
}

/** Characters of a key that an error shows. */
const shown = 8;

/**
 * A hook that requires a key of the endpoint's service, before the body is read. The key is an API token that is bound to
 * the service.
 */
function requireKeyOf(identify: Identify, endpoint: ComprefaceEndpoint) {
  return async (request: FastifyRequest): Promise<void> => {
    const key = keyOf(request);
    if (key === undefined) throw new Refusal('apiKeyMissing');
    const { clientId, scopes, binding } = await identify(key, request.ip).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 'unauthorized') throw notFound(endpoint.service, key);
      throw error;
    });
    if (binding?.service !== endpoint.service) throw notFound(endpoint.service, key);
    request.clientId = clientId;
    request.scopes = scopes;
    request.boundGallery = binding.galleryId;
    request.subject = { userId: null, galleryId: binding.galleryId };
    if (scopes?.includes(endpoint.scope)) return;
    throw new Refusal('keyScopeMissing', { needed: endpoint.scope, held: scopes?.join(', ') ?? 'none' });
  };
}

function keyOf({ headers, params }: FastifyRequest): string | undefined {
  const inPath = (params as { api_key?: string } | undefined)?.api_key;
  const given = inPath ?? headers['x-api-key'];
  const key = (typeof given === 'string' ? given : '').trim();
  return key === '' ? undefined : key;
}

const names: Readonly<Record<CompatibleService, string>> = {
  recognition: 'Recognition',
  detection: 'Detection',
  verification: 'Verification',
};

/** CompreFace shows the whole key; an answer may be logged. */
function notFound(service: CompatibleService, key: string): Refusal {
  const start = key.slice(0, Math.min(shown, Math.floor(key.length / 2)));
  return new Refusal('apiKeyUnknown', { service: names[service], start });
}

type Fields = Readonly<Record<string, unknown>>;

const pictureFields = ['file', 'source_image', 'target_image'];

/**
 * The fields of a call: of the path, the query string, and the JSON or the form of its body.
 * @throws Refusal with the code of CompreFace
 */
function readCall<Request extends z.ZodObject>(
  request: FastifyRequest,
  endpoint: ComprefaceEndpoint<Request>,
): z.output<Request> {
  const query = queryOf(request.url);
  const fields: Fields = { ...query, ...bodyOf(request, endpoint), ...pathOf(request) };
  for (const name of endpoint.required) requireParameter(fields, name);
  for (const name of pictureFields.filter((field) => field in endpoint.request.shape)) {
    requirePicture(request, fields, name);
  }
  const parsed = parseRequest(endpoint.request, fields);
  if (parsed.ok) return parsed.value;
  throw new Refusal(parsed.code, parsed.params, { compreface: validationCode });
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

function bodyOf(request: FastifyRequest, endpoint: ComprefaceEndpoint): Fields {
  if (!['POST', 'PUT'].includes(request.method)) return {};
  const parts = formPartsOf(request);
  if (parts) return fieldsOfForm(parts, endpoint);
  const json = readJson(request);
  if (Array.isArray(json) && 'ids' in endpoint.request.shape) return { ids: json };
  if (json === undefined || json === null) return {};
  if (typeof json === 'object' && !Array.isArray(json)) return json as Fields;
  throw new Refusal('bodyNotTaken');
}

/** The fields that the endpoint has; others are ignored. */
function fieldsOfForm(parts: readonly FormPart[], { request }: ComprefaceEndpoint): Fields {
  const fields = new Map<string, Picture>();
  for (const part of parts.filter(({ name }) => Object.hasOwn(request.shape, name))) {
    if (fields.has(part.name)) throw foundTwice(part);
    fields.set(part.name, pictureFields.includes(part.name) ? (part.content as Picture) : textOf(part));
  }
  return Object.fromEntries(fields);
}

function requireParameter(fields: Fields, name: string): void {
  const value = fields[name];
  if (value === undefined) throw new Refusal('parameterMissing', { field: name });
  if (typeof value === 'string' && value.trim() === '') throw new Refusal('subjectNameEmpty');
}

function requirePicture(request: FastifyRequest, fields: Fields, name: string): void {
  if (fields[name] !== undefined && fields[name] !== null) return;
  throw new Refusal(isForm(request) ? 'partMissing' : 'fieldEmpty', { field: name });
}
