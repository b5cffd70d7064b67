import { reference } from '../i18n/messages.ts';
import { forHereDocument, postCommand, tokenHeader } from '../ui/call-text.ts';
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

/** The values of the example; its pictures are placeholders for files. */
export function initialValues({ request, example }: Operation): Values {
  const fields = Object.entries(request.properties ?? {});
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const given = example[name];
      const kind = kindOf(name, field);
      if (given === undefined || kind === 'picture' || kind === 'secret') return [name, ''];
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

/** What the code of a call is written in. */
export const codeLanguages = ['curl', 'Python', 'PHP'] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

/** The call as code; the token is in the variable TOKEN of the environment, pictures are read from files. */
export function codeOf(language: CodeLanguage, ...call: Parameters<typeof curlOf>): string {
  return language === 'curl' ? curlOf(...call) : programOf(language, ...call);
}

/** The call as a shell command; the token is in $TOKEN, pictures are read from files. */
export function curlOf(operation: Operation, values: Values, origin: string): string {
  const { method, auth } = operation;
  const header = auth === 'token' ? [tokenHeader] : [];
  const methodFlag = method === 'GET' || method === 'POST' ? '' : `-X ${method} `;
  const url = addressOf(operation, values, origin);
  if (method !== 'POST') return [`curl -s ${methodFlag}'${url}'`, ...header].join(' \\\n');
  const lines = shownFields(operation, values).map(([name, field]) => {
    const kind = kindOf(name, field);
    return `  ${JSON.stringify(name)}: ${shellValue(name, kind, values[name] ?? '')}`;
  });
  return postCommand(url, lines, header);
}

/** The fields that the code of a call has. */
function shownFields(operation: Operation, values: Values) {
  return Object.entries(operation.request.properties ?? {}).filter(
    ([name, field]) =>
      (values[name] ?? '') !== '' ||
      required(operation, name) ||
      (kindOf(name, field) === 'picture' && operation.example[name] !== undefined),
  );
}

/** With the fields, where they are not the body. */
function addressOf(operation: Operation, values: Values, origin: string): string {
  const url = `${origin}${operation.path}`;
  const fields = operation.method === 'POST' ? [] : shownFields(operation, values);
  const query = fields.map(([name]) => `${name}=${encodeURIComponent(values[name] || `<${name}>`)}`);
  return query.length > 0 ? `${url}?${query.join('&')}` : url;
}

function required({ request }: Operation, name: string): boolean {
  return request.required?.includes(name) ?? false;
}

function shellValue(name: string, kind: ReturnType<typeof kindOf>, value: string): string {
  if (kind === 'picture') return `"${file(`${name}.jpg`)}"`;
  if (kind === 'json') return indented(withFiles(forHereDocument(value || '[]')));
  if (kind === 'number' || kind === 'flag') return value;
  if (kind === 'secret') return '"$PASSWORD"';
  return forHereDocument(JSON.stringify(value));
}

const file = (name: string) => `$(base64 < ${name} | tr -d '\\n')`;

function withFiles(text: string): string {
  return Array.from({ length: 20 }, (_, index) => index + 1).reduce(
    (before, number) => before.replaceAll(placeholder(number), file(`picture-${number}.jpg`)),
    text,
  );
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

/** How a language of programs writes values. */
interface Syntax {
  readonly map: readonly [open: string, arrow: string, close: string];
  readonly text: (text: string) => string;
  /** Base64 of a file. */
  readonly picture: (path: string) => string;
  readonly variable: (name: string) => string;
  readonly words: Readonly<Record<string, string>>;
}

const syntaxes: Readonly<Record<Exclude<CodeLanguage, 'curl'>, Syntax>> = {
  Python: {
    map: ['{', ': ', '}'],
    text: (text) => JSON.stringify(text),
    picture: (path) => `picture("${path}")`,
    variable: (name) => `os.environ["${name}"]`,
    words: { true: 'True', false: 'False', null: 'None' },
  },
  PHP: {
    map: ['[', ' => ', ']'],
    text: (text) => `'${text.replace(/['\\]/g, '\\$&')}'`,
    picture: (path) => `base64_encode(file_get_contents('${path}'))`,
    variable: (name) => `getenv('${name}')`,
    words: {},
  },
};

function programOf(
  language: keyof typeof syntaxes,
  ...[operation, values, origin]: Parameters<typeof curlOf>
) {
  const { method, auth } = operation;
  const syntax = syntaxes[language];
  const fields = shownFields(operation, values).map(([name, field]) => {
    return [name, programValue(syntax, name, kindOf(name, field), values[name] ?? '')] as const;
  });
  const body = method === 'POST' ? mapOf(syntax, fields, '    ') : undefined;
  const url = syntax.text(addressOf(operation, values, origin));
  const token = auth === 'token' ? syntax.variable('TOKEN') : undefined;
  return language === 'Python' ? pythonOf(method, url, body, token) : phpOf(method, url, body, token);
}

function pythonOf(method: string, url: string, body: string | undefined, token: string | undefined): string {
  const readsPictures = body?.includes('picture(') === true;
  const reader = 'def picture(path):\n    return base64.b64encode(open(path, "rb").read()).decode()\n\n\n';
  return `import base64
import os

import requests

${readsPictures ? `\n${reader}` : ''}answer = requests.request(
    "${method}",
    ${url},
${token ? `    headers={"Accesstoken": ${token}},\n` : ''}${body ? `    json=${body},\n` : ''}    timeout=60,
)
print(answer.json())`;
}

function phpOf(method: string, url: string, body: string | undefined, token: string | undefined): string {
  const headers = ["'Content-Type: application/json'", ...(token ? [`'Accesstoken: ' . ${token}`] : [])];
  return `<?php

$curl = curl_init(${url});
curl_setopt_array($curl, [
    CURLOPT_CUSTOMREQUEST => '${method}',
    CURLOPT_HTTPHEADER => [${headers.join(', ')}],
${body ? `    CURLOPT_POSTFIELDS => json_encode((object) ${body}),\n` : ''}    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 60,
]);
print_r(json_decode(curl_exec($curl), true));`;
}

function programValue(syntax: Syntax, name: string, kind: FieldKind, value: string): string {
  if (kind === 'picture') return syntax.picture(`${name}.jpg`);
  if (kind === 'secret') return syntax.variable('PASSWORD');
  if (kind === 'flag' || kind === 'number') return syntax.words[value] ?? value;
  return kind === 'json' ? literalOf(syntax, parse(name, value || '[]'), '        ') : syntax.text(value);
}

/** A value of JSON; its placeholders are pictures. @param indent of what contains it */
function literalOf(syntax: Syntax, value: unknown, indent: string): string {
  if (typeof value === 'string') {
    const [, number] = /^<picture (\d+)>$/.exec(value) ?? [];
    return number === undefined ? syntax.text(value) : syntax.picture(`picture-${number}.jpg`);
  }
  if (Array.isArray(value)) return `[${value.map((item) => literalOf(syntax, item, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return syntax.words[String(value)] ?? String(value);
  const fields = Object.entries(value).map(([name, inner]) => {
    return [name, literalOf(syntax, inner, `${indent}    `)] as const;
  });
  return mapOf(syntax, fields, indent);
}

function mapOf(
  { map: [open, arrow, close], text }: Syntax,
  fields: readonly (readonly [string, string])[],
  indent: string,
): string {
  if (fields.length === 0) return `${open}${close}`;
  const lines = fields.map(([name, value]) => `${indent}    ${text(name)}${arrow}${value},\n`);
  return `${open}\n${lines.join('')}${indent}${close}`;
}
