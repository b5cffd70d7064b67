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
