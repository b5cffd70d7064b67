import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  definitionOf,
  installedPacks,
  installPack,
  isPadPack,
  type PackDefinition,
  RECOMMENDED_PAD_PACK,
} from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { padInstallCommands } from '../config/notices.ts';
import { summary } from '../operations/models.ts';
import { createDirectory, createMissing } from '../store/data-directory.ts';

/** What became of the pack of presentation attack detection, for the log and the operator. */
export interface FetchedPadPack {
  readonly installed: boolean;
  readonly line: string;
}

/** The pack on its way to a start. */
export interface ArrivingPadPack {
  /** Whether the start waits for it: the first one does, before it has seen a face. */
  readonly awaited: boolean;
  /** Never rejects. */
  readonly result: Promise<FetchedPadPack>;
  /** Ends the download. */
  stop(): void;
}

interface Bounds {
  /** Milliseconds without a byte after which the start, or the download, ends. */
  readonly idleMs: number;
  /** Milliseconds after which it ends in any case. */
  readonly mostMs: number;
}

/** A firewall that drops packets delays the first start by the former, a slow line by the latter. */
const ofFirst: Bounds = { idleMs: 3_000, mostMs: 10_000 };
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
    const within = bounds ?? (awaited ? ofFirst : ofLater);
    const fetched = fetchPack(definition, packs.folder, within, stopping);
    return { awaited, result: fetched.catch(notFetched), stop };
  } catch (error) {
    return { awaited: true, result: Promise.resolve(notFetched(error)), stop };
  }
}

async function fetchPack(
  definition: PackDefinition | undefined,
  folder: string,
  bounds: Bounds,
  stopping: AbortController,
): Promise<FetchedPadPack> {
  const pack = definition ?? (await definitionOf(RECOMMENDED_PAD_PACK));
  await install(pack, folder, bounds, stopping);
  return { installed: true, line: fetchedLine(pack) };
}

function notFetched(error: unknown): FetchedPadPack {
  const reason = (error as Error).message.replace(/\.$/, '');
  return {
    installed: false,
    line: `The model pack ${RECOMMENDED_PAD_PACK} was not fetched: ${reason}. The next start tries again, unless you fetch it with "${padInstallCommands[0]}".`,
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

async function install(
  pack: PackDefinition,
  folder: string,
  { idleMs, mostMs }: Bounds,
  stop: AbortController,
): Promise<void> {
  const after = (ms: number, reason: string) =>
    setTimeout(() => stop.abort(new Error(`${reason} ${ms / 1000} seconds`)), ms);
  const idle = after(idleMs, 'no byte came for');
  const most = after(mostMs, 'it would take more than');
  try {
    await installPack(pack, folder, { stop: stop.signal, progress: () => void idle.refresh() });
  } finally {
    clearTimeout(idle);
    clearTimeout(most);
  }
}

function fetchedLine(pack: PackDefinition): string {
  const { bytes, licences } = summary(pack, 'installed');
  const sources = Object.values(pack.networks).map((network) => network?.source);
  const hosts = sources.map((source) => (source?.kind === 'onnx' ? new URL(source.url).host : ''));
  const megabytes = (bytes / 1e6).toFixed(1);
  return `The model pack ${pack.id} of presentation attack detection was fetched: ${megabytes} MB, ${licences.join(', ')}, from ${[...new Set(hosts)].join(', ')}.`;
}
