import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { damagedFiles, installedPack, packThresholds } from '@wajah/engine';
import { provisionalNotice } from '../config/calibration-notice.ts';
import type { Config } from '../config/config.ts';
import { packChoice } from '../config/pack-choice.ts';
import { bad, type DoctorFinding, doubtful, good } from './findings.ts';

const what = 'model pack';

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
          what,
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
        what,
        `${folder} is not writable: models that are not converted yet cannot be stored in WAJAH_CACHE_DIR; ${remedy}`,
      ),
    ];
  }
}

/** A curve for the server replaces it. */
async function checkCalibration(choice: Awaited<ReturnType<typeof packChoice>>): Promise<DoctorFinding[]> {
  const { calibration } = await packThresholds(choice);
  if (calibration === 'measured') return [good(what, choice.id)];
  const unless = 'Unless a curve was installed for the server:';
  if (calibration === 'provisional') {
    return [doubtful(what, `${choice.id}. ${unless} ${provisionalNotice(choice.id)}`)];
  }
  return [
    doubtful(
      what,
      `${choice.id}. ${unless} it has neither a calibration curve nor published operating points, and the server does not start; add them to its pack.json`,
    ),
  ];
}
