import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { cannotWrite } from './report.ts';

/** People whose enrolment over HTTP was begun, and whether it was completed. */
export interface ImportJournal {
  /** An earlier run began to enrol the person and did not complete it. */
  isOpen(userId: string): boolean;
  begin(userId: string): void;
  complete(userId: string): void;
  /** Deletes the file: the import is complete. */
  finish(): void;
  close(): void;
}

/**
 * Over HTTP the pictures of a person are several calls. The journal tells a resumed import whose pictures were not all
 * sent: those people are enrolled again from the first picture on. Lines hold digests of user_ids.
 * @param file mode 0600; it is created, or continued
 * @throws OperatorError when it cannot be written
 */
export function openJournal(file: string): ImportJournal {
  const open = new Set<string>();
  if (existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [mark, person = ''] = [line[0], line.slice(1)];
      if (mark === '+') open.add(person);
      else if (mark === '-') open.delete(person);
    }
  }
  let fd: number;
  try {
    fd = openSync(file, 'a', 0o600);
  } catch (error) {
    throw cannotWrite('--journal', file, error);
  }
  return {
    isOpen: (userId) => open.has(digestOf(userId)),
    begin: (userId) => void writeSync(fd, `+${digestOf(userId)}\n`),
    complete: (userId) => void writeSync(fd, `-${digestOf(userId)}\n`),
    finish: () => rmSync(file, { force: true }),
    close: () => closeSync(fd),
  };
}

const digestOf = (userId: string) => createHash('sha256').update(userId).digest('hex');
