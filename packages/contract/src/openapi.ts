import { z } from 'zod';
import { type Endpoint, type Method, refusalsOf } from './endpoints/endpoint.ts';
import { endpointList } from './endpoints/endpoints.ts';
import { refusalAnswer } from './endpoints/envelope.ts';
import { exampleRefusal } from './refusals/examples.ts';
import { type StatusName, statuses } from './refusals/statuses.ts';
import { aPicture } from './values.ts';

type Json = Record<string, unknown>;

interface Schema extends Json {
  readonly type?: string;
  readonly contentEncoding?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** 3.0 for generators that do not know 3.1. */
export type OpenApiVersion = '3.1.0' | '3.0.3';

/** An endpoint with what several places of the document say of it. */
interface Described {
  readonly endpoint: Endpoint;
  /** Of the body or the query; null: the endpoint has no fields. */
  readonly request: Schema | null;
  /** By HTTP status, in order. */
  readonly refusals: readonly { readonly code: number; readonly names: readonly StatusName[] }[];
}

/**
 * The OpenAPI 3.1 document of the endpoint table, in a form that client generators support: every body is a named
 * schema, and GET and DELETE take query parameters. It has the canonical types; other accepted forms, such as numbers as
 * text, are in the API documentation.
 * @param version of the server
 * @param url of the server: with a relative one generators make programs that call `http://.`
 */
export function openApiDocument(
  version: string,
  specification: OpenApiVersion = '3.1.0',
  url = 'http://127.0.0.1:8080',
): Json {
  const all = endpointList.map((endpoint): Described => {
    const hasFields = Object.keys(endpoint.request.shape).length > 0;
    const request = hasFields ? jsonSchema(endpoint.request, specification) : null;
    return { endpoint, request, refusals: refusalsByCode(endpoint) };
  });
  const isOld = specification === '3.0.3';
  return {
    openapi: specification,
    info: {
      title: 'Wajah',
      version,
      description: 'Self-hosted face recognition and liveness over HTTP.',
      license: { name: 'MIT', ...(!isOld && { identifier: 'MIT' }) },
    },
    servers: [{ url }],
    tags: [...new Set(endpointList.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: Object.fromEntries(all.map((one) => [one.endpoint.path, operationsOf(one, isOld)])),
    components: {
      schemas: {
        Refusal: jsonSchema(refusalAnswer, specification),
        ...Object.assign({}, ...all.map((one) => schemasOf(one, specification))),
      },
      responses: Object.fromEntries(
        all
          .flatMap(({ refusals }) => refusals)
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

function refusalsByCode(endpoint: Endpoint): Described['refusals'] {
  const names = refusalsOf(endpoint).filter((name) => statuses[name].http !== 200);
  const codes = [...new Set(names.map((name) => statuses[name].http))].sort((a, b) => a - b);
  return codes.map((code) => ({ code, names: names.filter((name) => statuses[name].http === code) }));
}

/** `Refusal400And456` */
function refusalName(names: readonly StatusName[]): string {
  return `Refusal${names.map((name) => statuses[name].status).join('And')}`;
}

type Part = 'Request' | 'Form' | 'Answer' | 'Miss';

/** `VerifyFaceAnswer` */
function schemaName({ id }: Endpoint, part: Part): string {
  return `${id.slice(0, 1).toUpperCase()}${id.slice(1)}${part}`;
}

const reference = (endpoint: Endpoint, part: Part) => ({
  $ref: `#/components/schemas/${schemaName(endpoint, part)}`,
});

function schemasOf({ endpoint, request }: Described, specification: OpenApiVersion): Record<string, Json> {
  const { answer, miss, methods } = endpoint;
  const schemas: Record<string, Json> = {};
  const add = (part: Part, schema: Json) => {
    schemas[schemaName(endpoint, part)] = schema;
  };
  const good = withStatus(answerSchema(answer, specification), statuses.success.status);
  const other = miss && withStatus(answerSchema(miss, specification), statuses.notRecognized.status);
  if (request && methods.includes('POST')) add('Request', request);
  if (request && endpoint.pictures > 0) add('Form', formSchema(request));
  if (other && specification === '3.0.3') {
    add('Answer', either(good, other));
  } else {
    add('Answer', good);
    if (other) add('Miss', other);
  }
  return schemas;
}

/** Nothing is put in where an answer has no value: Java's generator makes of it what does not compile. */
function answerSchema(type: z.ZodType, specification: OpenApiVersion): Schema {
  return jsonSchema(type, specification, (schema) => delete schema['default']);
}

/** The schema of a body, without `$schema`: OpenAPI 3.1 has the same default dialect. */
function jsonSchema(
  type: z.ZodType,
  specification: OpenApiVersion,
  further: (schema: Json) => void = () => {},
): Schema {
  const isOld = specification === '3.0.3';
  const { $schema: _, ...rest } = z.toJSONSchema(type, {
    io: 'input',
    target: isOld ? 'openapi-3.0' : 'draft-2020-12',
    override: ({ jsonSchema: schema }) => {
      forGenerators(schema, isOld);
      further(schema);
    },
  });
  return rest as Schema;
}

/**
 * Some generators refuse the pattern of a time, which its format implies. In OpenAPI 3.0 base64 is a format, and a value
 * of several types is any: generators name a class for it that they do not write, as they do for the values of an object
 * that may have any. A whole number without a format has 32 bits in Java and others.
 */
function forGenerators(schema: Json, isOld: boolean): void {
  if (schema['type'] === 'integer' && Number(schema['maximum']) >= 2 ** 31) schema['format'] = 'int64';
  if (schema['format'] === 'date-time') delete schema['pattern'];
  if (isOld && schema['anyOf'] !== undefined) {
    if ((schema['anyOf'] as Json[]).some((one) => one['nullable'])) schema['nullable'] = true;
    delete schema['anyOf'];
  }
  if (isOld && isAny(schema['additionalProperties'])) schema['additionalProperties'] = true;
  if (!isOld || schema['contentEncoding'] !== 'base64') return;
  delete schema['contentEncoding'];
  schema['format'] = 'byte';
}

const isAny = (schema: unknown) =>
  typeof schema === 'object' && Object.keys(schema ?? {}).every((key) => key === 'nullable');

/** Pins the status of an answer, which distinguishes a success from a 411. */
function withStatus(schema: Schema, status: string): Schema {
  const { properties } = schema;
  if (properties?.['status'] === undefined) return schema;
  return { ...schema, properties: { ...properties, status: { ...properties['status'], enum: [status] } } };
}

/**
 * One schema for objects of two, distinguished by an enum `status`. Generators for OpenAPI 3.0 make no type of a choice,
 * or one that refuses both.
 */
function either(first: Schema, second: Schema): Json {
  const statuses = [first, second].flatMap(({ properties }) => properties?.['status']?.['enum'] ?? []);
  const properties = { ...second.properties, ...first.properties };
  return {
    ...first,
    properties: { ...properties, status: { ...properties['status'], enum: statuses } },
    required: first.required?.filter((name) => second.required?.includes(name)),
  };
}

/**
 * The schema of a multipart form for the schema of a JSON body: pictures are files. The entries of a list are JSON, each
 * in a field of its own, as OpenAPI 3.1 assumes; OpenAPI has no way to say that a picture of an entry may be a file with
 * the name `frames[0].image`, so the description does.
 */
function formSchema(body: Schema): Json {
  const fields = Object.entries(body.properties ?? {}).map(([name, field]) => [name, formField(name, field)]);
  return { ...body, properties: Object.fromEntries(fields) };
}

function formField(name: string, field: Schema): Schema {
  // The second is of OpenAPI 3.0.
  if (field.contentEncoding === 'base64' || field['format'] === 'byte') {
    const { contentEncoding: _, ...rest } = field;
    return { ...rest, description: `The picture: a ${aPicture}.`, format: 'binary' };
  }
  if (field.items?.contentEncoding === 'base64' || field.items?.['format'] === 'byte')
    return { ...field, items: formField(name, field.items) };
  if (field.items?.type !== 'object') return field;
  const files = `In a form an entry is JSON, or has fields of its own, with files as pictures: ${name}[0].image.`;
  return { ...field, description: `${String(field['description'] ?? '')} ${files}`.trim() };
}

function operationsOf(described: Described, isOld: boolean): Json {
  const { endpoint, refusals } = described;
  const { id, tag, summary, methods } = endpoint;
  const responses = {
    '200': successOf(endpoint, isOld),
    ...Object.fromEntries(
      refusals.map(({ code, names }) => [code, { $ref: `#/components/responses/${refusalName(names)}` }]),
    ),
  };
  const operation = (method: Method): Json => ({
    operationId: methods[0] === method ? id : `${id}By${method}`,
    tags: [tag],
    summary,
    security: securityOf(endpoint),
    ...(endpoint.destroys && { 'x-destroys': true }),
    ...(method === 'POST' ? bodyOf(described) : queryOf(described)),
    responses,
  });
  return Object.fromEntries(methods.map((method) => [method.toLowerCase(), operation(method)]));
}

function securityOf({ auth }: Endpoint): Json[] {
  if (auth === 'token') return [{ accesstoken: [] }, { bearer: [] }];
  return auth === 'credentials' ? [{ basic: [] }, {}] : [];
}

function bodyOf({ endpoint, request }: Described): Json {
  if (!request) return {};
  const json = { schema: reference(endpoint, 'Request'), example: endpoint.example.request };
  const content: Json = { 'application/json': json };
  if (endpoint.auth === 'credentials') content['application/x-www-form-urlencoded'] = json;
  if (endpoint.pictures > 0) content['multipart/form-data'] = { schema: reference(endpoint, 'Form') };
  return { requestBody: { required: (request.required ?? []).length > 0, content } };
}

/** GET and DELETE take query parameters, since many programs send no body with them, though the server reads one. */
function queryOf({ endpoint, request }: Described): Json {
  if (!request) return {};
  const { example } = endpoint;
  const parameters = Object.entries(request.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    required: request.required?.includes(name) ?? false,
    schema,
    ...(name in example.request && { example: example.request[name] }),
  }));
  return { description: 'The fields are read from a JSON body, too.', parameters };
}

/** Includes the 411, which has HTTP status 200 too. */
function successOf(endpoint: Endpoint, isOld: boolean): Json {
  const { miss, example } = endpoint;
  const headers = { 'X-Trx-Id': { schema: { type: 'string' }, description: 'Transaction identifier.' } };
  const good = reference(endpoint, 'Answer');
  const schema = miss && !isOld ? oneOfTwo(good, reference(endpoint, 'Miss')) : good;
  const description = miss ? `Success, or status 411: ${statuses.notRecognized.when}` : 'Success.';
  return { description, headers, content: { 'application/json': { schema, example: example.answer } } };
}

function oneOfTwo(good: { $ref: string }, miss: { $ref: string }): Json {
  const mapping = { [statuses.success.status]: good.$ref, [statuses.notRecognized.status]: miss.$ref };
  return { oneOf: [good, miss], discriminator: { propertyName: 'status', mapping } };
}

function refusalOf(names: readonly StatusName[]): Json {
  const examples: Json = {};
  for (const name of names) {
    const { status, message: status_message, when: description } = statuses[name];
    const told = { status, status_message, ...exampleRefusal(name) };
    examples[name] = { description, value: { ...told, trx_id: '019a9f3e-7a52-7c1e-b0b5-2d1f6f1f4c11' } };
  }
  const rows = names.map((name) => statuses[name]);
  const retry = names.some((name) => name === 'busy' || name === 'tooManyRequests');
  return {
    description: rows.map(({ status, message, when }) => `${status} ${message}: ${when}`).join(' '),
    ...(retry && { headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds.' } } }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' }, examples } },
  };
}
