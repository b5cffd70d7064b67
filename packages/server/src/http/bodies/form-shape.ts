import { z } from 'zod';

/** What a form may have as a field of a request. */
export type FieldShape =
  | { readonly kind: 'text' | 'picture' | 'words' }
  | { readonly kind: 'object' | 'list'; readonly fields: FormShape };

export type FormShape = ReadonlyMap<string, FieldShape>;

interface Schema {
  readonly type?: string;
  readonly contentEncoding?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const shapes = new WeakMap<z.ZodObject, FormShape>();

/** The fields of a request schema. */
export function formShapeOf(request: z.ZodObject): FormShape {
  const shape = shapes.get(request) ?? shapeOf(z.toJSONSchema(request, { io: 'input' }) as Schema);
  shapes.set(request, shape);
  return shape;
}

/** Names of the fields that take a picture, lists and objects as `frames[0].image`. */
export function pictureNames(shape: FormShape): string[] {
  return [...shape].flatMap(([name, field]) => {
    if (field.kind === 'picture') return [name];
    if (field.kind === 'list') return pictureNames(field.fields).map((inner) => `${name}[0].${inner}`);
    return [];
  });
}

function shapeOf({ properties = {} }: Schema): FormShape {
  return new Map(Object.entries(properties).map(([name, schema]) => [name, fieldOf(schema)]));
}

function fieldOf(schema: Schema): FieldShape {
  if (schema.contentEncoding === 'base64') return { kind: 'picture' };
  if (schema.type === 'object') return { kind: 'object', fields: shapeOf(schema) };
  if (schema.type !== 'array') return { kind: 'text' };
  return schema.items?.type === 'object'
    ? { kind: 'list', fields: shapeOf(schema.items) }
    : { kind: 'words' };
}
