import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  damagedFiles,
  findPadNetworks,
  inspectProviders,
  installedPack,
  installedPacks,
  isPadPack,
  RECOMMENDED_PAD_PACK,
} from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { builtinNotice, padNoticeFor } from '../config/notices.ts';
import { packChoice } from '../config/pack-choice.ts';
import { executionProviders } from '../config/settings-resources.ts';
import { bad, type DoctorFinding, doubtful, good } from './findings.ts';

/** The files of the pack that the next start runs, and the folder of converted models. */
export async function checkPack({
  packs,
  engine,
}: Pick<Config, 'packs' | 'engine'>): Promise<DoctorFinding[]> {
  const what = 'model pack';
  const { id } = await packChoice(packs);
  const pack = id === 'builtin' ? doubtful(what, builtinNotice) : await checkInstalled(packs.folder, id);
  const folder = nearestFolder(engine.cacheDir);
  if (isWritable(folder)) return [pack];
  // A release brings converted networks; a checkout writes them at its first start.
  const cache = `${folder} is not writable: models that are not converted yet cannot be stored in WAJAH_CACHE_DIR; choose another WAJAH_CACHE_DIR, or make it writable`;
  return [pack, doubtful(what, cache)];
}

async function checkInstalled(folder: string, id: string): Promise<DoctorFinding> {
  const what = 'model pack';
  const damaged = await damagedFiles(await installedPack(folder, id));
  if (damaged.length === 0) return good(what, id);
  const found = `${id} is damaged, and no server starts: ${damaged.join(', ')} missing or changed`;
  return bad(what, `${found}; install it again with \`wajah models pull ${id}\``);
}

const nearestFolder = (path: string): string => (existsSync(path) ? path : nearestFolder(dirname(path)));

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
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
