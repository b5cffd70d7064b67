import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import {
  damagedFiles,
  definitionOf,
  downloadsOf,
  EngineError,
  installedPack,
  installedPacks,
  installPack,
  isPadPack,
  knownPacks,
  type PackDefinition,
  packThresholds,
  requireUsable,
} from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { provisionalNotice } from '../config/notices.ts';
import { choiceFile, packChoice } from '../config/pack-choice.ts';
import { asOperatorError, OperatorError } from '../errors.ts';

/** A model pack as `models list` shows it. */
export interface PackSummary {
  readonly id: string;
  readonly version: string;
  readonly state: 'built in' | 'installed' | 'available';
  readonly in_use: boolean;
  readonly bytes: number;
  readonly licences: readonly string[];
  readonly commercial: boolean;
  readonly about: string;
  /** Networks of presentation attack detection are used beside the chosen pack. */
  readonly purpose: 'recognition' | 'presentation attack detection';
  readonly training_data: string;
  /** Time of a template over that of the built-in pack, and how it was measured; null: it is not known. */
  readonly cost: { readonly relative: number; readonly basis: string } | null;
}

export type ModelOperations = ReturnType<typeof modelOperations>;

const builtin = 'builtin';

/** Operations of the operator on model packs. They throw an OperatorError when they cannot be done. */
export function modelOperations({ packs }: Pick<Config, 'packs'>) {
  const refusing = <T>(work: () => Promise<T>) => asOperatorError(work, isEngineError);
  return {
    list: () => list(packs),
    /** What an operator should know before an installation. @param from as `pull` */
    describe: (id: string, from: string | undefined) =>
      refusing(async () => summary(await installable(id, from), 'available', false)),
    /** @param from folder of the files; undefined: download them */
    pull: (id: string, from: string | undefined, progress: (bytes: number, total: number) => void) =>
      refusing(async () => {
        const definition = await installable(id, from);
        await installPack(definition, packs.folder, { progress, ...(from === undefined ? {} : { from }) });
        return { ...summary(definition, 'installed', false), note: usageOf(definition) };
      }),
    /** @returns a line for each pack */
    verify: (id: string | undefined) => refusing(() => verify(packs.folder, id)),
    /** Thresholds that are in force without settings of their own. */
    thresholds: () => refusing(async () => packThresholds(await packChoice(packs))),
    /** @returns notes for the operator */
    use: (id: string) => refusing(() => use(packs, id)),
  };
}

async function installable(id: string, from: string | undefined): Promise<PackDefinition> {
  if (id !== builtin) return definitionOf(id, from);
  throw new OperatorError('The pack builtin is part of the program; nothing was installed.');
}

export const isEngineError = (error: Error) => error instanceof EngineError;

async function storeChoice(folder: string, id: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const temporary = `${choiceFile(folder)}.${randomUUID()}`;
  await writeFile(temporary, `${id}\n`);
  await rename(temporary, choiceFile(folder));
}

async function list(packs: Config['packs']): Promise<PackSummary[]> {
  const { id: used } = await packChoice(packs);
  const installed = (await installedPacks(packs.folder)).map(({ definition }) => definition);
  const known = (await knownPacks()).filter(({ id }) => !installed.some((pack) => pack.id === id));
  return [
    {
      id: builtin,
      version: '',
      state: 'built in',
      in_use: used === builtin,
      bytes: 0,
      licences: ['Apache-2.0', 'MIT', 'CC0-1.0'],
      commercial: true,
      about: 'Part of the program.',
      purpose: 'recognition',
      training_data: 'MS1M and others, see packages/engine/src/packs/README.md.',
      cost: { relative: 1, basis: 'the built-in pack' },
    },
    ...installed.map((pack) => summary(pack, 'installed', pack.id === used)),
    ...known.map((pack) => summary(pack, 'available', false)),
  ];
}

/** A pack as `models list` shows it. */
export function summary(pack: PackDefinition, state: PackSummary['state'], in_use: boolean): PackSummary {
  const networks = Object.values(pack.networks).filter((network) => network !== undefined);
  const bytes = downloadsOf(pack).reduce((sum, file) => sum + file.bytes, 0);
  const licences = [...new Set(networks.map(({ licence }) => licence))];
  const { id, version, commercial, about, trainingData = 'Not described.', cost = null } = pack;
  const purpose = isPadPack(pack) ? 'presentation attack detection' : 'recognition';
  return {
    id,
    version,
    state,
    in_use,
    bytes,
    licences,
    commercial,
    about,
    purpose,
    cost,
    training_data: trainingData,
  };
}

async function verify(folder: string, id: string | undefined): Promise<string[]> {
  if (id === builtin) return ['builtin: verified at each start, and converted again where it is damaged'];
  const packs = id === undefined ? await installedPacks(folder) : [await installedPack(folder, id)];
  if (packs.length === 0) return ['No pack is installed beside builtin.'];
  const lines: string[] = [];
  const broken: string[] = [];
  for (const pack of packs) {
    const damaged = await damagedFiles(pack);
    const name = pack.definition.id;
    if (damaged.length > 0) broken.push(`${name} (${damaged.join(', ')})`);
    else lines.push(`${name} ${pack.definition.version}: every file has the SHA-256 of its manifest`);
  }
  if (broken.length === 0) return lines;
  throw new OperatorError(`Damaged: ${broken.join('; ')}. Install it again: wajah models pull <pack>`);
}

async function use(packs: Config['packs'], id: string): Promise<string[]> {
  const notes = id === builtin ? [] : await requireInstalled(packs, id);
  await storeChoice(packs.folder, id);
  if (packs.use !== null && packs.use !== id) {
    notes.push(`WAJAH_PACK is ${packs.use} and overrides this choice: unset it.`);
  }
  const { upgradesFrom } = await packThresholds({ id, packsDir: packs.folder });
  const converted = new Set(upgradesFrom.map(({ pack }) => pack).filter((pack) => pack !== id));
  const except = converted.size === 0 ? '' : `; those of ${[...converted].join(', ')} are converted`;
  notes.push(
    `Galleries that were enrolled with another pack are refused while it runs${except}; where face crops are stored, migrate them first: wajah reembed --to ${id}.`,
  );
  return notes;
}

/** @returns notes for the operator @throws OperatorError | EngineError unless the pack can be used */
async function requireInstalled(packs: Config['packs'], id: string): Promise<string[]> {
  const pack = await installedPack(packs.folder, id);
  requireUsable(pack.definition, packs.acceptNonCommercial);
  const damaged = await damagedFiles(pack);
  if (damaged.length > 0) {
    throw new OperatorError(
      `${id} is damaged (${damaged.join(', ')}); install it again: wajah models pull ${id}`,
    );
  }
  const notes: string[] = [];
  if (pack.definition.networks.embedder && pack.definition.curve === undefined) {
    notes.push(
      pack.definition.published
        ? provisionalNotice(id)
        : `${id} has neither a calibration curve nor published operating points: the server starts with it only after wajah calibrate --data FOLDER --install server.`,
    );
  }
  if (!pack.definition.commercial) notes.push(`${id}: not for commercial use, as you acknowledged.`);
  return notes;
}

/** How an installed pack is taken into use. */
function usageOf(definition: PackDefinition): string | null {
  if (isPadPack(definition)) {
    return 'A server uses it for presentation attack detection, beside any pack, from its next start.';
  }
  try {
    requireUsable(definition, true);
    return `Run it with: wajah models use ${definition.id}`;
  } catch {
    return null;
  }
}
