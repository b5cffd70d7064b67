import { parseArgs } from 'node:util';
import { type OpenPack, openPack } from '@wajah/engine/training';
import { DEFAULT_FOLDER, EvalFolder, type Split } from '../data/eval-folder.ts';

/** What the commands of this folder take. */
export interface Options {
  readonly folder: EvalFolder;
  /** Where the converted models are kept: as the server's WAJAH_CACHE_DIR. */
  readonly cache: string;
  /** Folder of installed packs, for what they bring beside the built-in one. */
  readonly packs: string | undefined;
  readonly split: Split;
  /** Folder for SVG files; undefined: none. */
  readonly plots: string | undefined;
  /** File to write the answer to; each command has its own default. */
  readonly out: string | undefined;
  /** Markdown page whose block is replaced. */
  readonly page: string | undefined;
}

/**
 * Reads `--data FOLDER --cache FOLDER --packs FOLDER --split dev|test --plots FOLDER --out FILE --page FILE`.
 * @throws Error that names the option
 */
export function readOptions(args: readonly string[] = process.argv.slice(2)): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string', default: DEFAULT_FOLDER },
      cache: { type: 'string', default: '.cache' },
      packs: { type: 'string' },
      split: { type: 'string', default: 'test' },
      plots: { type: 'string' },
      out: { type: 'string' },
      page: { type: 'string' },
    },
  });
  if (values.split !== 'dev' && values.split !== 'test') {
    throw new Error(`--split is "${values.split}", not dev or test`);
  }
  const { data, cache, packs, split, plots, out, page } = values;
  return { folder: new EvalFolder(data), cache, packs, split, plots, out, page };
}

/** Opens the built-in pack, with the spoof nets of the packs folder when it is named, runs, closes the pack. */
export async function withPack<T>(
  cache: string,
  run: (pack: OpenPack) => Promise<T>,
  packs?: string,
): Promise<T> {
  const pack = await openPack(
    cache,
    packs === undefined ? undefined : { id: 'builtin', packsDir: packs, acceptNonCommercial: false },
  );
  try {
    return await run(pack);
  } finally {
    await pack.close();
  }
}
