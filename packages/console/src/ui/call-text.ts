/** A call as it was sent and answered. */
export interface SentCall {
  /** Path of a POST. */
  readonly path: string;
  /** Fields of the request, in order; a picture stands for its base64. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly answer: object;
}

/** A picture, as `Picture` of this console. */
interface NamedPicture {
  readonly name: string;
  readonly blob: unknown;
}

/** JSON with two spaces of indentation; arrays of numbers stay on one line. */
export function jsonText(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null || isNumbers(value)) return JSON.stringify(value) ?? 'null';
  const deeper = `${indent}  `;
  const entries = Array.isArray(value)
    ? value.map((item) => jsonText(item, deeper))
    : Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${jsonText(field, deeper)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return open + close;
  return `${open}\n${entries.map((entry) => deeper + entry).join(',\n')}\n${indent}${close}`;
}

/**
 * The call as a shell command: the token is in $TOKEN, pictures are read from files of their names.
 * @param origin of the server: `http://127.0.0.1:8080`
 */
export function curlText(origin: string, { path, fields }: SentCall): string {
  const lines = Object.entries(fields).map(([name, field]) => {
    const text = isPicture(field) ? `"${fileText(field.name)}"` : forHereDocument(JSON.stringify(field));
    return `  ${JSON.stringify(name)}: ${text}`;
  });
  return postCommand(`${origin}${path}`, `{\n${lines.join(',\n')}\n}`, [tokenHeader]);
}

/** The header of a command; the token is in $TOKEN. */
export const tokenHeader = '  -H "Accesstoken: $TOKEN"';

/** A command that sends a JSON object, which the shell expands. */
export function postCommand(url: string, body: string, headers: readonly string[]): string {
  const json = "  -H 'Content-Type: application/json' -d @- <<JSON";
  return `${[`curl -s ${url}`, ...headers, json].join(' \\\n')}\n${body}\nJSON`;
}

function isPicture(field: unknown): field is NamedPicture {
  return typeof field === 'object' && field !== null && 'blob' in field;
}

function isNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'number' || isNumbers(item));
}

/** What a shell reads as the base64 of a file. */
export function fileText(name: string): string {
  return `$(base64 < ${shellWord(name)} | tr -d '\\n')`;
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A word of a command: in quotes where a shell would read it as something else. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text);
}

/** Escapes the special characters of an unquoted here-document. */
export function forHereDocument(text: string): string {
  return text.replace(/[\\$`]/g, '\\$&');
}
