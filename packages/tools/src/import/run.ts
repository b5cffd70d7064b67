import { closeSync, openSync, writeSync } from 'node:fs';
import { OperatorError } from '@wajah/server/commands';
import {
  type ImportOutcome,
  type ImportPerson,
  type ImportSource,
  type ImportStatus,
  otherPerson,
  severalNames,
} from './people.ts';

/** Where people are enrolled. */
export interface ImportTarget {
  /** People enrolled at once. */
  readonly parallel: number;
  /** The names of those who are enrolled, by user_id. They are skipped, unless they are replaced. */
  enrolled(): Promise<ReadonlyMap<string, string>>;
  /**
   * Enrols a person with all pictures, or none when every picture is refused.
   * @returns an outcome for each picture @throws Error what ends the import
   */
  enrol(person: ImportPerson): Promise<ImportOutcome[]>;
  /** After the last person. */
  close(): Promise<void>;
}

/** Pictures by what became of them, and the people that were enrolled. */
export interface ImportResult {
  readonly pictures: Readonly<Partial<Record<ImportStatus, number>>>;
  readonly people: number;
  /** Pictures that were not imported, and what is no picture, by reason. */
  readonly reasons: ReadonlyMap<string, number>;
  /** People of whom no picture was taken, who are not enrolled either. */
  readonly missed: number;
}

export interface ImportRun {
  readonly replace: boolean;
  /** File of a line for each picture; undefined: none. */
  readonly report: string | undefined;
  /** Called after each person with pictures done, and all of them. */
  readonly progress: (done: number, total: number) => void;
  /** Called with each picture that was not imported. */
  readonly refusal: (outcome: ImportOutcome) => void;
}

/**
 * Imports the people of a source. A person is written at once with all pictures, so after an interruption people are
 * enrolled completely or not at all, and a second run skips those that are.
 */
export async function runImport(
  source: ImportSource,
  target: ImportTarget,
  run: ImportRun,
): Promise<ImportResult> {
  const report = openReport(run.report);
  try {
    return await enrolAll(source, target, run, report);
  } finally {
    await target.close();
    report.close();
  }
}

async function enrolAll(
  source: ImportSource,
  target: ImportTarget,
  { replace, progress, refusal }: ImportRun,
  report: ImportReport,
): Promise<ImportResult> {
  const pictures: Partial<Record<ImportStatus, number>> = {};
  const reasons = new Map<string, number>();
  const total = source.refused.length + source.total;
  let [done, people] = [0, 0];
  const missed = new Set<string>();
  const add = (outcomes: readonly ImportOutcome[]) => {
    report.add(outcomes);
    for (const outcome of outcomes) {
      pictures[outcome.status] = (pictures[outcome.status] ?? 0) + 1;
      if (isRefused(outcome)) refusal(outcome);
      if (isRefused(outcome) || outcome.status === 'ignored') {
        const kind = outcome.kind ?? outcome.reason;
        reasons.set(kind, (reasons.get(kind) ?? 0) + 1);
      }
      if (outcome.person !== '' && isRefused(outcome)) missed.add(outcome.person);
    }
    // Others of a person's pictures may have been left out by the source.
    for (const { person, status } of outcomes) if (isTaken(status)) missed.delete(person);
    if (outcomes.some(({ status }) => status === 'enrolled')) people += 1;
    done += outcomes.length;
    progress(done, total);
  };
  add(source.refused);
  const enrolled = replace ? new Map<string, string>() : await target.enrolled();
  await forEach(source.people, target.parallel, async (person) => {
    const before = enrolled.get(person.userId);
    const outcomes = before === undefined ? await target.enrol(person) : skipped(person, before);
    add(outcomes.map((outcome) => ({ ...outcome, name: person.userName })));
  });
  return { pictures, people, reasons, missed: missed.size };
}

const isRefused = ({ status }: ImportOutcome) => status === 'refused' || status === 'duplicate';
const isTaken = (status: ImportStatus) => status === 'enrolled' || status === 'skipped' || status === 'valid';

/** The outcomes of a person who is enrolled already. @param enrolledName where it is known */
export function skipped(person: ImportPerson, enrolledName = person.userName): ImportOutcome[] {
  const other = otherPerson(enrolledName, person);
  const outcome =
    other === null
      ? ({ status: 'skipped', reason: 'this user_id is enrolled already' } as const)
      : ({ status: 'refused', reason: other, kind: severalNames } as const);
  return person.pictures.map(({ file }) => ({ ...outcome, person: person.userId, file }));
}

/** Runs `work` on each item, at most `parallel` at once. After an error no further one begins; all have ended then. */
async function forEach<T>(
  items: Iterable<T> | AsyncIterable<T>,
  parallel: number,
  work: (item: T) => Promise<void>,
) {
  const rest = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let failed = false;
  const worker = async () => {
    for (let item = await rest.next(); !item.done && !failed; item = await rest.next()) {
      await work(item.value).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  const workers = Array.from({ length: Math.max(1, parallel) }, worker);
  await Promise.allSettled(workers);
  await Promise.all(workers);
}

/** Runs at most `most` of the given functions at once, in the order of the calls. */
export function createLimit(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Writes one line for each picture. */
interface ImportReport {
  add(outcomes: readonly ImportOutcome[]): void;
  close(): void;
}

/**
 * A report as CSV (`*.csv`, with a head) or JSON lines, with the fields file, person, status, reason and name. Lines are
 * written as pictures are done. A file that exists is continued: a resumed import adds its lines.
 * @param file mode 0600, since it names people; undefined: nothing is written
 * @throws OperatorError when it cannot be opened
 */
function openReport(file: string | undefined): ImportReport {
  if (file === undefined) return { add: () => undefined, close: () => undefined };
  const isCsv = file.toLowerCase().endsWith('.csv');
  const handle = openFile(file);
  if (isCsv && handle.isNew) writeSync(handle.fd, 'file,person,status,reason,name\n');
  const line = isCsv
    ? ({ file: picture, person, status, reason, name = '' }: ImportOutcome) =>
        [picture, person, status, reason, name].map(cell).join(',')
    : ({ file: picture, person, status, reason, name }: ImportOutcome) =>
        JSON.stringify({ file: picture, person, status, reason, name });
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

/** Names of files may hold characters that move the cursor of a terminal, or end its line. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (found) =>
    // JSON escapes those below the space only.
    found < ' '
      ? JSON.stringify(found).slice(1, -1)
      : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Quoted where RFC 4180 asks for it. A cell that a spreadsheet would take for a formula gets an apostrophe. */
function cell(given: string): string {
  const text = printable(given);
  const inert = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
