import { existsSync } from 'node:fs';
import { damagedFiles, type EmbeddingSpec, installedPack, RECOMMENDED_PACK } from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { parseDatabaseUrl } from '../config/database-url.ts';
import { operatorsChoice } from '../config/pack-choice.ts';
import type { EnrolledSpec } from './contents.ts';
import { databaseFile } from './data-directory.ts';

type Settings = Pick<Config, 'packs' | 'dataDir' | 'database'>;

/** What the next start runs, where it fetches nothing. */
interface NextPack {
  readonly id: string;
  /** Other packs that people are enrolled with, and are not prepared to leave. */
  readonly others: readonly string[];
}

/** The decision of the next start, without taking it. @throws OperatorError when the store cannot be read */
export async function packOfNextStart(config: Settings): Promise<NextPack> {
  const enrolled = await readEnrolled(config);
  const packs = enrolled.map(({ spec }) => packOf(spec));
  const recommended = async () => {
    if (!packs.every((pack) => pack === RECOMMENDED_PACK)) return false;
    return packs.length > 0 || (await isInstalled(config.packs.folder));
  };
  const chosen = await operatorsChoice(config.packs);
  const id = chosen ?? ((await recommended()) ? RECOMMENDED_PACK : 'builtin');
  const others = enrolled.filter(
    ({ spec, next }) => packOf(spec) !== id && (next === null || packOf(next) !== id),
  );
  return { id, others: [...new Set(others.map(({ spec }) => packOf(spec)))] };
}

/** The pack of an embedding spec (JSON). */
export const packOf = (spec: string) => (JSON.parse(spec) as EmbeddingSpec).pack;

/** What people of the configured store are enrolled with. @throws OperatorError when it cannot be read */
export const readEnrolled = ({ database, dataDir }: Settings): Promise<EnrolledSpec[]> =>
  database ? ofDatabase(database.url) : ofFile(databaseFile(dataDir));

const databaseMs = 5000;

async function ofDatabase(url: string): Promise<EnrolledSpec[]> {
  const { enrolledInPostgres } = await import('./postgres-store.ts');
  return enrolledInPostgres(parseDatabaseUrl('WAJAH_DATABASE_URL', url), databaseMs);
}

async function ofFile(file: string): Promise<EnrolledSpec[]> {
  if (!existsSync(file)) return [];
  const { enrolledInSqlite } = await import('./sqlite-store.ts');
  return enrolledInSqlite(file);
}

/** Whether the recommended pack is installed, whole. */
export async function isInstalled(folder: string): Promise<boolean> {
  const pack = await installedPack(folder, RECOMMENDED_PACK).catch(() => null);
  return pack !== null && (await damagedFiles(pack)).length === 0;
}
