import { parseArgs } from 'node:util';
import { type OpenPack, openBuiltinPack } from '@wajah/engine';
import { DEFAULT_FOLDER, EvalFolder, type Split } from '../data/eval-folder.ts';

/** What the commands of this folder take. */
export interface Options {
  readonly folder: EvalFolder;
  /** Where the converted models are kept: as the server's WAJAH_CACHE_DIR. */
  readonly cache: string;
  readonly split: Split;
  /** File to write the answer to; each command has its own default. */
  readonly out: string | undefined;
}

/**
 * Reads `--data FOLDER --cache FOLDER --split dev|test --out FILE`.
 * @throws Error that names the option
 */
export function readOptions(args: readonly string[] = process.argv.slice(2)): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string', default: DEFAULT_FOLDER },
      cache: { type: 'string', default: '.cache' },
      split: { type: 'string', default: 'test' },
      out: { type: 'string' },
    },
  });
  if (values.split !== 'dev' && values.split !== 'test') {
    throw new Error(`--split is "${values.split}", not dev or test`);
  }
  return { folder: new EvalFolder(values.data), cache: values.cache, split: values.split, out: values.out };
}

/** Opens the built-in pack, runs, closes the pack. */
export async function withPack<T>(cache: string, run: (pack: OpenPack) => Promise<T>): Promise<T> {
  const pack = await openBuiltinPack(cache);
  try {
    return await run(pack);
  } finally {
    await pack.close();
  }
}
