import { damagedFiles, findPadNetworks, installedPacks, isPadPack } from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { padNotice } from '../config/pad-notice.ts';
import { bad, type DoctorFinding, doubtful, good } from './findings.ts';

/** Whether a pack of PAD networks is installed that the next start of a server will use. */
export async function checkPadPack({ packs }: Pick<Config, 'packs'>): Promise<DoctorFinding[]> {
  const what = 'PAD pack';
  const found = await findPadNetworks(packs.folder, packs.acceptNonCommercial);
  if (found) return [good(what, found.pack)];
  for (const pack of (await installedPacks(packs.folder)).filter(({ definition }) => isPadPack(definition))) {
    const damaged = await damagedFiles(pack);
    const { id } = pack.definition;
    if (damaged.length === 0) continue;
    const remedy = `install it again with \`wajah models pull ${id}\``;
    return [bad(what, `${id} is damaged (${damaged.join(', ')}) and is not used; ${remedy}`)];
  }
  return [doubtful(what, padNotice)];
}
