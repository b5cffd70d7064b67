import type { Enrolee, EnroleePicture, LeftOut } from '@wajah/client';
import { tooLarge } from '@wajah/client/node';
import { OperatorError, parseDatabaseUrl } from '@wajah/server/commands';
import { PostgresDatabase } from '@wajah/server/stores';
import { noTls, requireUrl } from './server.ts';
import type { ImportSource, PictureLimits } from './source.ts';

interface FacesPage {
  readonly faces: readonly { readonly image_id: string; readonly subject: string }[];
  readonly total_pages: number;
}

const pageSize = 1000;
const timeoutMs = 60_000;

const ownKey = 'is it the API key of a recognition service';
const noService = `${ownKey}, and the address that before /api/v1?`;

/**
 * The faces of a recognition service of CompreFace, by its REST API: the list of faces (image_id and subject), then each
 * picture. The name of a subject is user_id and user_name.
 * @param address of CompreFace, such as http://localhost:8000
 * @param key API key of the recognition service
 * @throws OperatorError when it does not answer as documented
 */
export async function openCompreFaceApi(
  address: string,
  key: string,
  { maxBytes }: PictureLimits,
): Promise<ImportSource> {
  requireUrl('--api', address);
  const base = `${address.replace(/\/+$/, '')}/api/v1/recognition/faces`;
  const people: Enrolee[] = [];
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const answer = await get(`${base}?page=${page}&size=${pageSize}`, key, noService).catch(
      (error: unknown) => {
        throw new OperatorError(
          `CompreFace at ${address}: ${error instanceof Error ? error.message : error}`,
        );
      },
    );
    const { faces, total_pages: total } = requirePage(address, await answer.json().catch(() => null));
    pages = total;
    for (const { image_id: id, subject } of faces) {
      const image = () => readImage(`${base}/${encodeURIComponent(id)}/img`, key, maxBytes);
      people.push(personOf(subject, { name: id, image }));
    }
  }
  return { people, left_out: [], idsAsWritten: true };
}

const personOf = (subject: string, picture: EnroleePicture): Enrolee => ({
  user_id: subject,
  user_name: subject,
  pictures: [picture],
});

function requirePage(address: string, answer: unknown): FacesPage {
  const page = answer as Partial<FacesPage> | null;
  if (Array.isArray(page?.faces) && typeof page.total_pages === 'number') return page as FacesPage;
  throw new OperatorError(`CompreFace at ${address}: the list of faces has another form than documented`);
}

async function readImage(url: string, key: string, maxBytes: number): Promise<Uint8Array> {
  const answer = await get(url, key, 'the list names it, and it is not there');
  const size = Number(answer.headers.get('content-length') ?? 0);
  if (size > maxBytes) throw new Error(tooLarge(size, maxBytes));
  return new Uint8Array(await answer.arrayBuffer());
}

/** @param notFound what a 404 means @throws Error with a sentence */
async function get(url: string, key: string, notFound: string): Promise<Response> {
  const options = { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(timeoutMs) };
  const answer = await fetch(url, options).catch((error: Error) => {
    const { code = error.name } = (error.cause ?? error) as { code?: string };
    const found = code === 'ERR_SSL_WRONG_VERSION_NUMBER' ? noTls : code;
    throw new Error(`it does not answer (${found})`, { cause: error });
  });
  if (answer.ok) return answer;
  const isKey = [401, 403].includes(answer.status);
  const advice = isKey ? `; ${ownKey}?` : answer.status === 404 ? `; ${notFound}` : '';
  throw new Error(`HTTP ${answer.status}${advice}`);
}

/**
 * The stored pictures of CompreFace, read from its PostgreSQL database. Its embeddings are of other networks and are not
 * read: each picture gets a template of this server's pack.
 * @param key API key of the recognition service; undefined: the only one that has subjects
 * @throws OperatorError when the database cannot be used, or the key is not known
 */
export async function openCompreFaceSource(
  url: string,
  key: string | undefined,
  { maxBytes }: PictureLimits,
): Promise<ImportSource> {
  const database = await openCompreFaceDatabase(url);
  try {
    const service = chooseKey(await database.keys(), key);
    const people = (await database.images(service)).map(({ id, subject }) =>
      personOf(subject, {
        name: id,
        async image() {
          const found = await database.content(id, maxBytes);
          if (found?.bytes) return found.bytes;
          throw new Error(found ? tooLarge(found.size, maxBytes) : 'the picture was deleted meanwhile');
        },
      }),
    );
    const left_out = withoutPictures(await database.withoutImage(service));
    return { people, left_out, idsAsWritten: true, close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function withoutPictures(count: number): LeftOut[] {
  if (count === 0) return [];
  const reason = `${count} examples have no stored picture: CompreFace kept only their embeddings, which are of other networks and cannot be used; enrol these people again`;
  return [{ file: '', reason, user_id: '' }];
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

/** A picture of a subject in the database of CompreFace 0.6 to 1.2. */
export interface CompreFaceImage {
  readonly id: string;
  readonly subject: string;
}

/** Reads the database of CompreFace; it is not written to. */
export interface CompreFaceDatabase {
  /** API keys of the recognition services that have subjects. */
  keys(): Promise<string[]>;
  /** Pictures in order of subject. @param key API key of the recognition service */
  images(key: string): Promise<CompreFaceImage[]>;
  /** Examples without a picture, which CompreFace does not store where `save_images_to_db` is off. */
  withoutImage(key: string): Promise<number>;
  /** Size and bytes of a picture; no bytes when it is larger than `maxBytes`; null: it is gone. */
  content(id: string, maxBytes: number): Promise<{ size: number; bytes: Uint8Array | null } | null>;
  close(): Promise<void>;
}

/**
 * The tables are `subject` (id, api_key, subject_name), `embedding` (subject_id, img_id) and `img` (id, content). An
 * image has an embedding for each model that computed one.
 * @throws OperatorError when the URL is malformed, or the tables are not there
 */
async function openCompreFaceDatabase(url: string): Promise<CompreFaceDatabase> {
  const db = new PostgresDatabase(parseDatabaseUrl('--database', url), { connections: 4, timeoutMs: 60_000 });
  try {
    const found = await db.get<{ tables: number }>(
      `SELECT count(*) AS tables FROM pg_tables WHERE schemaname = 'public' AND tablename IN ('subject', 'embedding', 'img')`,
    );
    if (found?.tables !== 3) {
      throw new OperatorError(
        '--database: the tables subject, embedding and img of CompreFace 0.6 or newer are not there; is it its database?',
      );
    }
  } catch (error) {
    await db.close();
    throw error instanceof OperatorError
      ? error
      : new OperatorError(`--database: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  return {
    keys: async () => {
      const rows = await db.all<{ key: string }>(
        'SELECT DISTINCT api_key AS key FROM public.subject ORDER BY 1',
      );
      return rows.map(({ key }) => key);
    },
    images: (key) =>
      db.all<CompreFaceImage>(
        `SELECT DISTINCT i.id::text AS id, s.subject_name AS subject FROM public.subject s
           JOIN public.embedding e ON e.subject_id = s.id JOIN public.img i ON i.id = e.img_id
         WHERE s.api_key = $1 ORDER BY subject, id`,
        key,
      ),
    withoutImage: async (key) => {
      const row = await db.get<{ count: number }>(
        `SELECT count(*) AS count FROM public.subject s JOIN public.embedding e ON e.subject_id = s.id
         WHERE s.api_key = $1 AND e.img_id IS NULL`,
        key,
      );
      return row?.count ?? 0;
    },
    content: async (id, maxBytes) => {
      const row = await db.get<{ size: number; bytes: Uint8Array | null }>(
        `SELECT octet_length(content)::bigint AS size,
           CASE WHEN octet_length(content) <= $2 THEN content END AS bytes FROM public.img WHERE id = $1::uuid`,
        id,
        maxBytes,
      );
      return row ?? null;
    },
    close: () => db.close(),
  };
}
