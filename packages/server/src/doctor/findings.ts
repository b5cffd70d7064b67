import { inOwnWords } from '../config/config.ts';

/** Result of one check. */
export interface DoctorFinding {
  readonly what: string;
  /** `bad` prevents the start or correct operation; `doubtful` needs a person's judgement. */
  readonly state: 'good' | 'doubtful' | 'bad';
  /** What was found and, unless it is good, what to do. No secret. */
  readonly found: string;
}

const finding = (state: DoctorFinding['state']) => (what: string, found: string) => ({
  what,
  state,
  found: inOwnWords(found),
});
export const good = finding('good');
export const doubtful = finding('doubtful');
export const bad = finding('bad');

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
