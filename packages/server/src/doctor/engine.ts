import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  conversionFault,
  damagedFiles,
  findPadNetworks,
  inspectProviders,
  installedPack,
  installedPacks,
  isPadPack,
  RECOMMENDED_PAD_PACK,
  requireUsable,
} from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { builtinNotice, padNoticeFor } from '../config/notices.ts';
import { packChoice } from '../config/pack-choice.ts';
import { executionProviders } from '../config/settings-resources.ts';
import { packOfNextStart } from '../store/next-pack.ts';
import { attempt, bad, type DoctorFinding, doubtful, good } from './findings.ts';

/** The pack that the next start runs, whom it is not for, and the folder of converted models. */
export async function checkPack(config: Config): Promise<DoctorFinding[]> {
  const what = 'model pack';
  const { cacheDir } = config.engine;
  // What is wrong with the store is another check.
  const next = await packOfNextStart(config).catch(() => null);
  const id = next?.id ?? (await packChoice(config.packs)).id;
  const pack = await attempt(what, async () =>
    id === 'builtin' ? [doubtful(what, builtinNotice)] : [await checkInstalled(config.packs, id)],
  );
  const fault = await conversionFault(cacheDir);
  const others = next?.others ?? [];
  return [
    ...pack.filter(({ state }) => others.length === 0 || state === 'bad'),
    ...others.map((other) =>
      bad(
        what,
        `people are enrolled with ${other}, and the next start runs ${id}: calls on their galleries are refused; \`wajah models use ${other}\`, or migrate them (\`wajah reembed --to ${id}\`)`,
      ),
    ),
    ...(fault === null
      ? []
      : [bad('WAJAH_CACHE_DIR', `${fault} ${cacheDir}: choose another folder, or make it writable`)]),
  ];
}

/** Whether the program that starts the workers starts one. */
export async function checkLauncher({ engine }: Pick<Config, 'engine'>): Promise<DoctorFinding[]> {
  const [file, ...args] = engine.launcher;
  if (file === undefined) return [];
  const what = 'WAJAH_ENGINE_LAUNCHER';
  try {
    await promisify(execFile)(file, [...args, process.execPath, '--version'], { timeout: 10_000, env: {} });
    return [good(what, `${file} starts workers`)];
  } catch (error) {
    return [bad(what, `no worker starts: ${(error as Error).message.trim().replaceAll('\n', '; ')}`)];
  }
}

async function checkInstalled(
  { folder, acceptNonCommercial }: Config['packs'],
  id: string,
): Promise<DoctorFinding> {
  const what = 'model pack';
  const pack = await installedPack(folder, id);
  requireUsable(pack.definition, acceptNonCommercial);
  const damaged = await damagedFiles(pack);
  if (damaged.length === 0) return good(what, id);
  const found = `${id} is damaged, and no server starts: ${damaged.join(', ')} missing or changed`;
  return bad(what, `${found}; install it again with \`wajah models pull ${id}\``);
}

/** Whether a pack of PAD networks is installed that the next start of a server will use. */
export async function checkPadPack(config: Pick<Config, 'packs' | 'thresholds'>): Promise<DoctorFinding[]> {
  const what = 'PAD pack';
  const { folder, acceptNonCommercial } = config.packs;
  const found = await findPadNetworks(folder, acceptNonCommercial);
  if (found) return [good(what, found.pack)];
  for (const pack of await installedPacks(folder)) {
    const damaged = isPadPack(pack.definition) ? await damagedFiles(pack) : [];
    if (damaged.length === 0) continue;
    const { id } = pack.definition;
    const remedy = `install it again with \`wajah models pull ${RECOMMENDED_PAD_PACK}\``;
    return [bad(what, `${id} is damaged (${damaged.join(', ')}) and is not used; ${remedy}`)];
  }
  return [doubtful(what, padNoticeFor(config))];
}

/** What ONNX Runtime has here, and what a server uses of it. */
export async function checkExecutionProviders({ engine }: Pick<Config, 'engine'>): Promise<DoctorFinding[]> {
  const what = 'execution providers';
  const states = await inspectProviders(executionProviders);
  const problemOf = (name: string) => states.find((state) => state.name === name)?.problem ?? null;
  const cpu = problemOf('cpu');
  if (cpu) return [bad(what, `ONNX Runtime does not run: ${cpu}; install the program on this machine`)];
  const missing = engine.executionProviders.filter((name) => problemOf(name) !== null);
  const used = engine.executionProviders.filter((name) => name !== 'cpu' && !missing.includes(name));
  const uses = `a server uses ${[...used, 'cpu'].join(', ')}`;
  if (missing.length === 0) {
    const others = states.filter(
      ({ name, problem }) => problem === null && name !== 'cpu' && !used.includes(name),
    );
    const more = others.map(({ name }) => name).join(', ');
    return [good(what, more === '' ? uses : `${uses}; ${more} would run, too`)];
  }
  const problems = missing.map((name) => `${name}: ${problemOf(name)}`).join('; ');
  return [doubtful(what, `${uses}; WAJAH_EXECUTION_PROVIDERS names what cannot be used here: ${problems}`)];
}
