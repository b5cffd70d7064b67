import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { FileLock, OperatorError } from '@wajah/server/commands';
import { cannotWrite } from './report.ts';

/**
 * The pictures of a person are several calls. The journal tells a resumed import whose pictures were not all sent: those
 * people are enrolled again from the first picture on. Lines hold digests of user_ids.
 * @param file mode 0600; it is created, or continued
 * @throws OperatorError when it cannot be written, or another import has it
 */
export function openJournal(file: string) {
  const unlock = lockJournal(file);
  const open = new Set<string>();
  let fd: number;
  try {
    for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
      const [mark, person = ''] = [line[0], line.slice(1)];
      if (mark === '+') open.add(person);
      else if (mark === '-') open.delete(person);
    }
    fd = openSync(file, 'a', 0o600);
  } catch (error) {
    unlock();
    throw cannotWrite('--journal', file, error);
  }
  const write = (mark: '+' | '-', userId: string) => writeSync(fd, `${mark}${digestOf(userId)}\n`);
  return {
    /** The user_ids whose pictures were not all sent, for `enrolPeople`. */
    unfinished: {
      /** Of an earlier run. */
      has: (userId: string) => open.has(digestOf(userId)),
      add: (userId: string) => write('+', userId),
      delete: (userId: string) => write('-', userId),
    },
    /** Deletes the file: the import is complete. */
    finish: () => rmSync(file, { force: true }),
    /** Deletes a file in which nothing is: no person was begun. */
    close() {
      if (fstatSync(fd).size === 0) rmSync(file, { force: true });
      closeSync(fd);
      unlock();
    },
  };
}

/** Two imports that resume from one journal would each send a person's pictures. */
function lockJournal(journal: string): () => void {
  const file = `${journal}.lock`;
  let lock: FileLock | null;
  try {
    // SQLite would not say why it cannot.
    closeSync(openSync(file, 'a', 0o600));
    lock = FileLock.tryTake(file);
  } catch (error) {
    throw cannotWrite('--journal', file, error);
  }
  if (lock === null)
    throw new OperatorError(
      `${journal} is that of an import that runs; wait for its end, or name another file with --journal if it is of other people`,
    );
  return () => {
    rmSync(file, { force: true });
    lock.release();
  };
}

const digestOf = (userId: string) => createHash('sha256').update(userId).digest('hex');
