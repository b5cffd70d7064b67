/**
 * The code blocks of a Markdown page and the comments before them that say how they are run:
 *
 * - `<!-- not run: why -->` it is only read;
 * - `<!-- before: command -->` a shell command that is not shown, run first;
 * - `<!-- file: name -->` it is written to this file, which a later block must use.
 */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** Of the first line of the block, from 1. */
  readonly line: number;
  readonly notRun?: string;
  readonly before: readonly string[];
  readonly file?: string;
}

/** The blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const lines = page.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const language = /^```(\w*)\s*$/.exec(lines[at] ?? '')?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    if (end < 0) throw new Error(`line ${at + 1}: the block has no end`);
    const text = lines.slice(at + 1, end).join('\n');
    blocks.push({ language, text, line: at + 2, ...marksAbove(lines, at) });
    at = end;
  }
  return blocks;
}

function marksAbove(lines: readonly string[], fence: number): Pick<Block, 'notRun' | 'before' | 'file'> {
  const marks: [name: string, value: string][] = [];
  for (let at = fence - 1; at >= 0; at -= 1) {
    const line = (lines[at] ?? '').trim();
    if (line === '') continue;
    const found = /^<!-- (not run|before|file): (.+) -->$/.exec(line);
    if (!found) break;
    marks.unshift([found[1] ?? '', found[2] ?? '']);
  }
  const named = (name: string) => marks.filter(([given]) => given === name).map(([, value]) => value);
  const [notRun] = named('not run');
  const [file] = named('file');
  return { before: named('before'), ...(notRun ? { notRun } : {}), ...(file ? { file } : {}) };
}

/** Expected output of a block: `# → text` or `// → text`, and `# {json}`, on one line or several. */
export interface Expected {
  readonly texts: readonly string[];
  readonly objects: readonly object[];
}

export function expectedOf({ text }: Block): Expected {
  const comments = text.split('\n').map((line) => /^(?:#|\/\/) ?(.*)$/.exec(line)?.[1]);
  const texts = comments.flatMap((comment) => (comment?.startsWith('→ ') ? [comment.slice(2)] : []));
  const objects: object[] = [];
  for (let at = 0; at < comments.length; at += 1) {
    if (!comments[at]?.startsWith('{')) continue;
    let json = '';
    for (let next = at; comments[next] !== undefined; next += 1) {
      json += comments[next];
      const value = parsed(json);
      if (value === undefined) continue;
      objects.push(value);
      break;
    }
  }
  return { texts, objects };
}

/**
 * Differences between output and expectation, as a list of sentences; a refusal must be expected. Numbers may differ;
 * `…` matches any text.
 */
export function missingIn(output: string, { texts, objects }: Expected): string[] {
  const printed = output.split('\n').flatMap((line) => parsed(line) ?? []);
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const like = (text: string) =>
    escaped(text.trim())
      .replace(/\d+(\\\.\d+)?/g, '\\d+(\\.\\d+)?')
      .replaceAll('…', '.*');
  const meant = new Set(['200', ...objects.map(statusOf)]);
  return [
    ...printed
      .filter((object) => 'status' in object && !meant.has(statusOf(object)))
      .map((object) => `no refusal, but there is ${JSON.stringify(object)}`),
    ...texts.filter((text) => !new RegExp(like(text)).test(output)).map((text) => `→ ${text}`),
    ...objects
      .filter((object) => !printed.some((other) => shapeOf(other) === shapeOf(object)))
      .map((object) => `an object like ${JSON.stringify(object)}`),
  ];
}

const statusOf = (object: object) => ('status' in object ? String(object.status) : '');

/** Numbers that a reader compares with those of the page; machines differ in their last digits. */
const decides: ReadonlySet<string> = new Set(['similarity', 'confidence_level']);
const rounded = (value: unknown) => (typeof value === 'number' ? value.toFixed(1) : shapeOf(value));

/** Names and types, and the values of words and flags: what stays when numbers change. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.slice(0, 1).map(shapeOf).join()}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([name, field]) => `${name}:${decides.has(name) ? rounded(field) : shapeOf(field)}`).join()}}`;
  }
  return typeof value === 'number' ? 'number' : JSON.stringify(value);
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
