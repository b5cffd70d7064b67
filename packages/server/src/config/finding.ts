import { inOwnWords, type unknownSettings } from './config.ts';

/** What is right or wrong with an installation. */
export interface Finding {
  /** What was looked at; of a setting its name. */
  readonly id: string;
  /** `bad` prevents the start or correct operation; `doubtful` needs a person's judgement. */
  readonly severity: 'good' | 'doubtful' | 'bad';
  /** What was found. No secret. */
  readonly sentence: string;
  /** What to do, as an imperative; null: nothing, or `sentence` ends with it, see `refused`. */
  readonly remedy: string | null;
}

/** What is wrong, with what to do. */
export interface Fault extends Finding {
  readonly severity: 'doubtful' | 'bad';
  readonly remedy: string;
}

const fault =
  (severity: Fault['severity']) =>
  (id: string, sentence: string, remedy: string): Fault => ({
    id,
    severity,
    sentence: inOwnWords(sentence),
    remedy: inOwnWords(remedy),
  });

export const doubtful = fault('doubtful');
export const bad = fault('bad');

/** Of a name that looks like a setting. */
export const unknownSetting = ({ name, nearest }: ReturnType<typeof unknownSettings>[number]) =>
  doubtful(name, `${name} is no setting`, `did you mean ${nearest}?`);

export function good(id: string, sentence: string): Finding {
  return { id, severity: 'good', sentence: inOwnWords(sentence), remedy: null };
}

/** What a start refuses, in its words, which say what to do. */
export function refused(id: string, words: string): Finding {
  return { id, severity: 'bad', sentence: inOwnWords(words), remedy: null };
}

/** What a check, or a start, throws: errors for operators say what to do. */
export function failed(id: string, error: unknown): Finding {
  return refused(id, error instanceof Error ? error.message : String(error));
}

/** Runs a check; a check that fails with an error is a bad finding. */
export async function attempt(id: string, check: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [failed(id, error)];
  }
}

/** A finding in one line, for logs, terminals and `/ready`. */
export function textOf({ sentence, remedy }: Finding): string {
  return remedy === null ? sentence : `${sentence}; ${remedy}`;
}
