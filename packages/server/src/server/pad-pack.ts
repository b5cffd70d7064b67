import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  definitionOf,
  installedPacks,
  isPadPack,
  type PackDefinition,
  RECOMMENDED_PAD_PACK,
} from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { padInstallCommands } from '../config/findings.ts';
import { createDirectory, createMissing } from '../store/data-directory.ts';
import { type Bounds, type FetchedPack, fetchPack, ofStart, reasonOf } from './fetch-pack.ts';

/** The pack on its way to a start. */
export interface ArrivingPadPack {
  /** Whether the start waits for it: the first one does, before it has seen a face. */
  readonly awaited: boolean;
  /** Never rejects. */
  readonly result: Promise<FetchedPack>;
  /** Ends the download. */
  stop(): void;
}

/** Nobody waits for later ones. */
const ofLater: Bounds = { idleMs: 30_000, mostMs: 600_000 };

/**
 * Fetches the recommended pack, once at each start, where no pack of presentation attack detection is installed. A file in
 * the folder of packs tells the first start, which waits for it, from later ones, which do not.
 * @param definition of the pack; absent: that of the catalogue
 * @returns null where nothing was to be done; never rejects
 */
export async function fetchPadPack(
  { packs, dataDir, database }: Pick<Config, 'packs' | 'dataDir' | 'database'>,
  definition?: PackDefinition,
  bounds?: Bounds,
): Promise<ArrivingPadPack | null> {
  if (packs.pad === 'off') return null;
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error('the server stops'));
  try {
    if (await hasPadPack(packs.folder)) return null;
    if (database === null) createDirectory(dataDir);
    const awaited = await claim(packs.folder);
    const within = bounds ?? (awaited ? ofStart : ofLater);
    const fetched = fetchRecommended(definition, packs.folder, within, stopping);
    return { awaited, result: fetched.catch(notFetched), stop };
  } catch (error) {
    return { awaited: true, result: Promise.resolve(notFetched(error)), stop };
  }
}

async function fetchRecommended(
  definition: PackDefinition | undefined,
  folder: string,
  bounds: Bounds,
  stopping: AbortController,
): Promise<FetchedPack> {
  const pack = definition ?? (await definitionOf(RECOMMENDED_PAD_PACK));
  const facts = await fetchPack(pack, folder, bounds, stopping);
  return {
    installed: true,
    line: `The model pack ${pack.id} of presentation attack detection was fetched: ${facts}.`,
  };
}

function notFetched(error: unknown): FetchedPack {
  return {
    installed: false,
    line: `The model pack ${RECOMMENDED_PAD_PACK} was not fetched: ${reasonOf(error)}. The next start tries again, unless you fetch it with "${padInstallCommands[0]}".`,
  };
}

/** Also a damaged one: the operator installs it again. */
async function hasPadPack(folder: string): Promise<boolean> {
  return (await installedPacks(folder)).some(({ definition }) => isPadPack(definition));
}

/** @returns whether this is the first start that tries */
async function claim(folder: string): Promise<boolean> {
  const file = join(folder, '.pad-fetched');
  if (existsSync(file)) return false;
  try {
    createMissing(folder);
    await writeFile(file, `${new Date().toISOString()}\n`, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${folder} cannot be written (${code})`, { cause: error });
  }
  return true;
}
