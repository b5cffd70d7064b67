/** Where and how a text stops being JSON. `offset` counts UTF-16 units from 0. */
export interface JsonFault {
  readonly offset: number;
  readonly expected: string;
}

const space = /[ \t\n\r]*/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Finds the first place at which a text is not JSON (RFC 8259); null: it is. `JSON.parse` says no, but quotes
 * what it was given, which may be a picture, and does not always say where. It does not recurse.
 *
 * @example findJsonFault('{"a":}') // { offset: 5, expected: 'a value' }
 */
export function findJsonFault(text: string): JsonFault | null {
  const open: ('}' | ']')[] = [];
  let state: State = 'value';
  let at = skip(text, 0);
  for (;;) {
    const step: Step = steps[state](text, at, open);
    if ('expected' in step) return { offset: step.offset ?? at, expected: step.expected };
    at = skip(text, step.to);
    if (step.next === 'end') return at === text.length ? null : { offset: at, expected: 'the end' };
    state = step.next;
  }
}

type State = 'value' | 'first' | 'key' | 'firstKey' | 'after';
type Step = { to: number; next: State | 'end' } | { expected: string; offset?: number };
type Open = ('}' | ']')[];

const steps: Record<State, (text: string, at: number, open: Open) => Step> = {
  value: readValue,
  first: (text, at, open) => (text[at] === ']' ? leave(at, open) : readValue(text, at, open)),
  firstKey: (text, at, open) => (text[at] === '}' ? leave(at, open) : readKey(text, at)),
  key: readKey,
  after: readAfter,
};

function readValue(text: string, at: number, open: Open): Step {
  if (text[at] === '{') {
    open.push('}');
    return { to: at + 1, next: 'firstKey' };
  }
  if (text[at] === '[') {
    open.push(']');
    return { to: at + 1, next: 'first' };
  }
  const isString = text[at] === '"';
  const end = isString ? endOfString(text, at) : match(scalar, text, at);
  if (end === null) return { expected: isString ? 'a complete text in double quotes' : 'a value' };
  return { to: end, next: open.length === 0 ? 'end' : 'after' };
}

function readKey(text: string, at: number): Step {
  const end = endOfString(text, at);
  if (end === null) return { expected: 'a field name in double quotes' };
  const colon = skip(text, end);
  if (text[colon] !== ':') return { expected: 'a colon', offset: colon };
  return { to: colon + 1, next: 'value' };
}

function readAfter(text: string, at: number, open: Open): Step {
  const close = open.at(-1);
  if (text[at] === close) return leave(at, open);
  if (text[at] === ',') return { to: at + 1, next: close === '}' ? 'key' : 'value' };
  return { expected: `a comma or ${close}` };
}

function leave(at: number, open: Open): Step {
  open.pop();
  return { to: at + 1, next: open.length === 0 ? 'end' : 'after' };
}

/** A loop, not a pattern: the text may be a picture of many megabytes. */
function endOfString(text: string, start: number): number | null {
  if (text[start] !== '"') return null;
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (!(code >= 0x20)) return null; // A control character, or the end (NaN).
    const next = code === 0x5c ? match(escaped, text, at) : at + 1;
    if (next === null) return null;
    at = next;
  }
}

function skip(text: string, at: number): number {
  return match(space, text, at) ?? at;
}

function match(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
