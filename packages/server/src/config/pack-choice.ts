import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackChoice } from '@wajah/engine';
import type { Config } from './config.ts';

/** The pack to run: the setting, else the choice of `wajah models use`, else the built-in one. */
export async function packChoice({ use, folder, acceptNonCommercial }: Config['packs']): Promise<PackChoice> {
  const chosen = await readFile(choiceFile(folder), 'utf8').catch(() => '');
  return { id: use ?? (chosen.trim() || 'builtin'), packsDir: folder, acceptNonCommercial };
}

/** The file that holds the choice of `wajah models use`. */
export const choiceFile = (folder: string) => join(folder, '.in-use');
