/** Result of one check. */
export interface DoctorFinding {
  readonly what: string;
  /** `bad` prevents the start or correct operation; `doubtful` needs a person's judgement. */
  readonly state: 'good' | 'doubtful' | 'bad';
  /** What was found and, unless it is good, what to do. No secret. */
  readonly found: string;
}

export const good = (what: string, found: string): DoctorFinding => ({ what, state: 'good', found });
export const doubtful = (what: string, found: string): DoctorFinding => ({ what, state: 'doubtful', found });
export const bad = (what: string, found: string): DoctorFinding => ({ what, state: 'bad', found });

/** Runs a check; a check that fails with an error is a bad finding. */
export async function attempt(
  what: string,
  check: () => DoctorFinding[] | Promise<DoctorFinding[]>,
): Promise<DoctorFinding[]> {
  try {
    return await check();
  } catch (error) {
    return [bad(what, error instanceof Error ? error.message : String(error))];
  }
}

/** Whether face crops are stored. @param stored number of stored crops */
export function checkCrops(enabled: boolean, stored: number): DoctorFinding {
  const what = 'face crops';
  if (enabled) return good(what, `kept with each face that is enrolled, sealed; ${stored} stored`);
  if (stored === 0) return good(what, 'not kept');
  return doubtful(
    what,
    `${stored} are stored from the time when WAJAH_KEEP_FACE_CROPS was on; erase them with wajah crops erase`,
  );
}
