import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  damagedFiles,
  findPadNetworks,
  inspectProviders,
  installedPack,
  installedPacks,
  isPadPack,
  packThresholds,
  RECOMMENDED_PAD_PACK,
} from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { padNoticeFor, provisionalNotice } from '../config/notices.ts';
import { packChoice } from '../config/pack-choice.ts';
import { executionProviders } from '../config/settings-resources.ts';
import { bad, type DoctorFinding, doubtful, good } from './findings.ts';

const modelPack = 'model pack';

/** The files of the pack that the next start runs, and where its calibration comes from. */
export async function checkPack({
  packs,
  engine,
}: Pick<Config, 'packs' | 'engine'>): Promise<DoctorFinding[]> {
  const choice = await packChoice(packs);
  if (choice.id !== builtin) {
    const damaged = await damagedFiles(await installedPack(packs.folder, choice.id));
    if (damaged.length > 0) {
      const remedy = `install it again with \`wajah models pull ${choice.id}\``;
      return [
        bad(
          modelPack,
          `${choice.id} is damaged, and no server starts: ${damaged.join(', ')} missing or changed; ${remedy}`,
        ),
      ];
    }
  }
  return [...(await checkCalibration(choice)), ...checkCache(engine.cacheDir)];
}

const builtin = 'builtin';

/** A release brings converted networks; a checkout writes them at its first start. */
function checkCache(cacheDir: string): DoctorFinding[] {
  let folder = cacheDir;
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    return [];
  } catch {
    const remedy = 'choose another WAJAH_CACHE_DIR, or make it writable';
    return [
      doubtful(
        modelPack,
        `${folder} is not writable: models that are not converted yet cannot be stored in WAJAH_CACHE_DIR; ${remedy}`,
      ),
    ];
  }
}

/** A curve for the server replaces it. */
async function checkCalibration(choice: Awaited<ReturnType<typeof packChoice>>): Promise<DoctorFinding[]> {
  const { calibration } = await packThresholds(choice);
  if (calibration === 'measured') return [good(modelPack, choice.id)];
  const unless = 'Unless a curve was installed for the server:';
  if (calibration === 'provisional') {
    return [doubtful(modelPack, `${choice.id}. ${unless} ${provisionalNotice(choice.id)}`)];
  }
  return [
    doubtful(
      modelPack,
      `${choice.id}. ${unless} it has neither a calibration curve nor published operating points, and the server does not start; add them to its pack.json`,
    ),
  ];
}

/** Whether a pack of PAD networks is installed that the next start of a server will use. */
export async function checkPadPack(config: Pick<Config, 'packs' | 'thresholds'>): Promise<DoctorFinding[]> {
  const what = 'PAD pack';
  const { packs } = config;
  const found = await findPadNetworks(packs.folder, packs.acceptNonCommercial);
  if (found) return [good(what, found.pack)];
  for (const pack of (await installedPacks(packs.folder)).filter(({ definition }) => isPadPack(definition))) {
    const damaged = await damagedFiles(pack);
    const { id } = pack.definition;
    if (damaged.length === 0) continue;
    const remedy = `install it again with \`wajah models pull ${RECOMMENDED_PAD_PACK}\``;
    return [bad(what, `${id} is damaged (${damaged.join(', ')}) and is not used; ${remedy}`)];
  }
  return [doubtful(what, padNoticeFor(config))];
}

/** What ONNX Runtime has here, what runs, and what a server uses. */
export async function checkExecutionProviders({ engine }: Pick<Config, 'engine'>): Promise<DoctorFinding[]> {
  const what = 'execution providers';
  const states = await inspectProviders(executionProviders);
  const found = states.map(({ name, builtIn, problem }) =>
    problem === null
      ? `${name} runs`
      : `${name} ${builtIn ? 'is built in, but' : 'is not there:'} ${problem}`,
  );
  const wanted = engine.executionProviders;
  const missing = wanted.filter((name) => states.find((state) => state.name === name)?.problem !== null);
  const used = [...wanted.filter((name) => name !== 'cpu' && !missing.includes(name)), 'cpu'].join(', ');
  const all = `a server uses ${used}. On this machine: ${found.join('; ')}`;
  const cpu = states.find(({ name }) => name === 'cpu')?.problem;
  if (cpu) return [bad(what, `ONNX Runtime does not run: ${cpu}; install the program on this machine`)];
  if (missing.length === 0) return [good(what, all)];
  return [doubtful(what, `${missing.join(', ')} cannot be used (WAJAH_EXECUTION_PROVIDERS); ${all}`)];
}
