import { createInterface } from 'node:readline/promises';

/** Where commands read and write. */
export interface Terminal {
  /** What the command was asked for: one or more lines on the standard output. */
  out(text: string): void;
  /** Anything else: notes, warnings, errors, on the standard error. */
  note(text: string): void;
  /** Asks a person; false without one (the standard input is no terminal). */
  confirm(question: string): Promise<boolean>;
  /** The first line of the standard input, without its end. */
  readLine(): Promise<string>;
}

/**
 * Goes on when nobody reads any more what is said: the terminal was closed, or what stood behind a pipe has ended. A
 * server would end without finishing its calls.
 */
export function outliveReaders(): void {
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
