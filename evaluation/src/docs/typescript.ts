/** What is used of a field's JSON Schema. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly contentEncoding?: string;
  readonly items?: FieldSchema | false;
  readonly prefixItems?: readonly FieldSchema[];
  readonly anyOf?: readonly FieldSchema[];
  readonly oneOf?: readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: FieldSchema | boolean;
}

/**
 * An exported interface of an object schema.
 * @param status what its field `status` always is
 */
export function interfaceText(name: string, about: string, schema: FieldSchema, status?: string): string {
  const { properties = {} } = schema;
  const fixed =
    status === undefined || properties['status'] === undefined
      ? schema
      : { ...schema, properties: { ...properties, status: { ...properties['status'], const: status } } };
  return `${remark(about, '')}\nexport interface ${name} ${objectType(fixed, '')}\n`;
}

/** A comment that documents what follows it. */
export function remark(text: string, indent: string): string {
  return `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */`;
}

function objectType(schema: FieldSchema, indent: string): string {
  const { properties = {}, required = [], additionalProperties: others } = schema;
  const inner = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, field]) => {
    const isRequired = required.includes(name);
    const type = typeOf(field, inner) + (isRequired ? '' : ' | undefined');
    return [...commentOf(field, inner), `${inner}readonly ${name}${isRequired ? '' : '?'}: ${type};`];
  });
  const isRecord = lines.length === 0 && typeof others === 'object';
  if (isRecord && Object.keys(others).length > 0)
    return `{ readonly [name: string]: ${typeOf(others, indent)} }`;
  if (typeof others === 'object') lines.push(`${inner}readonly [name: string]: unknown;`);
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

function commentOf({ description = '', default: byDefault }: FieldSchema, indent: string): string[] {
  const assumed = byDefault === undefined ? '' : ` Default ${JSON.stringify(byDefault)}.`;
  return description + assumed === '' ? [] : [remark(`${description}${assumed}`.trim(), indent)];
}

function typeOf(field: FieldSchema, indent: string): string {
  if (field.const !== undefined) return literal(field.const);
  if (field.enum) return field.enum.map(literal).join(' | ');
  const choice = field.anyOf ?? field.oneOf;
  if (choice) return [...new Set(choice.map((one) => typeOf(one, indent)))].join(' | ');
  if (field.contentEncoding === 'base64') return 'Picture';
  if (Array.isArray(field.type))
    return field.type.map((type) => typeOf({ ...field, type }, indent)).join(' | ');
  switch (field.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return field.type;
    case 'array':
      return arrayType(field, indent);
    case 'object':
      return objectType(field, indent);
    default:
      return 'unknown';
  }
}

function arrayType({ items, prefixItems }: FieldSchema, indent: string): string {
  if (prefixItems) return `readonly [${prefixItems.map((one) => typeOf(one, indent)).join(', ')}]`;
  const item = items ? typeOf(items, indent) : 'unknown';
  const isPlain = item.startsWith('{') || /^\w+$/.test(item);
  return `readonly ${isPlain ? item : `(${item})`}[]`;
}

function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
}
