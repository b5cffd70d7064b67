import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import { type PackDefinition, parseDefinition } from './manifest.ts';

const DEFINITIONS = new URL('../../data/packs/', import.meta.url);

/** File name of the definition in the folder of a pack. */
export const DEFINITION = 'pack.json';

/** Pack that a server compares faces with where nobody is enrolled yet: docs/accuracy.md has the error rates with it and without it. */
export const RECOMMENDED_PACK = 'plus';

/** Definitions of the packs that can be downloaded by name. */
export async function knownPacks(): Promise<PackDefinition[]> {
  const names = (await readdir(DEFINITIONS)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => parseDefinition(await readFile(new URL(name, DEFINITIONS), 'utf8'))),
  );
}

/**
 * Definition of a pack by name: that in a folder if it has one, else a known one.
 * @param from folder with the files of the pack, perhaps with its `pack.json`
 * @throws EngineError `pack` when there is none, or it is not valid
 */
export async function definitionOf(id: string, from?: string): Promise<PackDefinition> {
  const text = from && (await readFile(join(from, DEFINITION), 'utf8').catch(() => null));
  if (text) {
    const brought = parseDefinition(text);
    if (brought.id === id) return brought;
    throw new EngineError('pack', `${DEFINITION} in the folder describes the pack ${brought.id}, not ${id}.`);
  }
  const known = await knownPacks();
  const found = known.find((pack) => pack.id === id);
  if (found) return found;
  const names = ['builtin', ...known.map((pack) => pack.id)].join(', ');
  throw new EngineError(
    'pack',
    `There is no pack ${JSON.stringify(id)}; known are ${names}. A pack of your own comes from a folder with its ${DEFINITION}.`,
  );
}
