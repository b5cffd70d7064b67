import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { EngineError } from '../../errors.ts';
import { parseCurve } from '../../similarity.ts';
import { DEFINITION } from '../catalog.ts';
import { fileDigest } from '../files.ts';
import type { NetworkManifest, PackDefinition } from '../manifest.ts';
import { download, type RemoteFile } from './download.ts';

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
  const files = filesOf(definition);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  for (const file of files) {
    const path = join(collected, file.name);
    if (!(await isComplete(file, path))) {
      if (from === undefined) await download(file, path, (bytes) => progress(before + bytes, total), stop);
      else await copyFromFolder(from, file, path);
    }
    before += file.bytes;
    progress(before, total);
  }
  if (definition.curve !== undefined) await copyCurve(definition.curve, from, collected);
  await writeFile(join(collected, DEFINITION), `${JSON.stringify(definition, null, 2)}\n`);
  return activate(collected, packsDir, definition.id);
}

/** The files of a pack, each once. @throws EngineError `pack` when two networks pin one name to two digests */
export function filesOf({ networks }: PackDefinition): RemoteFile[] {
  const files = new Map<string, RemoteFile>();
  for (const network of Object.values(networks).filter((each) => each !== undefined)) {
    const file = fileOf(network);
    const other = files.get(file.name);
    if (other && other.sha256 !== file.sha256) {
      throw new EngineError('pack', `The pack names two files ${file.name}.`);
    }
    files.set(file.name, file);
  }
  return [...files.values()];
}

function fileOf({ file, source }: NetworkManifest): RemoteFile {
  if (source.kind !== 'onnx') throw new EngineError('pack', `${file} is not a file that can be installed.`);
  return { name: file, url: source.url, sha256: source.sha256, bytes: source.bytes };
}

async function isComplete(file: RemoteFile, path: string): Promise<boolean> {
  const size = (await stat(path).catch(() => null))?.size;
  return size === file.bytes && (await fileDigest(path)) === file.sha256;
}

/** Copies the file that has the pinned SHA-256, whatever its name. @throws EngineError `pack` when there is none */
async function copyFromFolder(folder: string, file: RemoteFile, to: string): Promise<void> {
  const names = [file.name, basename(new URL(file.url).pathname)];
  let found: string | undefined;
  for (const name of [...names, ...(await filesOfSize(folder, file.bytes))]) {
    const source = join(folder, name);
    if (!(await stat(source).catch(() => null))) continue;
    const sha256 = await fileDigest(source);
    if (sha256 === file.sha256) return copyFile(source, to);
    found ??= `${name} has the SHA-256 ${sha256}, the pack requires ${file.sha256}.`;
  }
  const missing = `The folder has no file ${[...new Set(names)].join(' or ')}, nor one of the SHA-256 ${file.sha256}.`;
  throw new EngineError('pack', found ?? missing);
}

/** Only files of the right size are worth reading: a folder may hold anything. */
async function filesOfSize(folder: string, bytes: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async ({ name }) => ({ name, found: await stat(join(folder, name)).catch(() => null) })),
  );
  return sizes.filter(({ found }) => found?.isFile() && found.size === bytes).map(({ name }) => name);
}

async function copyCurve(name: string, from: string | undefined, to: string): Promise<void> {
  if (from === undefined)
    throw new EngineError('pack', `The pack requires ${name}: install it from a folder.`);
  const text = await readFile(join(from, name), 'utf8').catch((cause: unknown) => {
    throw new EngineError('pack', `The folder has no file ${name}.`, { cause });
  });
  parseCurve(JSON.parse(text));
  await writeFile(join(to, name), text);
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
