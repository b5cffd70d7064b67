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
import { type Config, loadConfig } from '../config/config.ts';
import { textOf } from '../config/finding.ts';
import { provisionalCalibration } from '../config/findings.ts';
import { choiceFile, packChoice, storeName } from '../config/pack-choice.ts';
import { asOperatorError, OperatorError } from '../errors.ts';
import { bytesOf, licencesOf } from '../services/packs/facts.ts';
import { createMissing } from '../store/data-directory.ts';
import { packOf, packOfNextStart, readEnrolled } from '../store/next-pack.ts';
import { type CommandDeps, confirmed } from './command.ts';
import { type Columns, megabytes, printList, showProgress, table } from './terminal.ts';

/** A model pack as `models list --json` shows it. */
interface PackSummary {
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

type Deps = Pick<CommandDeps, 'terminal' | 'env'>;

const builtin: PackSummary = {
  id: 'builtin',
  version: '',
  state: 'built in',
  in_use: false,
  bytes: 0,
  licences: ['Apache-2.0', 'MIT', 'CC0-1.0'],
  commercial: true,
  about: 'Part of the program.',
  purpose: 'recognition',
  training_data: 'MS1M and others, see packages/engine/src/packs/README.md.',
  cost: { relative: 1, basis: 'the built-in pack' },
};

export const isEngineError = (error: Error) => error instanceof EngineError;

/** What cannot be done to a pack is told to the operator. */
const refusing = <T>(work: () => Promise<T>) => asOperatorError(work, isEngineError);

/** Thresholds that are in force without settings of their own. */
export const thresholdsOf = async ({ packs }: Config) => packThresholds(await packChoice(packs));

const licenceOf = ({ licences, commercial }: Pick<PackSummary, 'licences' | 'commercial'>) =>
  licences.join(', ') + (commercial ? '' : ' (not for commercial use)');

const columns: Columns<PackSummary> = {
  pack: ({ id }) => id,
  version: ({ version }) => version,
  state: ({ in_use, state }) => (in_use ? 'in use' : state),
  for: ({ purpose }) => purpose,
  size: ({ bytes }) => (bytes === 0 ? '' : megabytes(bytes)),
  licence: licenceOf,
  '': ({ about }) => about,
};

/** `wajah models list` */
export async function list({ terminal, env }: Deps, { json }: { json: boolean }): Promise<void> {
  const { packs } = loadConfig(env);
  const { id: used } = await packChoice(packs);
  const installed = (await installedPacks(packs.folder)).map(({ definition }) => definition);
  const known = (await knownPacks()).filter(({ id }) => !installed.some((pack) => pack.id === id));
  const all = [
    builtin,
    ...installed.map((pack) => summary(pack, 'installed')),
    ...known.map((pack) => summary(pack, 'available')),
  ];
  printList(
    terminal,
    all.map((pack) => ({ ...pack, in_use: pack.state !== 'available' && pack.id === used })),
    { json, columns },
  );
}

/** A pack as `models list` shows it. */
function summary(pack: PackDefinition, state: PackSummary['state']): PackSummary {
  const { id, version, commercial, about, trainingData = 'Not described.', cost = null } = pack;
  return {
    id,
    version,
    state,
    in_use: false,
    bytes: bytesOf(pack),
    licences: licencesOf(pack),
    commercial,
    about,
    purpose: isPadPack(pack) ? 'presentation attack detection' : 'recognition',
    training_data: trainingData,
    cost,
  };
}

interface Pull {
  readonly id: string;
  /** Folder of the files; undefined: they are downloaded. */
  readonly from: string | undefined;
  /** Whether its files are named and nothing is installed. */
  readonly print: boolean;
  readonly yes: boolean;
}

/** `wajah models pull` */
export async function pull({ terminal, env }: Deps, { id, from, print, yes }: Pull): Promise<void> {
  if (id === builtin.id)
    throw new OperatorError('The pack builtin is part of the program; nothing was installed.');
  const definition = await refusing(() => definitionOf(id, from));
  if (print) {
    const files = downloadsOf(definition).map(({ url, bytes, sha256 }) => [url, String(bytes), sha256]);
    return terminal.out(table(['address', 'bytes', 'SHA-256'], files));
  }
  const pack = summary(definition, 'available');
  terminal.note(factsOf(pack));
  const refusal = `Nothing was downloaded: confirm on a terminal, or run wajah models pull ${id} --yes.`;
  if (from === undefined) await confirmed(terminal, yes, 'Download it?', refusal);
  const config = loadConfig(env);
  const { folder } = config.packs;
  const progress = showProgress(id, terminal);
  createMissing(folder);
  const options = { progress: progress.update, ...(from !== undefined && { from }) };
  const installing = refusing(() => installPack(definition, folder, options)).finally(progress.end);
  await installing.catch((error: unknown) => {
    if (from === undefined) terminal.note(withoutInternet(id));
    throw error;
  });
  terminal.out(`Installed ${id} ${pack.version} (${pack.licences.join(', ')}).`);
  const next = await packOfNextStart(config).catch(() => null);
  const note = next?.id === id ? 'A server runs it from its next start.' : usageOf(definition);
  if (note !== null) terminal.note(note);
  const enrolled = await readEnrolled(config).catch(() => []);
  if (!isPadPack(definition) && enrolled.some((spec) => packOf(spec) !== id))
    terminal.note(await otherGalleries(folder, id));
}

const withoutInternet = (id: string) =>
  `Without internet access: \`wajah models pull ${id} --print\` says where its files are, and \`--from <folder>\` takes them.`;

/** What an operator should know before an installation. */
function factsOf({ id, version, about, cost, purpose, ...pack }: PackSummary): string {
  const time = cost ? `${cost.relative} × the time of the built-in pack (${cost.basis})` : 'not measured';
  return [
    `${id} ${version}: ${about}`,
    `  licence: ${licenceOf(pack)}`,
    `  training data: ${pack.training_data}`,
    `  download: ${megabytes(pack.bytes)}`,
    `  template: ${purpose === 'recognition' ? time : `none: it is used for ${purpose}, beside any pack`}`,
  ].join('\n');
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

/** `wajah models verify` */
export async function verify({ terminal, env }: Deps, { id }: { id: string | undefined }): Promise<void> {
  if (id === builtin.id) return terminal.out('builtin: verified at each start');
  const { folder } = loadConfig(env).packs;
  const packs = await refusing(async () =>
    id === undefined ? installedPacks(folder) : [await installedPack(folder, id)],
  );
  if (packs.length === 0) terminal.out('No pack is installed beside builtin.');
  const broken: string[] = [];
  const intact: string[] = [];
  for (const pack of packs) {
    const damaged = await refusing(() => damagedFiles(pack));
    const { id: name, version } = pack.definition;
    if (damaged.length > 0) broken.push(`${name} (${damaged.join(', ')})`);
    else intact.push(`${name} ${version}: every file has the SHA-256 of its manifest`);
  }
  if (broken.length > 0)
    throw new OperatorError(`Damaged: ${broken.join('; ')}. Install it again: wajah models pull <pack>`);
  for (const line of intact) terminal.out(line);
}

/** `wajah models use` */
export async function use({ terminal, env }: Deps, { id }: { id: string }): Promise<void> {
  const { packs } = loadConfig(env);
  const notes = id === builtin.id ? [] : await refusing(() => requireInstalled(packs, id));
  if (packs.use !== null && packs.use !== id) {
    notes.push(`WAJAH_PACK is ${packs.use} and overrides this choice: unset it.`);
  }
  notes.push(await otherGalleries(packs.folder, id));
  await storeName(choiceFile(packs.folder), id);
  for (const line of notes) terminal.note(line);
  terminal.out(`The server runs ${id} from its next start.`);
}

/** What becomes of people who are enrolled with another pack. */
async function otherGalleries(packsDir: string, id: string): Promise<string> {
  const { upgradesFrom } = await refusing(() => packThresholds({ id, packsDir }));
  const converted = new Set(upgradesFrom.map(({ pack }) => pack).filter((pack) => pack !== id));
  const also = converted.size === 0 ? '' : `, or they are of ${[...converted].join(', ')}`;
  return `Galleries that were enrolled with another pack are refused while it runs: where face crops are stored${also}, stop the server and migrate them with wajah reembed --to ${id}.`;
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
        ? textOf(provisionalCalibration(id))
        : `${id} has neither a calibration curve nor published operating points: the server starts with it only after wajah calibrate --data FOLDER --install server.`,
    );
  }
  if (!pack.definition.commercial) notes.push(`${id}: not for commercial use, as you acknowledged.`);
  return notes;
}
