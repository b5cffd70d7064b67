import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { PackChoice } from '@wajah/engine';
import { type OpenPack, openPack } from '@wajah/engine/training';
import { DEFAULT_FOLDER, EvalFolder } from '../data/eval-folder.ts';

/** Options of the training commands. */
export interface Options {
  readonly folder: EvalFolder;
  /** Folder of installed packs, whose PAD networks are used. */
  readonly packs?: string | undefined;
  /** Pack that is trained. */
  readonly pack: string;
  /** Output file; each command has its own default. */
  readonly out?: string | undefined;
}

/** Reads `--data FOLDER --packs FOLDER --pack PACK --out FILE`. @throws Error that names the option */
export function readOptions(args: readonly string[] = process.argv.slice(2)): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string', default: DEFAULT_FOLDER },
      packs: { type: 'string' },
      pack: { type: 'string', default: 'builtin' },
      out: { type: 'string' },
    },
  });
  const { data, ...rest } = values;
  return { folder: new EvalFolder(data), ...rest };
}

/** Opens a pack, with the PAD networks of the packs folder if it is given, and closes it after `run`. */
export function withPack<T>(
  run: (pack: OpenPack) => Promise<T>,
  packsDir?: string,
  id = 'builtin',
): Promise<T> {
  const choice = packsDir === undefined ? undefined : { id, packsDir, acceptNonCommercial: false };
  return withPackOf(choice, run);
}

/** Opens a pack and closes it after `run`. */
export async function withPackOf<T>(
  choice: PackChoice | undefined,
  run: (pack: OpenPack) => Promise<T>,
): Promise<T> {
  const pack = await openPack(choice);
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
