import type { Json } from './openapi-schema.ts';

interface Schema extends Json {
  readonly type?: string;
  readonly contentEncoding?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/**
 * The schema of a multipart form for the schema of a JSON body: pictures are files. The entries of a list are JSON, each
 * in a field of its own, as OpenAPI 3.1 assumes; OpenAPI has no way to say that a picture of an entry may be a file with
 * the name `frames[0].image`, so the description does.
 */
export function formSchema(body: Json): Json {
  const { properties = {} } = body as Schema;
  const fields = Object.entries(properties).map(([name, field]) => [name, formField(name, field)]);
  return { ...body, properties: Object.fromEntries(fields) };
}

function formField(name: string, field: Schema): Schema {
  // The second is of OpenAPI 3.0.
  if (field.contentEncoding === 'base64' || field['format'] === 'byte') {
    const { contentEncoding: _, ...rest } = field;
    return { ...rest, description: 'The picture: a JPEG or PNG.', format: 'binary' };
  }
  if (field.items?.type !== 'object') return field;
  const files = `In a form an entry is JSON, or has fields of its own, with files as pictures: ${name}[0].image.`;
  return { ...field, description: `${String(field['description'] ?? '')} ${files}`.trim() };
}
