import { reference } from '../i18n/messages.ts';
import { fileText, forHereDocument, postCommand, tokenHeader } from '../ui/call-text.ts';
import type { Operation, Schema } from './openapi.ts';

/** The value of each field; '' is not sent. Pictures are data URLs. */
export type Values = Readonly<Record<string, string>>;

type FieldKind = 'picture' | 'choice' | 'flag' | 'number' | 'json' | 'secret' | 'text';

/** The kind of control of a field. */
export function kindOf(name: string, field: Schema): FieldKind {
  if (field.contentEncoding === 'base64') return 'picture';
  if (field.enum) return 'choice';
  if (/^(password|client_secret)$/.test(name)) return 'secret';
  const types = [field.type, ...(field.anyOf ?? []).map(({ type }) => type)].flat();
  if (types.includes('array') || types.includes('object')) return 'json';
  if (types.includes('boolean')) return 'flag';
  return types.includes('number') || types.includes('integer') ? 'number' : 'text';
}

/** The values of the example; its pictures are placeholders for files. None of a call that destroys: whose they are is typed. */
export function initialValues({ request, example, destroys }: Operation): Values {
  const fields = Object.entries(request.properties ?? {});
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const given = example[name];
      const kind = kindOf(name, field);
      if (destroys || given === undefined || kind === 'picture' || kind === 'secret') return [name, ''];
      return [name, kind === 'json' ? JSON.stringify(withPlaceholders(given), null, 2) : String(given)];
    }),
  );
}

const pictureInExample = /^(\/9j\/|iVBOR).*…$/;

/** Replaces the pictures of an example by `<picture 1>`, `<picture 2>` … */
function withPlaceholders(given: unknown): unknown {
  let count = 0;
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string' && pictureInExample.test(value)) {
      count += 1;
      return placeholder(count);
    }
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner)]));
  };
  return walk(given);
}

const placeholder = (number: number) => `<picture ${number}>`;

/** Whether a field contains pictures. */
export function holdsPictures(field: Schema): boolean {
  return JSON.stringify(field).includes('"contentEncoding":"base64"');
}

/**
 * The fields of the request.
 * @param pictures data URLs for the placeholders of JSON fields, in order
 * @throws Error where the value of a JSON field does not parse
 */
export function fieldsOf(
  { request }: Operation,
  values: Values,
  pictures: readonly string[],
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(request.properties ?? {})) {
    const value = values[name] ?? '';
    if (value !== '') fields[name] = typed(name, field, value, pictures);
  }
  return fields;
}

function typed(name: string, field: Schema, value: string, pictures: readonly string[]): unknown {
  switch (kindOf(name, field)) {
    case 'number':
      return value.trim() === 'null' ? null : Number(value);
    case 'flag':
      return value === 'true';
    case 'json':
      return parse(name, filled(value, pictures));
    default:
      return value;
  }
}

function filled(text: string, pictures: readonly string[]): string {
  return pictures.reduce(
    (before, picture, index) => before.replaceAll(placeholder(index + 1), picture),
    text,
  );
}

function parse(field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(reference.badJson(field));
  }
}

/** How a language writes a call. */
interface Syntax {
  readonly map: readonly [open: string, arrow: string, close: string];
  readonly text: (text: string) => string;
  /** Base64 of a file. */
  readonly picture: (path: string) => string;
  /** A variable of the environment. */
  readonly variable: (name: string) => string;
  readonly words: Readonly<Record<string, string>>;
  readonly call: (call: Call) => string;
}

/** @property body undefined: the fields are in the URL */
interface Call {
  readonly method: string;
  readonly url: string;
  readonly withToken: boolean;
  readonly body: string | undefined;
}

const syntaxes = {
  curl: {
    map: ['{', ': ', '}'],
    text: (text) => forHereDocument(JSON.stringify(text)),
    picture: (path) => `"${fileText(path)}"`,
    variable: (name) => `"$${name}"`,
    words: {},
    call: ({ method, url, withToken, body }) => {
      const header = withToken ? [tokenHeader] : [];
      if (body !== undefined) return postCommand(url, body, header);
      return [`curl -s ${method === 'GET' ? '' : `-X ${method} `}'${url}'`, ...header].join(' \\\n');
    },
  },
  Python: {
    map: ['{', ': ', '}'],
    text: (text) => JSON.stringify(text),
    picture: (path) => `base64.b64encode(open("${path}", "rb").read()).decode()`,
    variable: (name) => `os.environ["${name}"]`,
    words: { true: 'True', false: 'False', null: 'None' },
    call: ({ method, url, withToken, body }) => `import base64
import os

import requests

answer = requests.request(
    "${method}",
    "${url}",
${withToken ? '    headers={"Accesstoken": os.environ["TOKEN"]},\n' : ''}${body ? `    json=${body},\n` : ''}    timeout=60,
)
print(answer.json())`,
  },
  PHP: {
    map: ['[', ' => ', ']'],
    text: (text) => `'${text.replace(/['\\]/g, '\\$&')}'`,
    picture: (path) => `base64_encode(file_get_contents('${path}'))`,
    variable: (name) => `getenv('${name}')`,
    words: {},
    call: ({ method, url, withToken, body }) => `<?php

$curl = curl_init('${url}');
curl_setopt_array($curl, [
    CURLOPT_CUSTOMREQUEST => '${method}',
    CURLOPT_HTTPHEADER => ['Content-Type: application/json'${withToken ? ", 'Accesstoken: ' . getenv('TOKEN')" : ''}],
${body ? `    CURLOPT_POSTFIELDS => json_encode((object) ${body}),\n` : ''}    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 60,
]);
print_r(json_decode(curl_exec($curl), true));`,
  },
} satisfies Readonly<Record<string, Syntax>>;

export type CodeLanguage = keyof typeof syntaxes;
/** What the code of a call is written in. */
export const codeLanguages = Object.keys(syntaxes) as readonly CodeLanguage[];

/**
 * The call as code; the token is in the variable TOKEN of the environment, pictures are read from files.
 * @throws Error where the value of a JSON field does not parse
 */
export function codeOf(language: CodeLanguage, operation: Operation, values: Values, origin: string): string {
  const { method, auth, path, request, example } = operation;
  const syntax: Syntax = syntaxes[language];
  const shown = Object.entries(request.properties ?? {}).flatMap(([name, field]) => {
    const [value, kind] = [values[name] ?? '', kindOf(name, field)];
    const isShown =
      value !== '' || request.required?.includes(name) || (kind === 'picture' && example[name] !== undefined);
    return isShown ? [{ name, kind, value }] : [];
  });
  const url = `${origin}${path}`;
  const call = { method, withToken: auth === 'token' };
  if (method === 'POST') {
    const indent = language === 'curl' ? '' : '    ';
    const fields = shown.map((field) => [field.name, valueCode(syntax, field, `${indent}    `)] as const);
    return syntax.call({ ...call, url, body: mapOf(syntax, fields, indent) });
  }
  const escaped = (value: string) => encodeURIComponent(value).replaceAll("'", '%27');
  const query = shown.map(({ name, value }) => `${name}=${escaped(value || `<${name}>`)}`).join('&');
  return syntax.call({ ...call, url: query === '' ? url : `${url}?${query}`, body: undefined });
}

function valueCode(
  syntax: Syntax,
  { name, kind, value }: { name: string; kind: FieldKind; value: string },
  indent: string,
): string {
  if (kind === 'picture') return syntax.picture(`${name}.jpg`);
  if (kind === 'secret') return syntax.variable('PASSWORD');
  if (kind === 'flag' || kind === 'number') return syntax.words[value] ?? value;
  return kind === 'json' ? literalOf(syntax, parse(name, value || '[]'), indent) : syntax.text(value);
}

/** A value of JSON; its placeholders are pictures. @param indent of what contains it */
function literalOf(syntax: Syntax, value: unknown, indent: string): string {
  if (typeof value === 'string') {
    const [, number] = /^<picture (\d+)>$/.exec(value) ?? [];
    return number === undefined ? syntax.text(value) : syntax.picture(`picture-${number}.jpg`);
  }
  if (Array.isArray(value)) return `[${value.map((item) => literalOf(syntax, item, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return syntax.words[String(value)] ?? String(value);
  const fields = Object.entries(value).map(
    ([name, inner]) => [name, literalOf(syntax, inner, `${indent}    `)] as const,
  );
  return mapOf(syntax, fields, indent);
}

function mapOf(
  { map: [open, arrow, close], text }: Syntax,
  fields: readonly (readonly [string, string])[],
  indent: string,
): string {
  if (fields.length === 0) return `${open}${close}`;
  const lines = fields.map(([name, value]) => `${indent}    ${text(name)}${arrow}${value}`);
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
