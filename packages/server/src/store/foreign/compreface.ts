import { parseDatabaseUrl } from '../../config/database-url.ts';
import { OperatorError } from '../../errors.ts';
import { PostgresDatabase } from '../database/postgres.ts';

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
export async function openCompreFaceDatabase(url: string): Promise<CompreFaceDatabase> {
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
