import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { endpointList } from './endpoints/endpoints.ts';
import { refusalAnswer } from './endpoints/envelope.ts';
import { openApiDocument } from './openapi.ts';
import { statuses } from './refusals/statuses.ts';
import { type RefusalCode, refusalSentence, refusals } from './refusals.ts';

interface Response {
  readonly content: {
    readonly 'application/json': {
      readonly examples: Record<string, { value: { status: string; error: RefusalCode; detail: string } }>;
    };
  };
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly required: boolean }[];
}

describe('the OpenAPI document', () => {
  it.each(['3.1.0', '3.0.3'] as const)('is valid OpenAPI %s', async (specification) => {
    const document = structuredClone(openApiDocument('1.0.0', specification));
    const { valid, errors } = await new Validator().validate(document);
    expect(errors).toBe(undefined);
    expect(valid).toBe(true);
  });

  it('has no choice of types in OpenAPI 3.0, which generators cannot express', () => {
    const text = JSON.stringify(openApiDocument('1.0.0', '3.0.3'));
    expect(text).not.toMatch(
      /"(one|any)Of"|"const"|"contentEncoding"|"type":\[|"type":"null"|"enum":\[null\]/,
    );
    expect(text).toContain('"enum":["200","411"]');
  });

  it('has objects of any values in OpenAPI 3.0 without a type of theirs, which PHP cannot read', () => {
    const text = JSON.stringify(openApiDocument('1.0.0', '3.0.3'));
    expect(text).toContain('"params":{"type":"object","additionalProperties":true');
    expect(text).not.toMatch(/"additionalProperties":\{("nullable":true)?\}/);
  });

  it('has examples of refusals that their schema allows, each with its sentence', () => {
    const { responses } = openApiDocument('1.0.0')['components'] as { responses: Record<string, Response> };
    const examples = Object.values(responses).flatMap(({ content }) =>
      Object.values(content['application/json'].examples),
    );
    expect(examples.length).toBeGreaterThan(100);
    for (const { value } of examples) {
      expect(refusalAnswer.safeParse(value).error).toBe(undefined);
      expect(refusalSentence(value)).toBe(value.detail);
      expect(value.detail).not.toMatch(/[{}[\]]|undefined/);
      expect(statuses[refusals[value.error].status].status).toBe(value.status);
    }
  });

  it('names the server by a whole address', () => {
    expect(openApiDocument('1.0.0')['servers']).toEqual([{ url: 'http://127.0.0.1:8080' }]);
    const url = 'https://example.com/wajah';
    expect(openApiDocument('1.0.0', '3.0.3', url)['servers']).toEqual([{ url }]);
  });

  it('describes every endpoint with every method, and no other', () => {
    const paths = openApiDocument('1.0.0')['paths'] as Record<string, object>;
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const meant = endpointList.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`));
    expect(described.sort()).toEqual(meant.sort());
  });

  it('shows the canonical types', () => {
    const document = JSON.stringify(openApiDocument('1.0.0'));
    expect(document).toContain(
      '"check_quality":{"description":"Extension: refuses a face that fails a quality rule.","default":false,"type":"boolean"}',
    );
    expect(document).not.toContain('"additionalProperties":false');
    expect(document).not.toContain('$schema');
  });

  it('has query parameters instead of a body for GET and DELETE, and lists required fields', () => {
    const paths = openApiDocument('1.0.0')['paths'] as Record<string, Record<string, Operation>>;
    const bodiless = Object.values(paths).flatMap(({ get, delete: erase }) => [get, erase].filter(Boolean));
    expect(bodiless.length).toBeGreaterThan(8);
    expect(bodiless.filter((operation) => operation && 'requestBody' in operation)).toEqual([]);
    const { parameters } = paths['/face-api/facegallery/delete-face']?.['delete'] ?? {};
    expect(parameters?.map(({ name, required }) => [name, required])).toEqual([
      ['user_id', true],
      ['facegallery_id', true],
      ['trx_id', false],
    ]);
  });

  it.each(['3.1.0', '3.0.3'] as const)(
    'names every schema of %s, and references no missing one',
    (specification) => {
      const document = openApiDocument('1.0.0', specification);
      const { schemas } = document['components'] as { schemas: object };
      const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g);
      const named = new Set([...references].map(([, name]) => name));
      expect([...named].sort()).toEqual(Object.keys(schemas).sort());
    },
  );
});
