import { readdir, realpath } from 'node:fs/promises';
import { basename, extname, join, sep } from 'node:path';
import { OperatorError } from '@wajah/server/commands';
import {
  type ImportOutcome,
  type ImportSource,
  isPictureName,
  type ListedPicture,
  namesOf,
  peopleOf,
  readPicture,
} from './people.ts';

/**
 * A folder with a folder (`3174001/front.jpg`) or a file (`3174001.jpg`) for each person. The name is the user_id; as
 * user_name, `_` is a space. Links are followed within the folder.
 * @throws OperatorError when the folder cannot be read
 */
export async function openFolder(folder: string, perPerson: number, maxBytes: number): Promise<ImportSource> {
  const files: { person: string; file: string }[] = [];
  const refused: ImportOutcome[] = [];
  const top = await realpath(folder).catch((error: unknown) => {
    throw cannotRead(folder, error);
  });
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw cannotRead(folder, error);
  });
  for (const entry of entries) {
    if (entry.isDirectory() && !entry.name.startsWith('.')) {
      const inside = await readdir(join(folder, entry.name)).catch((error: NodeJS.ErrnoException) => {
        const reason = `the folder cannot be read (${error.code})`;
        refused.push({ person: entry.name, file: entry.name, status: 'refused', reason });
        return [];
      });
      const pictures = inside.filter(isPictureName);
      files.push(...pictures.map((name) => ({ person: entry.name, file: join(entry.name, name) })));
    } else if (isPictureName(entry.name)) {
      files.push({ person: basename(entry.name, extname(entry.name)), file: entry.name });
    }
  }
  files.sort((a, b) => (a.file < b.file ? -1 : 1));
  const listed = files.map(
    ({ person, file }): ListedPicture => ({
      ...namesOf(person),
      file,
      read: async () => {
        await requireInside(top, join(folder, file));
        return readPicture(join(folder, file), maxBytes);
      },
    }),
  );
  const found = peopleOf(listed, perPerson);
  return { ...found, refused: [...refused, ...found.refused], close: async () => undefined };
}

/** Who fills the folder does not choose other files of the machine. @throws Error a sentence */
async function requireInside(top: string, path: string): Promise<void> {
  // What does not exist is refused when it is read.
  const real = await realpath(path).catch(() => null);
  if (real === null || real.startsWith(top.endsWith(sep) ? top : top + sep)) return;
  throw new Error('it is a link to a file outside the folder; copy the picture, or name it in a CSV file');
}

function cannotRead(folder: string, error: unknown): OperatorError {
  const { code } = error as NodeJS.ErrnoException;
  return new OperatorError(`${folder} cannot be read (${code}); name a folder`, { cause: error });
}
