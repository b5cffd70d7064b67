/** A person who was identified. */
export interface Named {
  readonly user_id: string;
  readonly user_name: string;
}

/** What one look at the camera's picture showed. */
export type Sight =
  | { readonly kind: 'nobody' | 'closer' | 'no' }
  | { readonly kind: 'yes'; readonly people: readonly Named[] }
  | Failure;

/** A look that the server did not answer. */
export interface Failure {
  readonly kind: 'failed';
  readonly why: 'busy' | 'unreachable' | 'refused';
  /** Text of the server for `refused`. */
  readonly detail: string;
  /** Milliseconds until the next look. */
  readonly waitMs: number;
}

/** What the screen shows. */
export interface Shown {
  readonly sight: Sight;
  /** When it was shown first, milliseconds. */
  readonly at: number;
  /** Looks in sequence that ended in `no`. */
  readonly refused: number;
}

/** Milliseconds that a verdict stays after the person is gone. */
const holdMs = 3_000;
/** Looks without a match before `no` is shown: one picture of a moving person may fail. */
const looksBeforeNo = 2;

/** Milliseconds before the first repetition; doubled with each further failure. */
const firstWaitMs = 1_000;
const longestWaitMs = 30_000;

/**
 * Milliseconds before the next look after failures in sequence.
 * @param failures from 1
 * @param retryAfterMs what the server asks for
 */
export function waitAfter(failures: number, retryAfterMs = 0): number {
  return Math.max(retryAfterMs, Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1)));
}

/** What the screen shows after a look. @param now milliseconds */
export function shownAfter(before: Shown, sight: Sight, now: number): Shown {
  const refused = sight.kind === 'no' ? before.refused + 1 : 0;
  const isVerdict = before.sight.kind === 'yes' || before.sight.kind === 'no';
  const held = isVerdict && now - before.at < holdMs;
  const unsure = sight.kind === 'nobody' || (sight.kind === 'no' && refused < looksBeforeNo);
  if (unsure && held) return { ...before, refused };
  if (unsure) return { sight: { kind: 'nobody' }, at: now, refused };
  return { sight, at: now, refused };
}
