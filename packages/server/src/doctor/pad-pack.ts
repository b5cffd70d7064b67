import { findPadNetworks } from '@wajah/engine';
import type { Config } from '../config/config.ts';
import { padNotice } from '../config/pad-notice.ts';
import { type DoctorFinding, doubtful, good } from './findings.ts';

/** Whether a pack of PAD networks is installed that the next start of a server will use. Damaged packs are not. */
export async function checkPadPack({ packs }: Pick<Config, 'packs'>): Promise<DoctorFinding[]> {
  const found = await findPadNetworks(packs.folder, packs.acceptNonCommercial);
  return [found ? good('PAD pack', found.pack) : doubtful('PAD pack', padNotice)];
}
