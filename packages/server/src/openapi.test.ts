import { Validator } from '@seriousme/openapi-schema-validator';
import { endpointList } from '@wajah/contract';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi.ts';

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(openApiDocument()));
    expect(errors).toBe(undefined);
    expect(valid).toBe(true);
  });

  it('describes every endpoint with every method, and no other', () => {
    const paths = openApiDocument()['paths'] as Record<string, object>;
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const meant = endpointList.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`));
    expect(described.sort()).toEqual(meant.sort());
  });

  it('shows the canonical types', () => {
    const document = JSON.stringify(openApiDocument());
    expect(document).toContain(
      '"force_register":{"description":"Registers although the face is too small.","default":false,"type":"boolean"}',
    );
    expect(document).not.toContain('"additionalProperties":false');
    expect(document).not.toContain('$schema');
  });
});
