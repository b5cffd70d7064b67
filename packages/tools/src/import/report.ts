import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import {
  type AnyWajahError,
  EnrolError,
  type Enrolee,
  type EnrolFault,
  type EnrolResult,
  isWajahError,
  type LeftOut,
} from '@wajah/client';
import { escapeUnprintable, normaliseName } from '@wajah/contract';
import { type RefusalCode, refusalSentence, refusedField } from '@wajah/contract/refusals';
import { OperatorError, type Terminal } from '@wajah/server/commands';

/**
 * `enrolled`, in place of earlier templates where people are replaced; `skipped`: the person is enrolled already; `duplicate`: the
 * face looks like that of another user_id, and this person was not enrolled; `refused` for a reason; `ignored`: it is no
 * picture of a person; `valid`: it can be read, in a dry run.
 */
export type ImportStatus = 'enrolled' | 'skipped' | 'duplicate' | 'refused' | 'ignored' | 'valid';

/** What became of one picture. */
export interface ImportOutcome {
  readonly person: string;
  readonly file: string;
  readonly status: ImportStatus;
  /** Empty where there is nothing to say. */
  readonly reason: string;
  /** The reason without the values of this picture, by which pictures are counted; absent: the reason. */
  readonly kind?: string | undefined;
  /** The user_name, where there is one. */
  readonly name?: string | undefined;
}

const kinds: Readonly<Record<EnrolFault, string>> = {
  severalNames: 'different names under one user_id',
  severalConsents: 'different consents under one user_id',
  damagedId: 'the user_id looks damaged by a spreadsheet',
  otherFace: "the face differs from the person's other pictures",
  samePicture: 'the same picture of a person twice',
  unreadable: 'the picture cannot be read',
};

/** What became of a picture. @param dryRun nothing was sent */
export function outcomeOf(result: EnrolResult, dryRun = false): ImportOutcome {
  const { user_id, user_name, picture, outcome, error } = result;
  const of = { person: user_id, file: picture, name: user_name };
  const suspended = result.suspended ? ', and suspended: it matches nobody until it is resumed' : '';
  if (outcome === 'skipped')
    return { ...of, status: 'skipped', reason: `this user_id is enrolled already${suspended}` };
  if (outcome !== 'failed')
    return dryRun
      ? { ...of, status: 'valid', reason: 'a picture; no face was looked for' }
      : { ...of, status: 'enrolled', reason: '' };
  if (isWajahError(error)) return { ...of, ...ofServer(error) };
  if (error instanceof EnrolError)
    return { ...of, status: 'refused', reason: ownReason(error), kind: kinds[error.code] };
  return { ...of, status: 'refused', reason: error?.message ?? '' };
}

const byForce = ' (--force enrols it all the same)';

function ownReason({ code, problem, message }: EnrolError): string {
  if (code === 'otherFace') return `${message}${byForce}`;
  return code === 'damagedId' ? `${problem}; if the id is meant so, use --ids-as-written` : message;
}

/** What options of the command do about a refusal. */
const remedies: { readonly [Code in RefusalCode]?: string } = {
  appendedDiffers: byForce,
  faceEnrolled: '; different people: leave out --duplicates refuse',
  faceSuspended: '; different people: leave out --duplicates refuse',
};

function ofServer(error: AnyWajahError): Pick<ImportOutcome, 'status' | 'reason' | 'kind'> {
  const { code, detail, answer, error: refusal, params } = error;
  const field = code === 'malformed' ? refusedField(error) : undefined;
  const kind =
    code === 'notRecognized' ? kinds.otherFace : field ? `${field} is refused` : answer?.status_message;
  const isDuplicate = error.status === '409' && error.answer['duplicate_user_id'] !== undefined;
  const said = refusalSentence({ ...answer, error: refusal, params }, { isPerson: true }) ?? detail;
  const remedy = params['remedy'] === undefined ? remedies[refusal as RefusalCode] : ', or use --force';
  return { status: isDuplicate ? 'duplicate' : 'refused', reason: said + (remedy ?? ''), kind };
}

/** Of a person of whom nothing is sent. */
export function outcomesOf({ user_id, user_name, pictures }: Enrolee, error: EnrolError): ImportOutcome[] {
  return pictures.map(({ name }) =>
    outcomeOf({ user_id, user_name, picture: name, outcome: 'failed', error }),
  );
}

/** Of a file that holds nobody's picture, or one that is not taken. */
export function outcomeOfLeftOut({ file, reason, user_id }: LeftOut): ImportOutcome {
  return { person: user_id ?? '', file, status: user_id === undefined ? 'ignored' : 'refused', reason };
}

const isRefused = ({ status }: ImportOutcome) => status === 'refused' || status === 'duplicate';
const isTaken = (status: ImportStatus) => status === 'enrolled' || status === 'skipped' || status === 'valid';

export type ImportTally = ReturnType<typeof createTally>;

/** Counts outcomes as they come. */
export function createTally() {
  const pictures = new Map<string, number>();
  const reasons = new Map<string, number>();
  const enrolled = new Set<string>();
  const taken = new Set<string>();
  const refused = new Set<string>();
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    add(outcome: ImportOutcome): void {
      const { file, status, reason, kind } = outcome;
      const person = normaliseName(outcome.person);
      count(pictures, status);
      if (status !== 'enrolled' && status !== 'valid') count(reasons, kind ?? reason);
      if (status === 'enrolled') enrolled.add(person);
      if (isTaken(status)) taken.add(person);
      // A row without a user_id is somebody, too.
      if (isRefused(outcome) && (person || file) !== '') refused.add(person || file);
    },
    /** Pictures by status, and those that were not imported by reason. */
    pictures,
    reasons,
    people: () => enrolled.size,
    /** Of a dry run: people with a picture that can be read. */
    readable: () => taken.size,
    /** People of whom no picture was taken. */
    missed: () => new Set([...refused].filter((person) => !taken.has(person))),
  };
}

/** Refusals that are printed; the report has all. */
const shownRefusals = 20;

/** Prints the first refusals, and how many there were. */
export function refusalNotes({ note }: Pick<Terminal, 'note'>, report: string | undefined) {
  let count = 0;
  return {
    add(outcome: ImportOutcome): void {
      if (!isRefused(outcome)) return;
      const { person, file, reason } = outcome;
      count += 1;
      if (count <= shownRefusals) note(escapeUnprintable([person, file, reason].filter(Boolean).join(': ')));
    },
    end(): void {
      if (count <= shownRefusals) return;
      note(
        `… and ${count - shownRefusals} further refusals; ${report ? `all are in ${report}` : '--report lists them all'}`,
      );
    },
  };
}

/**
 * A report as CSV (`*.csv`, with a head and, for spreadsheets, a byte order mark) or JSON lines, with the fields file, person, status, reason and name. Lines are
 * written as pictures are done. A file that exists is continued: a resumed import adds its lines.
 * @param file mode 0600, since it names people; undefined: nothing is written
 * @throws OperatorError when it cannot be opened
 */
export function openReport(file: string | undefined) {
  if (file === undefined) return { add: () => undefined, close: () => undefined };
  const isCsv = file.toLowerCase().endsWith('.csv');
  const fd = openFile(file, isCsv);
  const line = isCsv
    ? ({ file: picture, person, status, reason, name = '' }: ImportOutcome) =>
        [picture, person, status, reason, name].map(cell).join(',')
    : ({ file: picture, person, status, reason, name }: ImportOutcome) =>
        escapeUnprintable(JSON.stringify({ file: picture, person, status, reason, name }));
  return {
    add: (outcome: ImportOutcome) => void writeSync(fd, `${line(outcome)}\n`),
    close: () => closeSync(fd),
  };
}

const csvHead = '\uFEFFfile,person,status,reason,name\n';

/** A report that is new or continued. @throws OperatorError also when the file is no report */
function openFile(file: string, isCsv: boolean): number {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'a+', 0o600);
    const [head, found] = [Buffer.from(isCsv ? csvHead : '{"file":"'), fstatSync(fd)];
    // A pipe, or the terminal, is no file with a beginning.
    if (!found.isFile() || found.size === 0) {
      if (isCsv) writeSync(fd, head);
      return fd;
    }
    const begins = Buffer.alloc(head.length);
    readSync(fd, begins, 0, head.length, 0);
    if (begins.equals(head)) return fd;
  } catch (error) {
    throw cannotWrite('--report', file, error);
  }
  closeSync(fd);
  throw new OperatorError(
    `--report: ${file} is there already, and is no report of an import ${isCsv ? 'as CSV' : 'in JSON lines'}; it stays as it is, name another file`,
  );
}

export function cannotWrite(option: string, file: string, error: unknown): OperatorError {
  const { code } = error as NodeJS.ErrnoException;
  return new OperatorError(`${option}: ${file} cannot be written (${code})`, { cause: error });
}

/** Quoted where RFC 4180 asks for it. A cell that a spreadsheet would take for a formula gets an apostrophe. */
function cell(given: string): string {
  const text = escapeUnprintable(given);
  const inert = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
