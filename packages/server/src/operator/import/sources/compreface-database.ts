import { OperatorError } from '../../../errors.ts';
import { openCompreFaceDatabase } from '../../../store/foreign/compreface.ts';
import { type ImportOutcome, type ImportSource, type ListedPicture, peopleOf } from '../people.ts';
import { tooLarge } from './picture-file.ts';

/**
 * The stored pictures of CompreFace, read from its PostgreSQL database. Its embeddings are of other networks and are not
 * read: each picture gets a template of this server's pack.
 * @param key API key of the recognition service; undefined: the only one that has subjects
 * @throws OperatorError when the database cannot be used, or the key is not known
 */
export async function openCompreFaceSource(
  url: string,
  key: string | undefined,
  perPerson: number,
  maxBytes: number,
): Promise<ImportSource> {
  const database = await openCompreFaceDatabase(url);
  try {
    const service = chooseKey(await database.keys(), key);
    const listed = (await database.images(service)).map(
      ({ id, subject }): ListedPicture => ({
        userId: subject,
        userName: subject,
        file: id,
        async read() {
          const found = await database.content(id, maxBytes);
          if (found?.bytes) return found.bytes;
          throw new Error(found ? tooLarge(found.size, maxBytes) : 'the picture was deleted meanwhile');
        },
      }),
    );
    const { refused, ...rest } = peopleOf(listed, perPerson);
    return {
      ...rest,
      refused: [...refused, ...withoutPictures(await database.withoutImage(service))],
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function withoutPictures(count: number): ImportOutcome[] {
  if (count === 0) return [];
  const reason = `${count} examples have no stored picture: CompreFace kept only their embeddings, which are of other networks and cannot be used; enrol these people again`;
  return [{ person: '', file: '', status: 'refused', reason }];
}

function chooseKey(keys: readonly string[], given: string | undefined): string {
  if (given !== undefined && keys.includes(given)) return given;
  if (given !== undefined)
    throw new OperatorError('--key: no recognition service with subjects has this API key');
  const [only] = keys;
  if (only !== undefined && keys.length === 1) return only;
  throw new OperatorError(
    `--key: ${keys.length} recognition services have subjects; give the API key of one of them`,
  );
}
