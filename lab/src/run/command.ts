import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { PackChoice } from '@wajah/engine';
import { type OpenPack, openPack } from '@wajah/engine/training';
import { DEFAULT_FOLDER, EvalFolder, type Split } from '../data/eval-folder.ts';

/** Options of the training commands. */
export interface Options {
  readonly folder: EvalFolder;
  /** Folder of the converted models, as `WAJAH_CACHE_DIR` of the server. */
  readonly cache: string;
  /** Folder of installed packs, whose PAD networks are used. */
  readonly packs: string | undefined;
  /** Pack that is trained. */
  readonly pack: string;
  readonly split: Split;
  /** Folder for SVG files; undefined: none. */
  readonly plots: string | undefined;
  /** Output file; each command has its own default. */
  readonly out: string | undefined;
  /** Folder of results; undefined: they are only printed. */
  readonly results: string | undefined;
  /** File of measured PAD signals: read where it exists, else written. */
  readonly features: string | undefined;
  /** Folder of generated frames of liveness sessions and their analyses, stored and found again. */
  readonly frames: string | undefined;
}

/**
 * Reads `--data FOLDER --cache FOLDER --packs FOLDER --pack PACK --split dev|test --plots FOLDER --out FILE --results FOLDER
 * --features FILE --frames FOLDER`.
 * @throws Error that names the option
 */
export function readOptions(args: readonly string[] = process.argv.slice(2)): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string', default: DEFAULT_FOLDER },
      cache: { type: 'string', default: '.cache' },
      packs: { type: 'string' },
      pack: { type: 'string', default: 'builtin' },
      split: { type: 'string', default: 'test' },
      plots: { type: 'string' },
      out: { type: 'string' },
      results: { type: 'string' },
      features: { type: 'string' },
      frames: { type: 'string' },
    },
  });
  if (values.split !== 'dev' && values.split !== 'test') {
    throw new Error(`--split is "${values.split}", not dev or test`);
  }
  const { data, cache, packs, pack, split, plots, out, results, features, frames } = values;
  return { folder: new EvalFolder(data), cache, packs, pack, split, plots, out, results, features, frames };
}

/** Opens a pack, with the PAD networks of the packs folder if it is given, and closes it after `run`. */
export function withPack<T>(
  cache: string,
  run: (pack: OpenPack) => Promise<T>,
  packsDir?: string,
  id = 'builtin',
): Promise<T> {
  const choice = packsDir === undefined ? undefined : { id, packsDir, acceptNonCommercial: false };
  return withPackOf(cache, choice, run);
}

/** Opens a pack and closes it after `run`. */
export async function withPackOf<T>(
  cache: string,
  choice: PackChoice | undefined,
  run: (pack: OpenPack) => Promise<T>,
): Promise<T> {
  const pack = await openPack(cache, choice);
  try {
    return await run(pack);
  } finally {
    await pack.close();
  }
}

/** Processor, number of cores and Node version, for reports. */
export function machine(): string {
  const [cpu] = cpus();
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`;
}
