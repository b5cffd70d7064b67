import { closeSync, openSync, writeSync } from 'node:fs';
import { OperatorError } from '../../errors.ts';
import type { ImportOutcome } from './people.ts';

/** Writes one line for each picture. */
export interface ImportReport {
  add(outcomes: readonly ImportOutcome[]): void;
  close(): void;
}

/**
 * A report as CSV (`*.csv`, with a head) or JSON lines, with the fields file, person, status and reason. Lines are
 * written as pictures are done. A file that exists is continued: a resumed import adds its lines.
 * @param file mode 0600, since it names people; undefined: nothing is written
 * @throws OperatorError when it cannot be opened
 */
export function openReport(file: string | undefined): ImportReport {
  if (file === undefined) return { add: () => undefined, close: () => undefined };
  const isCsv = file.toLowerCase().endsWith('.csv');
  const handle = openFile(file);
  if (isCsv && handle.isNew) writeSync(handle.fd, 'file,person,status,reason\n');
  const line = isCsv
    ? ({ file: name, person, status, reason }: ImportOutcome) =>
        [name, person, status, reason].map(cell).join(',')
    : ({ file: name, person, status, reason }: ImportOutcome) =>
        JSON.stringify({ file: name, person, status, reason });
  return {
    add(outcomes) {
      if (outcomes.length > 0) writeSync(handle.fd, `${outcomes.map(line).join('\n')}\n`);
    },
    close: () => closeSync(handle.fd),
  };
}

function openFile(file: string): { fd: number; isNew: boolean } {
  try {
    return { fd: openSync(file, 'ax', 0o600), isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotWrite('--report', file, error);
  }
  try {
    return { fd: openSync(file, 'a', 0o600), isNew: false };
  } catch (error) {
    throw cannotWrite('--report', file, error);
  }
}

export function cannotWrite(option: string, file: string, error: unknown): OperatorError {
  return new OperatorError(
    `${option}: ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`,
    {
      cause: error,
    },
  );
}

/** Quoted where RFC 4180 asks for it. A cell that a spreadsheet would take for a formula gets an apostrophe. */
function cell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
