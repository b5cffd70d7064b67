import type { Operation } from './openapi.ts';
import { kindOf, placeholder, type Values } from './request-values.ts';

/** The call as a shell command; the token is in $TOKEN, pictures are read from files. */
export function curlOf(operation: Operation, values: Values, origin: string): string {
  const { method, path, auth } = operation;
  const entries = Object.entries(operation.request.properties ?? {}).filter(
    ([name]) => (values[name] ?? '') !== '' || required(operation, name),
  );
  const header = auth === 'token' ? [`  -H "Accesstoken: $TOKEN"`] : [];
  const methodFlag = method === 'GET' || method === 'POST' ? '' : `-X ${method} `;
  if (method !== 'POST') {
    const query = entries.map(([name]) => `${name}=${encodeURIComponent(values[name] || `<${name}>`)}`);
    const address = `${origin}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
    return [`curl -s ${methodFlag}'${address}'`, ...header].join(' \\\n');
  }
  const lines = entries.map(([name, field]) => {
    const kind = kindOf(name, field);
    return `  ${JSON.stringify(name)}: ${shellValue(name, kind, values[name] ?? '')}`;
  });
  const json = `  -H 'Content-Type: application/json' -d @- <<JSON`;
  return [
    [`curl -s ${origin}${path}`, ...header, json].join(' \\\n'),
    lines.length > 0 ? `{\n${lines.join(',\n')}\n}` : '{}',
    'JSON',
  ].join('\n');
}

function required({ request }: Operation, name: string): boolean {
  return request.required?.includes(name) ?? false;
}

function shellValue(name: string, kind: ReturnType<typeof kindOf>, value: string): string {
  if (kind === 'picture') return `"${file(`${name}.jpg`)}"`;
  if (kind === 'json') return indented(withFiles(forShell(value || '[]')));
  if (kind === 'number' || kind === 'flag') return value;
  if (kind === 'secret') return '"$PASSWORD"';
  return forShell(JSON.stringify(value));
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

/** Escapes the special characters of an unquoted here-document. */
function forShell(text: string): string {
  return text.replace(/[\\$`]/g, '\\$&');
}
