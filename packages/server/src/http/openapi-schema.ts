import { z } from 'zod';

export type Json = Record<string, unknown>;

/** 3.0 for generators that do not know 3.1. */
export type OpenApiVersion = '3.1.0' | '3.0.3';

/** The schema of a body, without `$schema`: OpenAPI 3.1 has the same default dialect. */
export function jsonSchema(type: z.ZodType, specification: OpenApiVersion): Json {
  const isOld = specification === '3.0.3';
  const { $schema: _, ...rest } = z.toJSONSchema(type, {
    io: 'input',
    target: isOld ? 'openapi-3.0' : 'draft-2020-12',
    override: ({ jsonSchema: schema }) => forGenerators(schema, isOld),
  });
  return rest;
}

/** Some generators refuse the pattern of a time, which its format implies. In OpenAPI 3.0 base64 is a format. */
function forGenerators(schema: Json, isOld: boolean): void {
  if (schema['format'] === 'date-time') delete schema['pattern'];
  if (!isOld || schema['contentEncoding'] !== 'base64') return;
  delete schema['contentEncoding'];
  schema['format'] = 'byte';
}

interface ObjectSchema extends Json {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

/**
 * One schema for objects of two, distinguished by an enum `status`. Generators for OpenAPI 3.0 make no type of a choice,
 * or one that refuses both.
 */
export function either(one: Json, other: Json): Json {
  const [first, second] = [one as ObjectSchema, other as ObjectSchema];
  const statuses = [first, second].flatMap(({ properties }) => properties?.['status']?.['enum'] ?? []);
  const properties = { ...second.properties, ...first.properties };
  return {
    ...one,
    properties: { ...properties, status: { ...properties['status'], enum: statuses } },
    required: first.required?.filter((name) => second.required?.includes(name)),
  };
}
