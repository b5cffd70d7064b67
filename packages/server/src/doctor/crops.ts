import { type DoctorFinding, doubtful, good } from './findings.ts';

const what = 'face crops';

/** What is kept of the pictures that faces were enrolled with. @param stored how many; null: it cannot be seen */
export function lookAtCrops(kept: boolean, stored: number | null): DoctorFinding {
  const number = stored ?? 'an unknown number of';
  if (kept) return good(what, `kept with each face that is enrolled, sealed; ${number} stored`);
  if (stored === null || stored === 0) return good(what, 'not kept');
  return doubtful(
    what,
    `${number} are stored from the time when WAJAH_KEEP_FACE_CROPS was on; erase them with wajah crops erase`,
  );
}
