import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  companionsOf,
  damagedFiles,
  definitionOf,
  downloadsOf,
  type InstalledPack,
  installedPack,
  installPack,
  type PackDefinition,
} from '@wajah/engine';
import type { Config } from '../../config/config.ts';
import { OperatorError } from '../../errors.ts';
import { type AuditKey, auditKeyName, openAuditKey } from '../../security/audit-chain.ts';
import { requireOneMasterKey } from '../../security/keys/master-key.ts';
import { createMissing } from '../../store/data-directory.ts';
import { createMetaStore } from '../../store/meta-store.ts';
import { isInstalled, packOf, readStore } from '../../store/next-pack.ts';
import { createPackStore } from '../../store/pack-store.ts';
import type { MetaStore } from '../../store/ports/meta.ts';
import type { PackStore, StoredPack } from '../../store/ports/packs.ts';
import { bytesOf } from './facts.ts';

/**
 * Keeps the packs in use, and those that people are enrolled with, in the store, and no others: a copy of the store can
 * then be served wherever it is.
 * @param inUse names of packs
 */
export async function keepPacks(
  store: PackStore,
  key: Pick<AuditKey, 'sealPack'>,
  inUse: readonly string[],
  { folder, keptBytes }: Config['packs'],
): Promise<void> {
  const enrolled = (await store.enrolled()).map(packOf);
  const wanted = new Set([...inUse, ...enrolled]);
  const stored = new Map((await store.list()).map((pack) => [pack.id, pack]));
  for (const id of stored.keys()) if (!wanted.has(id)) await store.remove(id);
  for (const id of wanted) {
    const pack = await installedPack(folder, id).catch(() => null);
    if (pack === null || (await damagedFiles(pack)).length > 0) continue;
    const definition = JSON.stringify(pack.definition);
    const isKept = bytesOf(pack.definition) <= keptBytes;
    const files = isKept ? await filesOf(pack) : new Map<string, Uint8Array>();
    const seal = key.sealPack(digestOf(definition, files));
    if (!stored.has(id) || Buffer.compare(stored.get(id)!.seal, seal) !== 0)
      await store.put({ id, definition, seal }, files);
  }
}

/** Of the tables of packs. */
const firstSchema = 26;

/** What became of the packs of a store on this machine, in sentences. */
export interface PacksHere {
  readonly installed: readonly string[];
  /** People are enrolled with them, and they are not here. */
  readonly missing: readonly string[];
}

/**
 * Installs the packs that the configured store keeps and this machine lacks.
 * @throws OperatorError when the store cannot be read
 */
export async function installStoredPacks(config: Config): Promise<PacksHere> {
  const found = await readStore(config, async (db, schema) => {
    const [packs, meta] = [createPackStore(db), createMetaStore(db)];
    const [installed, missing]: [string[], string[]] = [[], []];
    const enrolled = new Set((await packs.enrolled()).map(packOf));
    const stored = new Map((schema < firstSchema ? [] : await packs.list()).map((pack) => [pack.id, pack]));
    for (const id of new Set([...stored.keys(), ...enrolled])) {
      if (id === 'builtin' || (await isInstalled(config.packs.folder, id))) continue;
      const pack = stored.get(id);
      const definition = pack
        ? (JSON.parse(pack.definition) as PackDefinition)
        : await definitionOf(id).catch(() => null);
      const fault = pack ? await install(config, pack, packs, meta) : 'the store has no copy of it';
      if (fault === null) installed.push(`The model pack ${id} was installed from the store.`);
      else if (enrolled.has(id)) missing.push(missingText(id, definition, fault));
    }
    return { installed, missing };
  });
  return found ?? { installed: [], missing: [] };
}

/** @returns why it was not installed; null: it was */
async function install(
  config: Config,
  { id, definition, seal }: StoredPack,
  packs: PackStore,
  meta: MetaStore,
): Promise<string | null> {
  const files = await packs.files(id);
  if (files.size === 0) return 'it is larger than WAJAH_KEEP_PACKS_MB, so the store has no copy of it';
  const [keys, auditKey] = [requireOneMasterKey(config), await meta.get(auditKeyName)];
  if (keys === null || auditKey === null) return 'the master key is not here';
  if (!openAuditKey(keys, auditKey).isSealedPack(digestOf(definition, files), seal))
    throw new OperatorError(
      `the copy of the model pack ${id} in the store was changed by somebody: delete its rows of model_packs, and install the pack with \`wajah models pull ${id}\``,
    );
  const { folder } = config.packs;
  createMissing(folder);
  const from = await mkdtemp(join(folder, '.stored-'));
  try {
    for (const [file, bytes] of files) await writeFile(join(from, file), bytes);
    await installPack(JSON.parse(definition) as PackDefinition, folder, { from });
    return null;
  } finally {
    await rm(from, { recursive: true, force: true });
  }
}

function missingText(id: string, definition: PackDefinition | null, fault: string): string {
  const files = definition
    ? downloadsOf(definition).map(
        ({ name, url, sha256, bytes }) => `\n  ${name}  ${bytes} bytes, SHA-256 ${sha256}\n  ${url}`,
      )
    : [];
  const remedy = definition
    ? `install it with \`wajah models pull ${id}\`, or from a folder with its files (--from)`
    : 'install it from the folder that it came from (`wajah models pull --from`)';
  return `People are enrolled with the model pack ${id}, which is not here, and ${fault}: ${remedy}${files.join('')}`;
}

async function filesOf({ definition, folder }: InstalledPack): Promise<ReadonlyMap<string, Uint8Array>> {
  const names = [...downloadsOf(definition).map(({ name }) => name), ...companionsOf(definition)].sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  );
}

/** In the order of their names. */
function digestOf(definition: string, files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest();
  const each = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => [name, sha256(bytes).toString('hex')]);
  return sha256(JSON.stringify([definition, each]));
}
