import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Presets, SingleBar } from 'cli-progress';
import { asOperatorError } from '../errors.ts';
import { snakeCaseOf } from '../lib/snake-case.ts';

/** Input and output of a command. */
export interface Terminal {
  /** Prints the result of the command on the standard output: one or more lines. */
  out(text: string): void;
  /** Prints anything else (notes, warnings, errors) on the standard error. */
  note(text: string): void;
  /** Whether notes are shown on a terminal, where logs do not keep them. */
  readonly showsNotes: boolean;
  /** Asks for confirmation; false if the standard input is no terminal. */
  confirm(question: string): Promise<boolean>;
  /** Reads the first line of the standard input, without its end. */
  readLine(): Promise<string>;
}

/**
 * Ignores failing writes to the standard output and error: a server must finish its calls also after its terminal was
 * closed or the reader of its pipe ended.
 */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  }
}

/** The terminal of this process. */
export const processTerminal: Terminal = {
  out: (text) => process.stdout.write(`${text}\n`),
  note: (text) => process.stderr.write(`${text}\n`),
  showsNotes: process.stderr.isTTY === true,
  confirm: async (question) => {
    if (!process.stdin.isTTY) return false;
    const asker = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await asker.question(`${question} [y/N] `);
    asker.close();
    return /^y(es)?$/i.test(answer.trim());
  },
  readLine: async () => {
    const reader = createInterface({ input: process.stdin });
    for await (const line of reader) {
      reader.close();
      // A pipe that stays open would keep the process alive.
      process.stdin.destroy();
      return line;
    }
    return '';
  },
};

/** Columns as wide as their longest cell, two spaces apart; no trailing spaces. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The columns of a table: the cell of an item by the heading of the column. */
export type Columns<T> = Readonly<Record<string, (item: T) => string>>;

/**
 * Prints a list as a table or, with `--json`, as JSON with keys in snake_case.
 * @param empty note that is printed in place of an empty table
 */
export function printList<T extends object>(
  terminal: Terminal,
  items: readonly T[],
  { json, columns, empty }: { json: boolean | undefined; columns: Columns<T>; empty?: string },
): void {
  if (json) terminal.out(JSON.stringify(items.map(snakeCase)));
  else if (items.length === 0 && empty !== undefined) terminal.note(empty);
  else {
    const cells = Object.values(columns);
    const rows = items.map((item) => cells.map((cell) => cell(item)));
    terminal.out(table(Object.keys(columns), rows));
  }
}

/** The item with keys in snake_case, and those of the items in its lists. */
export function snakeCase(item: object): object {
  const plain = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map((one) => (typeof one === 'object' && one ? snakeCase(one) : one))
      : value;
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [snakeCaseOf(name), plain(value)]));
}

/** Writes a new file that only this user can read. @throws OperatorError when it exists, or cannot be written */
export async function writeNew(file: string, text: string): Promise<void> {
  const write = async () => {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  };
  const isFileError = (error: unknown) => typeof (error as NodeJS.ErrnoException).syscall === 'string';
  await asOperatorError(write, isFileError, `${file}: `);
}

/** Day of an ISO 8601 time. */
export const dayOf = (time: string) => time.slice(0, 10);

/** Size in MB, with one digit after the point. */
export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Progress of a long operation. */
export interface Progress {
  update(done: number, total: number): void;
  /** Must be called, also after an error: the bar redraws on a timer that keeps the process alive. Idempotent. */
  end(): void;
}

/**
 * Shows progress on the standard error with the rate and the time left: a bar on a terminal, else a line at each
 * quarter.
 * @param unit what is counted; bytes by default
 */
export function showProgress(label: string, terminal: Pick<Terminal, 'note'>, unit?: string): Progress {
  const amount = (total: number) => (unit ? `${total} ${unit}` : megabytes(total));
  const pace = paceOf((rate) => (unit ? `${roundedRate(rate)} ${unit}/s` : `${megabytes(rate)}/s`));
  if (!process.stderr.isTTY) {
    let quarters = 0;
    const update = (done: number, total: number) => {
      const reached = Math.floor((done / total) * 4);
      if (reached <= quarters) return;
      quarters = reached;
      const share = Math.floor((100 * done) / total);
      terminal.note(`${label}: ${share} % of ${amount(total)}${pace(done, total)}`);
    };
    return { update, end: () => undefined };
  }
  const format = `${label} {bar} {percentage} % of {amount}{pace}`;
  // Without `linewrap` the library switches line wrapping off, and Ctrl-C would leave the terminal so.
  const bar = new SingleBar({ format, barsize: 30, linewrap: true }, Presets.shades_classic);
  return {
    update: (done, total) => {
      const shown = { amount: amount(total), pace: pace(done, total) };
      if (bar.isActive) bar.update(done, shown);
      else bar.start(total, done, shown);
    },
    end: () => bar.stop(),
  };
}

/** Rate since the first call, and the time left at that rate. */
function paceOf(rateText: (rate: number) => string): (done: number, total: number) => string {
  let first: { readonly at: number; readonly done: number } | undefined;
  return (done, total) => {
    const at = performance.now();
    first ??= { at, done };
    const rate = ((done - first.done) / (at - first.at)) * 1000;
    if (!(rate > 0) || !Number.isFinite(rate)) return '';
    return `, ${rateText(rate)}, ${durationText((total - done) / rate)} left`;
  };
}

const roundedRate = (rate: number) => (rate >= 10 ? Math.round(rate) : Number(rate.toPrecision(2)));

function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
