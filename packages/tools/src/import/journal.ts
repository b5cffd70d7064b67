import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { FileLock, OperatorError } from '@wajah/server/commands';
import { cannotWrite } from './report.ts';

/** How the first line begins, which says of which import a journal is. */
const beginning = 'Journal of an import into ';

/**
 * The pictures of a person are several calls. The journal tells a resumed import whose pictures were not all sent: those
 * people are enrolled again from the first picture on. It belongs to one gallery: who was begun in another may be
 * enrolled in this one. Further lines hold digests of user_ids.
 * @param file mode 0600; it is created with the first person, or continued
 * @param dryRun it is read only
 * @throws OperatorError when it cannot be read or is no journal, or another import has it
 */
export function openJournal(file: string, dryRun: boolean) {
  const unlock = dryRun ? () => undefined : lockJournal(file);
  let found: string[];
  try {
    found = linesOf(file);
  } catch (error) {
    unlock();
    throw error;
  }
  const open = openOf(found);
  let fd: number | undefined;
  let head = '';
  const write = (mark: '+' | '-', userId: string) => {
    if (dryRun) return;
    fd ??= openFile(file, found.length === 0 ? head : '');
    writeSync(fd, `${mark}${digestOf(userId)}\n`);
  };
  return {
    /** @param place where people are enrolled @throws OperatorError when it is the journal of another place */
    requireOf(place: string) {
      head = `${beginning}${place}`;
      if (found.length === 0 || found[0] === head) return;
      throw new OperatorError(
        `${file} is the j${found[0]!.slice(1)}, and this import is into ${place}; go on with that one first, or name another file with --journal; delete the file if that import is not to go on`,
      );
    },
    /** The user_ids whose pictures were not all sent, for `enrolPeople`. */
    unfinished: {
      /** Of an earlier run. */
      has: (userId: string) => open.has(digestOf(userId)),
      add: (userId: string) => write('+', userId),
      delete: (userId: string) => write('-', userId),
    },
    /** Whether a person was begun by this run. */
    hasBegun: () => fd !== undefined,
    /** Deletes the file: the import is complete. */
    finish() {
      if (!dryRun && (fd !== undefined || found.length > 0)) rmSync(file, { force: true });
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      unlock();
    },
  };
}

/** @returns [] where there is no such file @throws OperatorError when it is another's: it would be written to, and deleted */
function linesOf(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cannotWrite('--journal', file, error);
  }
  if (text.startsWith(beginning)) return text.split('\n');
  throw new OperatorError(
    `--journal: ${file} is no journal of an import, and stays as it is; name another file`,
  );
}

/** Digests of those who were begun and not ended. */
function openOf([, ...lines]: readonly string[]): Set<string> {
  const open = new Set<string>();
  for (const line of lines) {
    if (line.startsWith('+')) open.add(line.slice(1));
    else open.delete(line.slice(1));
  }
  return open;
}

/** @param head the first line of a new file */
function openFile(file: string, head: string): number {
  try {
    const fd = openSync(file, 'a', 0o600);
    if (head !== '') writeSync(fd, `${head}\n`);
    return fd;
  } catch (error) {
    throw cannotWrite('--journal', file, error);
  }
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
