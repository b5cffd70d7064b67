import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../../errors.ts';
import { readCurve } from '../../similarity.ts';
import { DEFINITION } from '../catalog.ts';
import { fileDigest } from '../files.ts';
import type { NetworkManifest, PackDefinition } from '../manifest.ts';
import { readRecipe } from '../recipe.ts';
import { download, type RemoteFile } from './download.ts';

/** What comes with the program for packs that can be downloaded by name: curves and recipes. */
export const DATA = fileURLToPath(new URL('../../../data/', import.meta.url));

/** Options of an installation. */
export interface InstallOptions {
  /**
   * Folder with the files, for machines without internet access; without it they are downloaded. Files are recognised by
   * the name in the pack, by that in the URL, or by their SHA-256.
   */
  readonly from?: string;
  /** Called with the bytes present and the total, of all files together. */
  readonly progress?: (bytes: number, total: number) => void;
  /** Ends the downloads; its reason is an Error that says why. */
  readonly stop?: AbortSignal;
}

/**
 * Installs a pack below `packsDir`. Files are collected and verified in a temporary folder, which is then renamed, so a
 * pack is installed completely or not at all. Resumes an interrupted installation.
 * @returns the folder of the pack
 * @throws EngineError `pack` when a file is not available or differs from its pinned SHA-256
 */
export async function installPack(
  definition: PackDefinition,
  packsDir: string,
  { from, progress = () => undefined, stop }: InstallOptions = {},
): Promise<string> {
  const collected = join(packsDir, `.${definition.id}.incoming`);
  await mkdir(collected, { recursive: true });
  const files = downloadsOf(definition);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  const missing: string[] = [];
  for (const file of files) {
    const path = join(collected, file.name);
    if (!(await isComplete(file, path))) {
      if (from === undefined) await download(file, path, (bytes) => progress(before + bytes, total), stop);
      else missing.push(...(await copyFromFolder(from, file, path)));
    }
    before += file.bytes;
    progress(before, total);
  }
  if (missing.length > 0) throw new EngineError('pack', missing.join('\n'));
  await copyCompanions(definition, from, collected);
  await writeFile(join(collected, DEFINITION), `${JSON.stringify(definition, null, 2)}\n`);
  return activate(collected, packsDir, definition.id);
}

/** The networks of a pack. */
export function networksOf({ networks }: PackDefinition): NetworkManifest[] {
  return Object.values(networks).filter((network) => network !== undefined);
}

/**
 * The files of the networks of a pack, each once.
 * @throws EngineError `pack` when two networks pin one name to two digests
 */
export function downloadsOf(definition: PackDefinition): RemoteFile[] {
  const files = new Map<string, RemoteFile>();
  for (const file of networksOf(definition).map(downloadOf)) {
    const other = files.get(file.name);
    if (other && other.sha256 !== file.sha256) {
      throw new EngineError('pack', `The pack names two files ${file.name}.`);
    }
    files.set(file.name, file);
  }
  return [...files.values()];
}

function downloadOf({ file, source }: NetworkManifest): RemoteFile {
  if (source.kind !== 'onnx') throw new EngineError('pack', `${file} is not a file that can be installed.`);
  const { url, sha256, bytes } = source;
  return { name: file, url, sha256, bytes };
}

async function isComplete(file: RemoteFile, path: string): Promise<boolean> {
  const size = (await stat(path).catch(() => null))?.size;
  return size === file.bytes && (await fileDigest(path)) === file.sha256;
}

/** Copies the file that has the pinned SHA-256, whatever its name. @returns what is missing, and where it is */
async function copyFromFolder(folder: string, file: RemoteFile, to: string): Promise<string[]> {
  const names = [file.name, basename(new URL(file.url).pathname)];
  let found: string | undefined;
  for (const name of [...names, ...(await filesOfSize(folder, file.bytes))]) {
    const source = join(folder, name);
    if (!(await stat(source).catch(() => null))) continue;
    const sha256 = await fileDigest(source);
    if (sha256 === file.sha256) {
      await copyFile(source, to);
      return [];
    }
    found ??= `${name} has the SHA-256 ${sha256}, the pack requires ${file.sha256}`;
  }
  const missing = `The folder has no file ${[...new Set(names)].join(' or ')}, nor one of the SHA-256 ${file.sha256}`;
  return [`${found ?? missing}; it is at ${file.url}`];
}

/** Only files of the right size are worth reading: a folder may hold anything. */
async function filesOfSize(folder: string, bytes: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async ({ name }) => ({ name, found: await stat(join(folder, name)).catch(() => null) })),
  );
  return sizes.filter(({ found }) => found?.isFile() && found.size === bytes).map(({ name }) => name);
}

/** The files of a pack beside its networks: its curve and its recipe. */
export const companionsOf = ({ curve, adds }: PackDefinition): string[] =>
  [curve, adds?.template].filter((name) => name !== undefined);

/**
 * Copies the curve and the recipe of a pack: from the folder of its definition, else those that come with the program.
 * @throws EngineError `pack` when one is missing or not valid
 */
async function copyCompanions(
  definition: PackDefinition,
  from: string | undefined,
  to: string,
): Promise<void> {
  const { id, curve } = definition;
  for (const name of companionsOf(definition)) {
    const read = name === curve ? readCurve : readRecipe;
    const places = [...(from === undefined ? [] : [join(from, name)]), join(DATA, name)];
    const file = places.find((path) => existsSync(path));
    if (file === undefined) {
      throw new EngineError('pack', `The pack ${id} requires the file ${name} in the folder it comes from.`);
    }
    await read(file);
    await copyFile(file, join(to, name));
  }
}

async function activate(collected: string, packsDir: string, id: string): Promise<string> {
  const place = join(packsDir, id);
  const old = join(packsDir, `.${id}.${randomUUID()}`);
  const replaced = await rename(place, old).then(
    () => true,
    () => false,
  );
  await rename(collected, place);
  if (replaced) await rm(old, { recursive: true, force: true });
  return place;
}
