import {
  type Endpoint,
  endpointList,
  type Method,
  refusalAnswer,
  refusalsOf,
  type StatusName,
  statuses,
} from '@wajah/contract';
import type { z } from 'zod';
import { version } from '../version.ts';
import { formSchema } from './openapi-form.ts';
import { either, type Json, jsonSchema, type OpenApiVersion } from './openapi-schema.ts';

/**
 * The OpenAPI 3.1 document of the endpoint table, in a form that client generators support: every body is a named
 * schema, and GET and DELETE take query parameters. It has the canonical types; other accepted forms, such as numbers as
 * text, are in the API documentation.
 */
export function openApiDocument(specification: OpenApiVersion = '3.1.0'): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpointList) {
    paths[endpoint.path] = Object.fromEntries(
      endpoint.methods.map((method) => [method.toLowerCase(), operation(endpoint, method, specification)]),
    );
  }
  return {
    openapi: specification,
    info: {
      title: 'Wajah',
      version,
      description: 'Self-hosted face recognition and liveness over HTTP.',
      license: { name: 'MIT', ...(specification === '3.1.0' && { identifier: 'MIT' }) },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpointList.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        Refusal: jsonSchema(refusalAnswer, specification),
        ...Object.assign({}, ...endpointList.map((one) => schemasOf(one, specification))),
      },
      responses: Object.fromEntries(
        endpointList
          .flatMap(refusalsByCode)
          .map(({ names }) => [refusalName(names), refusalOf(names)] as const)
          .sort(([one], [other]) => one.localeCompare(other)),
      ),
      securitySchemes: {
        accesstoken: { type: 'apiKey', in: 'header', name: 'Accesstoken' },
        bearer: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
  };
}

type Part = 'Request' | 'Form' | 'Answer' | 'Miss';

/** `VerifyFaceAnswer` */
function schemaName({ id }: Endpoint, part: Part): string {
  return `${id.slice(0, 1).toUpperCase()}${id.slice(1)}${part}`;
}

const reference = (endpoint: Endpoint, part: Part) => ({
  $ref: `#/components/schemas/${schemaName(endpoint, part)}`,
});

function schemasOf(endpoint: Endpoint, specification: OpenApiVersion): Record<string, Json> {
  const { request, answer, miss, methods } = endpoint;
  const schema = (type: z.ZodType) => jsonSchema(type, specification);
  const takesBody = methods.includes('POST') && Object.keys(request.shape).length > 0;
  const good = withStatus(schema(answer), statuses.success.status);
  const other = miss && withStatus(schema(miss), statuses.notRecognized.status);
  return {
    ...(takesBody && { [schemaName(endpoint, 'Request')]: schema(request) }),
    ...(endpoint.pictures > 0 && { [schemaName(endpoint, 'Form')]: formSchema(schema(request)) }),
    ...(other && specification === '3.0.3'
      ? { [schemaName(endpoint, 'Answer')]: either(good, other) }
      : { [schemaName(endpoint, 'Answer')]: good, ...(other && { [schemaName(endpoint, 'Miss')]: other }) }),
  };
}

/** Pins the status of an answer, which distinguishes a success from a 411. */
function withStatus(schema: Json, status: string): Json {
  const properties = schema['properties'] as Record<string, Json> | undefined;
  if (properties?.['status'] === undefined) return schema;
  return { ...schema, properties: { ...properties, status: { ...properties['status'], enum: [status] } } };
}

function operation(endpoint: Endpoint, method: Method, specification: OpenApiVersion): Json {
  const isFirst = endpoint.methods[0] === method;
  return {
    operationId: isFirst ? endpoint.id : `${endpoint.id}By${method}`,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    security: securityOf(endpoint),
    ...inputOf(endpoint, method, specification),
    responses: responsesOf(endpoint, specification),
  };
}

function securityOf({ auth }: Endpoint): Json[] {
  if (auth === 'token') return [{ accesstoken: [] }, { bearer: [] }];
  return auth === 'credentials' ? [{ basic: [] }, {}] : [];
}

/** GET and DELETE take query parameters, since many programs send no body with them, though the server reads one. */
function inputOf(endpoint: Endpoint, method: Method, specification: OpenApiVersion): Json {
  const { request, example, auth } = endpoint;
  if (Object.keys(request.shape).length === 0) return {};
  const schema = jsonSchema(request, specification);
  const required = (schema['required'] ?? []) as string[];
  if (method === 'POST') {
    const content = { schema: reference(endpoint, 'Request'), example: example.request };
    const form = {
      ...(auth === 'credentials' && { 'application/x-www-form-urlencoded': content }),
      ...(endpoint.pictures > 0 && { 'multipart/form-data': { schema: reference(endpoint, 'Form') } }),
    };
    return {
      requestBody: { required: required.length > 0, content: { 'application/json': content, ...form } },
    };
  }
  const parameters = Object.entries(schema['properties'] as Record<string, Json>).map(
    ([name, { description, ...type }]) => ({
      name,
      in: 'query',
      description,
      required: required.includes(name),
      schema: type,
      ...(name in example.request ? { example: example.request[name] } : {}),
    }),
  );
  return { description: 'The fields are read from a JSON body, too.', parameters };
}

function responsesOf(endpoint: Endpoint, specification: OpenApiVersion): Json {
  const refusals = refusalsByCode(endpoint).map(({ code, names }) => [
    String(code),
    { $ref: `#/components/responses/${refusalName(names)}` },
  ]);
  return { '200': successOf(endpoint, specification), ...Object.fromEntries(refusals) };
}

/** The refusals of an endpoint by HTTP status. */
function refusalsByCode(endpoint: Endpoint): { code: number; names: readonly StatusName[] }[] {
  const names = refusalsOf(endpoint).filter((name) => statuses[name].http !== 200);
  const codes = [...new Set(names.map((name) => statuses[name].http))].sort((a, b) => a - b);
  return codes.map((code) => ({ code, names: names.filter((name) => statuses[name].http === code) }));
}

/** `Refusal400And456` */
function refusalName(names: readonly StatusName[]): string {
  return `Refusal${names.map((name) => statuses[name].status).join('And')}`;
}

/** Includes the 411, which has HTTP status 200 too. */
function successOf(endpoint: Endpoint, specification: OpenApiVersion): Json {
  const { miss, example } = endpoint;
  const headers = { 'X-Trx-Id': { schema: { type: 'string' }, description: 'Transaction identifier.' } };
  const isChoice = miss !== undefined && specification === '3.1.0';
  const good = reference(endpoint, 'Answer');
  const schema = isChoice ? oneOfTwo(good, reference(endpoint, 'Miss')) : good;
  const description =
    miss === undefined ? 'Success.' : `Success, or status 411: ${statuses.notRecognized.when}`;
  return { description, headers, content: { 'application/json': { schema, example: example.answer } } };
}

function oneOfTwo(good: { $ref: string }, miss: { $ref: string }): Json {
  const mapping = { [statuses.success.status]: good.$ref, [statuses.notRecognized.status]: miss.$ref };
  return { oneOf: [good, miss], discriminator: { propertyName: 'status', mapping } };
}

function refusalOf(names: readonly StatusName[]): Json {
  const rows = names.map((name) => statuses[name]);
  const examples = Object.fromEntries(
    names.map((name) => {
      const { status, message: status_message, when: detail } = statuses[name];
      return [
        name,
        { value: { status, status_message, detail, trx_id: '019a9f3e-7a52-7c1e-b0b5-2d1f6f1f4c11' } },
      ];
    }),
  );
  const retry = names.some((name) => name === 'busy' || name === 'tooManyRequests');
  return {
    description: rows.map(({ status, message, when }) => `${status} ${message}: ${when}`).join(' '),
    ...(retry
      ? { headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds.' } } }
      : {}),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' }, examples } },
  };
}
