import { quote } from '@wajah/contract';
import { type Phrase, phrase } from '@wajah/contract/refusals';
import { z } from 'zod';
import { Refusal } from '../../errors.ts';
import type { FormPart, PartKind } from './form-parts.ts';
import { JsonBody } from './json-body.ts';

/** What a form may have as a field of a request. */
export type FieldShape =
  | { readonly kind: 'text' | 'picture' | 'pictures' | 'words' }
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
    if (field.kind === 'picture' || field.kind === 'pictures') return [name];
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
  if (schema.items?.contentEncoding === 'base64') return { kind: 'pictures' };
  return schema.items?.type === 'object'
    ? { kind: 'list', fields: shapeOf(schema.items) }
    : { kind: 'words' };
}

/** What a field of a form takes, by the path in its name. */
export function partKindOf(shape: FormShape, name: string): PartKind {
  const [first = '', ...path] = pathOf(name);
  const field = shape.get(first);
  if (!field) return 'text';
  if (!('fields' in field)) return field.kind.startsWith('picture') ? 'picture' : 'text';
  if (path.length === 0) return 'json';
  const inner = field.fields.get(path.at(-1) ?? '');
  return inner?.kind === 'picture' ? 'picture' : 'text';
}

/** `frames[0].image` and `frames[0][image]` → frames, 0, image. */
function pathOf(name: string): string[] {
  return name.replaceAll(']', '').split(/[.[]/, 4);
}

type Fields = Map<string, unknown>;

/** Entries of a list by index. */
type Entries = Map<number, Fields>;

/**
 * The JSON object that a form stands for, as the schema of the request takes it: files are pictures, texts stay texts.
 * A part of a list or object is named `frames[0].image`, `frames[0][image]`, or `frames[].image`, where a name that the
 * last entry has begins the next one. Lists of words are repeated fields or one text with commas, lists of
 * pictures repeated fields. Objects, and lists and their entries, may also be JSON. Unknown texts are ignored, as in JSON.
 * @throws Refusal `malformed`, naming the field
 */
export function formFields(parts: readonly FormPart[], shape: FormShape): Record<string, unknown> {
  const fields: Fields = new Map();
  for (const part of parts) {
    if (!place(part, fields, shape) && part.isFile) throw unknownFile(part, shape);
  }
  return plain(fields);
}

/** @returns whether the request has this field */
function place(part: FormPart, fields: Fields, shape: FormShape): boolean {
  const [name = '', ...path] = pathOf(part.name);
  const field = shape.get(name);
  if (field === undefined) return false;
  const [key = '', inner] = path;
  if (path.length === 0) return put(part, name, field, fields);
  if ((field.kind === 'words' || field.kind === 'pictures') && path.length === 1)
    return put(part, name, field, fields);
  if (field.kind === 'object' && path.length === 1) {
    return putInto(part, key, field.fields, mapIn(part, name, fields));
  }
  if (field.kind !== 'list' || inner === undefined || path.length > 2) return false;
  const entry = entryOf(mapIn<number>(part, name, fields) as Entries, key, inner);
  return entry !== undefined && putInto(part, inner, field.fields, entry);
}

function putInto(part: FormPart, name: string, shape: FormShape, fields: Fields): boolean {
  const field = shape.get(name);
  return field !== undefined && put(part, name, field, fields);
}

function put(part: FormPart, name: string, field: FieldShape, fields: Fields): boolean {
  const value = fieldValue(part, field);
  const before = fields.get(name);
  if (before instanceof Map) throw besideJson(part);
  const isList = ['list', 'words', 'pictures'].includes(field.kind);
  if (before !== undefined && !isList) throw foundTwice(part);
  // A single text stays one: it may have several words, separated by commas.
  const single = before === undefined && field.kind !== 'list' && field.kind !== 'pictures';
  fields.set(name, single ? value : [before ?? [], value].flat());
  return true;
}

/** The map that the parts of a list or object are collected in. */
function mapIn<Key = string>(part: FormPart, name: string, fields: Fields): Map<Key, unknown> {
  const before = fields.get(name) ?? new Map();
  if (!(before instanceof Map)) throw besideJson(part);
  fields.set(name, before);
  return before;
}

/** @param key index; empty: the last entry, or a new one when it has the field; undefined for other texts */
function entryOf(entries: Entries, key: string, field: string): Fields | undefined {
  if (!/^\d{0,3}$/.test(key)) return undefined;
  const last = entries.size - 1;
  const index = key !== '' ? Number(key) : entries.get(last)?.has(field) === false ? last : last + 1;
  const entry = entries.get(index) ?? new Map();
  entries.set(index, entry);
  return entry;
}

function fieldValue(part: FormPart, { kind }: FieldShape): unknown {
  if (kind === 'picture' || kind === 'pictures') return part.content;
  if (part.isFile) throw refusal(part, phrase('fileForText'));
  if (part.content instanceof JsonBody) return jsonOf(part, part.content);
  const text = textOf(part);
  return part.type === 'application/json' ? jsonOf(part, new JsonBody(Buffer.from(text))) : text;
}

/** @throws Refusal `malformed` when it is not UTF-8 */
export function textOf(part: FormPart): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(part.content as Buffer);
  } catch {
    throw refusal(part, phrase('textNotUtf8'));
  }
}

function jsonOf(part: FormPart, json: JsonBody): unknown {
  try {
    return json.text.trim() === '' ? undefined : json.value();
  } catch {
    throw refusal(part, phrase('textNotJson'));
  }
}

/** Maps as objects, and those with indices as lists. */
function plain(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    [...fields].map(([name, value]) => [name, value instanceof Map ? nested(name, value) : value]),
  );
}

function nested(name: string, value: Map<unknown, unknown>): unknown {
  const [[first] = []] = value;
  if (typeof first !== 'number') return plain(value as Fields);
  const missing = [...value.keys()].findIndex((_, index) => !value.has(index));
  if (missing < 0) return [...value.keys()].map((_, index) => plain((value as Entries).get(index)!));
  throw new Refusal('entryMissing', { field: name, index: missing });
}

/** A field that may be there once. */
export function foundTwice(part: FormPart): Refusal {
  return refusal(part, phrase('foundTwice'));
}

function besideJson(part: FormPart): Refusal {
  return refusal(part, phrase('jsonAndFields'));
}

function unknownFile(part: FormPart, shape: FormShape): Refusal {
  return refusal(part, phrase('unknownFile', { fields: pictureNames(shape) }));
}

/** Longest name of a field that is quoted, characters. */
const quotable = 60;

function refusal({ name }: FormPart, problem: Phrase): Refusal {
  const start = name.slice(0, quotable);
  const field = /^[\w.[\]]+$/.test(name) ? start : quote(start);
  const named =
    name === '' ? phrase('namelessField', { problem }) : phrase('fieldProblem', { field, problem });
  return new Refusal('fieldsMalformed', { problems: [named] });
}
