import { z } from 'zod';

/** Fields that the specification shows. Programs written for the public cloud may refuse others. */
const specification = z.registry<{ readonly specified: true }>();

/** Marks fields of an answer as the specification's: the profile `risetai` answers no others. */
export function specified<Shape extends z.ZodRawShape>(shape: Shape): Shape {
  // Copies: a field that is shared is marked in this place alone.
  const marked = Object.entries(shape as unknown as Readonly<Record<string, z.ZodType>>).map(
    ([name, field]) => [name, field.clone().register(specification, { specified: true })],
  );
  return Object.fromEntries(marked);
}

/** A value without the fields that the schema does not mark as the specification's, at any depth. */
export function specifiedPart(schema: z.ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return specifiedPart(schema.unwrap() as z.ZodType, value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((entry) => specifiedPart(schema.element as z.ZodType, entry));
  if (schema instanceof z.ZodRecord)
    return mapped(value, ([name, entry]) => [[name, specifiedPart(schema.valueType as z.ZodType, entry)]]);
  if (!(schema instanceof z.ZodObject)) return value;
  return mapped(value, ([name, entry]) => {
    const field = schema.shape[name] as z.ZodType | undefined;
    return field && specification.get(field) ? [[name, specifiedPart(field, entry)]] : [];
  });
}

function mapped(value: object, entry: (of: [string, unknown]) => (readonly [string, unknown])[]): object {
  return Object.fromEntries(Object.entries(value).flatMap(entry));
}
