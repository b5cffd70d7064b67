import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PackChoice } from '@wajah/engine';
import type { Config } from './config.ts';

/** The pack to run: that of the operator, else that which the last start took, else the built-in one. */
export async function packChoice(packs: Config['packs']): Promise<PackChoice> {
  const { folder, acceptNonCommercial } = packs;
  const id = (await operatorsChoice(packs)) ?? (await readName(startFile(folder))) ?? 'builtin';
  return { id, packsDir: folder, acceptNonCommercial };
}

/** The setting, else the choice of `wajah models use`; null: the start decides. */
export async function operatorsChoice({ use, folder }: Config['packs']): Promise<string | null> {
  return use ?? readName(choiceFile(folder));
}

const readName = async (file: string) => (await readFile(file, 'utf8').catch(() => '')).trim() || null;

/** The file that holds the choice of `wajah models use`. */
export const choiceFile = (folder: string) => join(folder, '.in-use');

/** The file that holds what the last start took, for the commands; each start decides anew. */
export const startFile = (folder: string) => join(folder, '.of-start');

/** Writes the name of a pack into such a file. */
export async function storeName(file: string, id: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, `${id}\n`);
  await rename(temporary, file);
}
