import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { OperatorError } from '../../../errors.ts';
import { type ImportSource, isPictureName, type ListedPicture, namesOf, peopleOf } from '../people.ts';

/**
 * A folder with a folder (`3174001/front.jpg`) or a file (`3174001.jpg`) for each person. The name is the user_id; as
 * user_name, `_` is a space.
 * @throws OperatorError when the folder cannot be read
 */
export async function openFolder(folder: string, perPerson: number, maxBytes: number): Promise<ImportSource> {
  const files: { person: string; file: string }[] = [];
  try {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && !entry.name.startsWith('.')) {
        const inside = (await readdir(join(folder, entry.name))).filter(isPictureName);
        files.push(...inside.map((name) => ({ person: entry.name, file: join(entry.name, name) })));
      } else if (isPictureName(entry.name)) {
        files.push({ person: basename(entry.name, extname(entry.name)), file: entry.name });
      }
    }
  } catch (error) {
    throw new OperatorError(
      `${folder} cannot be read (${(error as NodeJS.ErrnoException).code}); name a folder`,
      {
        cause: error,
      },
    );
  }
  files.sort((a, b) => (a.file < b.file ? -1 : 1));
  const listed = files.map(
    ({ person, file }): ListedPicture => ({
      ...namesOf(person),
      file,
      read: () => readPicture(join(folder, file), maxBytes),
    }),
  );
  return { ...peopleOf(listed, perPerson), close: async () => undefined };
}

/** @throws Error a sentence, when the file cannot be read or is too large */
export async function readPicture(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) throw new Error(tooLarge(size, maxBytes));
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(`the file cannot be read (${code})`, { cause: error });
  }
}

export const tooLarge = (bytes: number, maxBytes: number) =>
  `the picture is ${bytes} bytes, at most ${maxBytes} are allowed`;
