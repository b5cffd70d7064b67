import { packThresholds } from '@wajah/engine';
import { provisionalNotice } from '../config/calibration-notice.ts';
import type { Config } from '../config/config.ts';
import { packChoice } from '../config/pack-choice.ts';
import { type DoctorFinding, doubtful, good } from './findings.ts';

/** The pack that the next start runs, and where its calibration comes from. A curve for the server replaces it. */
export async function checkPack({ packs }: Pick<Config, 'packs'>): Promise<DoctorFinding[]> {
  const choice = await packChoice(packs);
  const { calibration } = await packThresholds(choice);
  const what = 'model pack';
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
