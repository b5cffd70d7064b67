import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../../errors.ts';
import { type CalibrationCurve, parseCurve } from '../../similarity.ts';
import { DEFINITION, knownPacks } from '../catalog.ts';
import { fileDigest } from '../files.ts';
import { type PackDefinition, parseDefinition } from '../manifest.ts';
import { DATA, networksOf } from './install.ts';

/** Folder of the packs that a release brings along; a checkout has none. */
const SHIPPED = fileURLToPath(new URL('../../../packs', import.meta.url));

/** An installed pack. */
export interface InstalledPack {
  readonly definition: PackDefinition;
  readonly folder: string;
}

/** The installed packs, and those of the release, in the order of their names; folders without a valid pack are skipped. */
export async function installedPacks(packsDir: string): Promise<InstalledPack[]> {
  const names = await Promise.all(folders(packsDir).map((folder) => readdir(folder).catch(() => [])));
  const found = await Promise.all(
    [...new Set(names.flat())]
      .filter((name) => !name.startsWith('.'))
      .sort()
      .map((name) => installedPack(packsDir, name).catch(() => null)),
  );
  return found.filter((pack) => pack !== null);
}

/** Reads the definition of an installed pack. @throws EngineError `pack` when it is not installed or not valid */
export async function installedPack(packsDir: string, id: string): Promise<InstalledPack> {
  for (const folder of folders(packsDir).map((each) => join(each, id))) {
    const text = await readFile(join(folder, DEFINITION), 'utf8').catch(() => null);
    if (text !== null) return { definition: parseDefinition(text), folder };
  }
  throw new EngineError('pack', `The pack ${id} is not installed: wajah models pull ${id}.`);
}

/** Where packs are looked for: what the operator installed comes before what the release brings. */
function folders(packsDir: string): string[] {
  return [packsDir, SHIPPED];
}

/** Names of the files that are missing or differ from their pinned SHA-256. */
export async function damagedFiles({ definition, folder }: InstalledPack): Promise<string[]> {
  const damaged: string[] = [];
  for (const { file, source } of networksOf(definition)) {
    const found = await fileDigest(join(folder, file)).catch(() => null);
    if (found !== source.sha256) damaged.push(file);
  }
  return damaged;
}

/**
 * Calibration curve of an installed pack, of a known one that of this program, since a pack may have been installed by an
 * earlier one; null when it has none.
 * @throws EngineError `pack`
 */
export async function installedCurve({
  definition,
  folder,
}: InstalledPack): Promise<CalibrationCurve | null> {
  const { id, version, curve } = definition;
  if (curve === undefined) return null;
  const isKnown = (await knownPacks()).some((pack) => pack.id === id && pack.version === version);
  const text = await readFile(join(isKnown ? DATA : folder, curve), 'utf8').catch((cause: unknown) => {
    throw new EngineError('pack', `The pack ${definition.id} lacks ${definition.curve}.`, { cause });
  });
  return parseCurve(JSON.parse(text));
}
