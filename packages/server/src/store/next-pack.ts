import { existsSync } from 'node:fs';
import { damagedFiles, type EmbeddingSpec, installedPack, RECOMMENDED_PACK } from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { parseDatabaseUrl } from '../config/database-url.ts';
import { operatorsChoice } from '../config/pack-choice.ts';
import { readEnrolledSpecs } from './contents.ts';
import { databaseFile } from './data-directory.ts';
import { oldestSchema } from './database/schema.ts';
import type { Database } from './database/session.ts';

type Settings = Pick<Config, 'packs' | 'dataDir' | 'database'>;

/** What the next start runs, where it fetches nothing. */
interface NextPack {
  readonly id: string;
  /** Other packs that people are enrolled with. */
  readonly others: readonly string[];
}

/** The decision of the next start, without taking it. @throws OperatorError when the store cannot be read */
export async function packOfNextStart(config: Settings): Promise<NextPack> {
  const enrolled = await readEnrolled(config);
  const packs = enrolled.map(packOf);
  const { folder } = config.packs;
  const isNew = packs.length === 0 && !(await isInstalled(folder));
  const id = (await operatorsChoice(config.packs)) ?? (isNew ? 'builtin' : await packOfPeople(packs, folder));
  return { id, others: [...new Set(packs.filter((pack) => pack !== id))] };
}

/** The one pack of all people, where it is installed or can be fetched, else the built-in one. @param packs none: nobody is enrolled */
export async function packOfPeople(packs: readonly string[], folder: string): Promise<string> {
  const [only = RECOMMENDED_PACK, ...others] = new Set(packs);
  const isThere = only === RECOMMENDED_PACK || (await isInstalled(folder, only));
  return others.length === 0 && isThere ? only : 'builtin';
}

/** The pack of an embedding spec (JSON). */
export const packOf = (spec: string) => (JSON.parse(spec) as EmbeddingSpec).pack;

/** Embedding specs (JSON) that people of the configured store are enrolled with. @throws OperatorError when it cannot be read */
export const readEnrolled = async (settings: Settings): Promise<string[]> =>
  (await readStore(settings, readEnrolledSpecs)) ?? [];

const databaseMs = 5000;

/**
 * Reads the configured store without opening it for good; a server may have it open.
 * @returns null where there is none, or of a schema that this version does not upgrade
 * @throws OperatorError when it cannot be read
 */
export async function readStore<T>(
  { database, dataDir }: Pick<Settings, 'database' | 'dataDir'>,
  read: (db: Database, schema: number) => Promise<T>,
): Promise<T | null> {
  const readKnown = (db: Database, schema: number) =>
    schema >= oldestSchema ? read(db, schema) : Promise.resolve(null);
  if (database) {
    const { readPostgres } = await import('./postgres-store.ts');
    return readPostgres(parseDatabaseUrl('WAJAH_DATABASE_URL', database.url), databaseMs, readKnown);
  }
  const file = databaseFile(dataDir);
  if (!existsSync(file)) return null;
  const { readSqlite } = await import('./sqlite-store.ts');
  return readSqlite(file, readKnown);
}

/** Whether a pack is installed, whole. */
export async function isInstalled(folder: string, id = RECOMMENDED_PACK): Promise<boolean> {
  const pack = await installedPack(folder, id).catch(() => null);
  return pack !== null && (await damagedFiles(pack)).length === 0;
}
