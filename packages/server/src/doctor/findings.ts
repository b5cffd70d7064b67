/** One thing that was looked at. */
export interface DoctorFinding {
  readonly what: string;
  /** `bad` keeps a server from starting or from being right; `doubtful` is for a person to judge. */
  readonly state: 'good' | 'doubtful' | 'bad';
  /** What was found and, where it is not good, what to do. No secret. */
  readonly found: string;
}

export const good = (what: string, found: string): DoctorFinding => ({ what, state: 'good', found });
export const doubtful = (what: string, found: string): DoctorFinding => ({ what, state: 'doubtful', found });
export const bad = (what: string, found: string): DoctorFinding => ({ what, state: 'bad', found });

/** Looks, and makes of a failure to look a finding. */
export async function looking(
  what: string,
  look: () => DoctorFinding[] | Promise<DoctorFinding[]>,
): Promise<DoctorFinding[]> {
  try {
    return await look();
  } catch (error) {
    return [bad(what, error instanceof Error ? error.message : String(error))];
  }
}
