/**
 * The code blocks of a Markdown page and the comments before them that say how they are run:
 *
 * - `<!-- not run: why -->` it is only read;
 * - `<!-- file: name -->` it is written to this file, which a later block must use.
 *
 * A block of `text` or `json` right after commands is what they print: an answer among the commands would be pasted with
 * them, and an interactive zsh, the shell of macOS, knows no comments.
 */
export interface Block {
  readonly language: string;
  readonly text: string;
  readonly output?: Pick<Block, 'language' | 'text'>;
  /** Of the first line of the block, from 1. */
  readonly line: number;
  readonly notRun?: string;
  readonly file?: string;
}

/** Languages of blocks that a reader pastes into a shell. */
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'shell', 'console']);

export const isForShell = ({ language }: Pick<Block, 'language'>) => shells.has(language);

/** The blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const lines = page.split('\n');
  const blocks: Block[] = [];
  for (let at = 0, end = 0; at < lines.length; at += 1) {
    const [, indent = '', language] = /^( *)```([\w-]*)\s*$/.exec(lines[at] ?? '') ?? [];
    if (language === undefined) continue;
    const last = blocks.at(-1);
    const isOutput =
      /^(text|json)$/.test(language) &&
      last !== undefined &&
      isForShell(last) &&
      lines.slice(end + 1, at).every((line) => line.trim() === '');
    const start = at + 1;
    end = lines.indexOf(`${indent}\`\`\``, start);
    if (end < 0) throw new Error(`line ${start}: the block has no end`);
    const inside = lines.slice(start, end).map((line) => line.slice(indent.length));
    const text = inside.join('\n');
    if (isOutput) blocks[blocks.length - 1] = { ...last, output: { language, text } };
    else blocks.push({ language, text, line: start + 1, ...marksAbove(lines, at) });
    at = end;
  }
  return blocks;
}

/**
 * Lines of a script with a comment. Pasted into an interactive zsh, which knows no comments, `#` and what follows are
 * arguments of the command, and a line of its own is a command that does not exist.
 */
export function commentsIn(script: string): string[] {
  let quote = '';
  return script.split('\n').filter((line) => {
    for (let at = 0; at < line.length; at += 1) {
      const letter = line[at] ?? '';
      if (quote !== '') quote = letter === quote ? '' : quote;
      else if (letter === '\\') at += 1;
      else if (letter === '"' || letter === "'") quote = letter;
      else if (letter === '#' && /^$|\s/.test(line[at - 1] ?? '')) return true;
    }
    return false;
  });
}

function marksAbove(lines: readonly string[], fence: number): Pick<Block, 'notRun' | 'file'> {
  const marks: [name: string, value: string][] = [];
  for (let at = fence - 1; at >= 0; at -= 1) {
    const line = (lines[at] ?? '').trim();
    if (line === '') continue;
    const found = /^<!-- (not run|file): (.+) -->$/.exec(line);
    if (!found) break;
    marks.unshift([found[1] ?? '', found[2] ?? '']);
  }
  const { 'not run': notRun, file } = Object.fromEntries(marks) as Readonly<
    Record<string, string | undefined>
  >;
  return { ...(notRun ? { notRun } : {}), ...(file ? { file } : {}) };
}

/** What a block prints: the lines or the object of the block after commands, and `// → text` of programs. */
export interface Expected {
  readonly texts: readonly string[];
  readonly objects: readonly object[];
}

export function expectedOf({ text, output }: Block): Expected {
  if (output?.language === 'json') return { texts: [], objects: [JSON.parse(output.text) as object] };
  const lines =
    output?.text.split('\n') ?? [...text.matchAll(/^\/\/ → (.*)$/gm)].map(([, line = '']) => line);
  return { texts: lines.filter((line) => line.trim() !== ''), objects: [] };
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
