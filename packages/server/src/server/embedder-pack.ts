import { rm } from 'node:fs/promises';
import { definitionOf, type PackDefinition, RECOMMENDED_PACK } from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { operatorsChoice, packChoice, startFile, storeName } from '../config/pack-choice.ts';
import { createDirectory, createMissing } from '../store/data-directory.ts';
import { isInstalled, packOf, packOfPeople, readEnrolled } from '../store/next-pack.ts';
import { type Bounds, type FetchedPack, fetchPack, ofStart, reasonOf } from './fetch-pack.ts';

type Settings = Pick<Config, 'packs' | 'dataDir' | 'database'>;

/**
 * Decides on the pack of a start where the operator has chosen none: where nobody is enrolled the recommended one, which is
 * fetched if it is not installed, else that of the people: it is never changed under them.
 * @param definition of the recommended pack; absent: that of the catalogue
 * @returns what the operator should know; null: nothing. Never rejects
 */
export async function decideOnPack(
  config: Settings,
  definition?: PackDefinition,
  bounds: Bounds = ofStart,
): Promise<FetchedPack | null> {
  const { folder } = config.packs;
  try {
    if ((await operatorsChoice(config.packs)) !== null) return null;
    const enrolled = (await readEnrolled(config)).map(packOf);
    const own = await packOfPeople(enrolled, folder);
    const before = (await packChoice(config.packs)).id;
    if (enrolled.length === 0) await rm(startFile(folder), { force: true });
    else await store(config, own);
    if (own !== RECOMMENDED_PACK) return null;
    const facts = await installed(config, definition, bounds);
    if (facts === null) return null;
    await store(config, RECOMMENDED_PACK);
    const isNew = enrolled.length === 0 && before !== RECOMMENDED_PACK;
    const fetched = facts === 'there' ? [] : [`The model pack ${RECOMMENDED_PACK} was fetched: ${facts}.`];
    const line = [...fetched, ...(isNew ? [taken] : [])].join(' ');
    return line === '' ? null : { installed: true, line };
  } catch (error) {
    const line = `The model pack ${RECOMMENDED_PACK} was not fetched: ${reasonOf(error)}. The next start tries again only while nobody is enrolled but the drawn people of samples; doctor says how it is taken later.`;
    return { installed: false, line };
  }
}

const taken = `Faces are compared with the model pack ${RECOMMENDED_PACK} from the first person on.`;

/** @returns `there`, or what was fetched, in words; null: it is not installed, and nothing may be fetched */
async function installed(
  { packs, dataDir, database }: Settings,
  definition: PackDefinition | undefined,
  bounds: Bounds,
): Promise<string | null> {
  if (await isInstalled(packs.folder)) return 'there';
  if (packs.pad === 'off') return null;
  if (database === null) createDirectory(dataDir);
  createMissing(packs.folder);
  const wanted = definition ?? (await definitionOf(RECOMMENDED_PACK));
  return fetchPack(wanted, packs.folder, bounds, new AbortController());
}

async function store({ packs, dataDir, database }: Settings, id: string): Promise<void> {
  if (database === null) createDirectory(dataDir);
  await storeName(startFile(packs.folder), id);
}
