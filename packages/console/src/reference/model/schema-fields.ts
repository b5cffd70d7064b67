import type { Schema } from './openapi.ts';

interface FieldLine {
  /** Path of the field: `batch[].image`. */
  readonly name: string;
  readonly type: string;
  /** `1 to 120 characters` */
  readonly limits: string;
  readonly description: string;
  readonly required: boolean;
  readonly fallback?: unknown;
}

/** Every field of an object, nested ones below their parent. */
export function fieldLines(schema: Schema, before = ''): FieldLine[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = before + name;
    const inner = innerOf(field);
    const line: FieldLine = {
      name: path,
      type: typeOf(field),
      limits: limitsOf(field),
      description: field.description ?? '',
      required: schema.required?.includes(name) ?? false,
      fallback: field.default,
    };
    return [line, ...(inner ? fieldLines(inner.schema, `${path}${inner.joint}`) : [])];
  });
}

function innerOf(field: Schema): { schema: Schema; joint: string } | undefined {
  if (field.properties) return { schema: field, joint: '.' };
  if (field.items?.properties) return { schema: field.items, joint: '[].' };
  const { additionalProperties: other } = field;
  if (typeof other === 'object' && other.properties) return { schema: other, joint: '.*.' };
  return undefined;
}

/** @example typeOf({ type: 'array', items: { type: 'string' } }); // 'list of string' */
function typeOf(field: Schema): string {
  if (field.contentEncoding === 'base64') return 'base64';
  if (field.anyOf) return [...new Set(field.anyOf.map(typeOf))].join(' or ');
  if (field.type === 'array') return `list of ${field.items ? typeOf(field.items) : 'anything'}`;
  if (typeof field.type === 'string') return field.type;
  return Array.isArray(field.type) ? field.type.join(' or ') : 'anything';
}

function limitsOf(field: Schema): string {
  if (field.enum) return field.enum.map(String).join(', ');
  if (field.items?.enum) return field.items.enum.map(String).join(', ');
  const choice = field.anyOf?.find(({ type }) => type !== 'null');
  if (choice && field.anyOf!.length <= 2) return limitsOf(choice);
  const ranges = [
    range(field.minLength, field.maxLength, ' characters'),
    range(field.minItems, field.maxItems, ' entries'),
    range(field.minimum, field.maximum, ''),
  ];
  return ranges.filter((text) => text !== '').join(', ');
}

/** Bounds of the number format are omitted. */
function range(least: number | undefined, most: number | undefined, unit: string): string {
  const low = least !== undefined && Math.abs(least) < Number.MAX_SAFE_INTEGER ? least : undefined;
  const high = most !== undefined && Math.abs(most) < Number.MAX_SAFE_INTEGER ? most : undefined;
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (high !== undefined) return `at most ${high}${unit}`;
  return low !== undefined ? `at least ${low}${unit}` : '';
}
