import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackChoice } from '@wajah/engine';
import type { Config } from '../config/config.ts';

/** Name of the file that says which pack was chosen by command. */
const inUse = '.in-use';

/** The pack to run: the setting's, else the one chosen by command, else the built-in one. */
export async function packChoice({ use, folder, acceptNonCommercial }: Config['packs']): Promise<PackChoice> {
  return { id: use ?? (await chosenPack(folder)) ?? 'builtin', packsDir: folder, acceptNonCommercial };
}

/** Remembers a choice for the next start. */
export async function choosePack(folder: string, id: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `${inUse}.${randomUUID()}`);
  await writeFile(temporary, `${id}\n`);
  await rename(temporary, join(folder, inUse));
}

async function chosenPack(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, inUse), 'utf8').catch(() => null);
  return text?.trim() || null;
}
