import {
  type Endpoint,
  endpointList,
  type Method,
  refusalAnswer,
  refusalsOf,
  type StatusName,
  statuses,
} from '@wajah/contract';
import { z } from 'zod';
import { version } from './version.ts';

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document, made from the endpoint table. It shows the canonical types; what is accepted besides
 * (numbers and booleans as text, say) is in the API documentation.
 */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpointList) {
    paths[endpoint.path] = Object.fromEntries(
      endpoint.methods.map((method) => [method.toLowerCase(), operation(endpoint, method)]),
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wajah',
      version,
      description: 'Self-hosted face recognition and liveness over HTTP.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpointList.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Refusal: jsonSchema(refusalAnswer) },
      securitySchemes: {
        accesstoken: { type: 'apiKey', in: 'header', name: 'Accesstoken' },
        bearer: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
  };
}

function operation(endpoint: Endpoint, method: Method): Json {
  const isFirst = endpoint.methods[0] === method;
  return {
    operationId: isFirst ? endpoint.id : `${endpoint.id}By${method}`,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    security: securityOf(endpoint),
    ...inputOf(endpoint, method),
    responses: responsesOf(endpoint),
  };
}

function securityOf({ auth }: Endpoint): Json[] {
  if (auth === 'token') return [{ accesstoken: [] }, { bearer: [] }];
  return auth === 'credentials' ? [{ basic: [] }, {}] : [];
}

/** GET and DELETE take the fields as a body or as query parameters, so neither alone is required. */
function inputOf({ request, example, auth }: Endpoint, method: Method): Json {
  const schema = jsonSchema(request);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  if (properties.length === 0) return {};
  const content = { schema, example: example.request };
  const requestBody = {
    required: method === 'POST' && Array.isArray(schema['required']),
    content: {
      'application/json': content,
      ...(auth === 'credentials' ? { 'application/x-www-form-urlencoded': content } : {}),
    },
  };
  if (method === 'POST') return { requestBody };
  const parameters = properties.map(([name, { description, ...type }]) => ({
    name,
    in: 'query',
    description: `${description} In the body or here.`,
    required: false,
    schema: type,
  }));
  return { parameters, requestBody };
}

function responsesOf(endpoint: Endpoint): Json {
  const names = refusalsOf(endpoint).filter((name) => statuses[name].http !== 200);
  const codes = [...new Set(names.map((name) => statuses[name].http))].sort((a, b) => a - b);
  const responses: Record<string, Json> = { '200': successOf(endpoint) };
  for (const code of codes) {
    responses[String(code)] = refusalOf(names.filter((name) => statuses[name].http === code));
  }
  return responses;
}

/** A 411 is answered with HTTP 200, too. */
function successOf({ answer, miss, example }: Endpoint): Json {
  const good = jsonSchema(answer);
  const headers = { 'X-Trx-Id': { schema: { type: 'string' }, description: 'Transaction identifier.' } };
  const schema = miss === undefined ? good : { anyOf: [good, jsonSchema(miss)] };
  const description =
    miss === undefined ? 'Success.' : `Success, or status 411: ${statuses.notRecognized.when}`;
  return { description, headers, content: { 'application/json': { schema, example: example.answer } } };
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

/** What the caller sends or gets, without the dialect: OpenAPI 3.1 has it as its default. */
function jsonSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}
