import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../errors.ts';
import { type CalibrationCurve, parseCurve } from '../../similarity.ts';
import { DEFINITION } from '../catalog.ts';
import { type PackDefinition, parseDefinition } from '../manifest.ts';
import { fileDigest } from './download.ts';
import { filesOf } from './install.ts';

/** A pack that is installed. */
export interface InstalledPack {
  readonly definition: PackDefinition;
  readonly folder: string;
}

/** The installed packs, by name; folders that hold none are passed over. */
export async function installedPacks(packsDir: string): Promise<InstalledPack[]> {
  const names = await readdir(packsDir).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => !name.startsWith('.'))
      .sort()
      .map((name) => installedPack(packsDir, name).catch(() => null)),
  );
  return found.filter((pack) => pack !== null);
}

/** @throws EngineError `pack` when it is not installed, or its description is not valid */
export async function installedPack(packsDir: string, id: string): Promise<InstalledPack> {
  const folder = join(packsDir, id);
  const text = await readFile(join(folder, DEFINITION), 'utf8').catch((cause: unknown) => {
    throw new EngineError('pack', `The pack ${id} is not installed: wajah models pull ${id}.`, { cause });
  });
  return { definition: parseDefinition(text), folder };
}

/** The names of files that are missing or are not what the pack pins. */
export async function damagedFiles({ definition, folder }: InstalledPack): Promise<string[]> {
  const damaged: string[] = [];
  for (const { name, sha256 } of filesOf(definition)) {
    const found = await fileDigest(join(folder, name)).catch(() => null);
    if (found !== sha256) damaged.push(name);
  }
  return damaged;
}

/** The calibration curve that a pack brings; null when it brings none. @throws EngineError `pack` */
export async function installedCurve({
  definition,
  folder,
}: InstalledPack): Promise<CalibrationCurve | null> {
  if (definition.curve === undefined) return null;
  const text = await readFile(join(folder, definition.curve), 'utf8').catch((cause: unknown) => {
    throw new EngineError('pack', `The pack ${definition.id} lacks ${definition.curve}.`, { cause });
  });
  return parseCurve(JSON.parse(text));
}
