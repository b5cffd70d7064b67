import {
  damagedFiles,
  definitionOf,
  installedPack,
  installedPacks,
  installPack,
  knownPacks,
  type PackDefinition,
  requireUsable,
} from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import { asOperator } from './as-operator.ts';
import { choosePack, packChoice } from './pack-choice.ts';

/** A model pack as the operator sees it. */
export interface PackSummary {
  readonly id: string;
  readonly version: string;
  readonly state: 'built in' | 'installed' | 'available';
  readonly in_use: boolean;
  readonly bytes: number;
  readonly licences: readonly string[];
  readonly commercial: boolean;
  readonly about: string;
}

/** What an operator may do with model packs. What cannot be done is an OperatorError. */
export interface ModelOperations {
  list(): Promise<PackSummary[]>;
  /** @param from folder that has the files; undefined: download */
  pull(
    id: string,
    from: string | undefined,
    progress: (bytes: number, total: number) => void,
  ): Promise<PackSummary & { readonly usable: boolean }>;
  /** @returns a line for each pack */
  verify(id: string | undefined): Promise<string[]>;
  /** @returns what the operator should know besides */
  use(id: string): Promise<string[]>;
}

const builtin = 'builtin';

export function modelOperations({ packs }: Pick<Config, 'packs'>): ModelOperations {
  return {
    list: () => list(packs),
    pull: (id, from, progress) =>
      asOperator(async () => {
        if (id === builtin)
          throw new OperatorError('The pack builtin is always there; nothing was installed.');
        const definition = await definitionOf(id, from);
        await installPack(definition, packs.folder, { progress, ...(from === undefined ? {} : { from }) });
        return { ...summary(definition, 'installed', false), usable: isUsable(definition) };
      }),
    verify: (id) => asOperator(() => verify(packs.folder, id)),
    use: (id) => asOperator(() => use(packs, id)),
  };
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
      about: 'Comes with the program.',
    },
    ...installed.map((pack) => summary(pack, 'installed', pack.id === used)),
    ...known.map((pack) => summary(pack, 'available', false)),
  ];
}

function summary(pack: PackDefinition, state: PackSummary['state'], in_use: boolean): PackSummary {
  const networks = Object.values(pack.networks).filter((network) => network !== undefined);
  const bytes = networks.reduce((sum, { source }) => sum + (source.kind === 'onnx' ? source.bytes : 0), 0);
  const licences = [...new Set(networks.map(({ licence }) => licence))];
  const { id, version, commercial, about } = pack;
  return { id, version, state, in_use, bytes, licences, commercial, about };
}

async function verify(folder: string, id: string | undefined): Promise<string[]> {
  if (id === builtin) return ['builtin: checked at each start, and converted anew where it is damaged'];
  const packs = id === undefined ? await installedPacks(folder) : [await installedPack(folder, id)];
  if (packs.length === 0) return ['No pack is installed beside builtin.'];
  const lines: string[] = [];
  const broken: string[] = [];
  for (const pack of packs) {
    const damaged = await damagedFiles(pack);
    const name = pack.definition.id;
    if (damaged.length > 0) broken.push(`${name} (${damaged.join(', ')})`);
    else lines.push(`${name} ${pack.definition.version}: every file is the one that it pins`);
  }
  if (broken.length === 0) return lines;
  throw new OperatorError(`Damaged: ${broken.join('; ')}. Install it again: wajah models pull <pack>`);
}

async function use(packs: Config['packs'], id: string): Promise<string[]> {
  const notes: string[] = [];
  if (id !== builtin) {
    const pack = await installedPack(packs.folder, id);
    requireUsable(pack.definition, packs.acceptNonCommercial);
    const damaged = await damagedFiles(pack);
    if (damaged.length > 0) {
      throw new OperatorError(
        `${id} is damaged (${damaged.join(', ')}); install it again: wajah models pull ${id}`,
      );
    }
    if (pack.definition.networks.embedder && pack.definition.curve === undefined) {
      notes.push(
        `${id} brings no calibration curve: the server starts on it only after wajah calibrate --data FOLDER --install server.`,
      );
    }
    if (!pack.definition.commercial) notes.push(`${id}: not for commercial use, as you acknowledged.`);
  }
  await choosePack(packs.folder, id);
  if (packs.use !== null && packs.use !== id) {
    notes.push(`WAJAH_PACK is ${packs.use} and goes before this choice: unset it.`);
  }
  notes.push(
    `Galleries that were enrolled with another pack are refused while it runs; where face crops are kept, make them ready first: wajah reembed --to ${id}.`,
  );
  return notes;
}

function isUsable(definition: PackDefinition): boolean {
  try {
    requireUsable(definition, true);
    return true;
  } catch {
    return false;
  }
}
