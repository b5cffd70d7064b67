/** A person who was identified. */
interface Named {
  readonly user_id: string;
  readonly user_name: string;
}

/** What one look at the camera's picture showed. */
export type Sight =
  | { readonly kind: 'nobody' | 'closer' | 'no' }
  | { readonly kind: 'yes'; readonly people: readonly Named[]; readonly notRecognised: number }
  | Failure;

/** A look that the server did not answer. */
export interface Failure {
  readonly kind: 'failed';
  readonly why: 'busy' | 'unreachable' | 'refused' | 'ended';
  /** Text of the server for `refused`. */
  readonly detail: string;
  /** Milliseconds until the next look; none follows where the token has `ended`. */
  readonly waitMs: number;
}

/** What the screen shows. */
export interface Shown {
  readonly sight: Sight;
  /** Looks in sequence with somebody who is not recognised. */
  readonly refused: number;
}

/**
 * Looks without a match before `no` is shown, and the log has somebody unknown: one picture of a moving person may fail.
 * Beside somebody who is recognised another one is shown at once.
 */
const looksBeforeNo = 2;

/** Milliseconds before the first repetition; doubled with each further failure. */
const firstWaitMs = 500;
/** People stand at the door when a server is back; what it refuses, somebody has to mend first. */
const longestWaitMs = { busy: 2_000, unreachable: 2_000, refused: 30_000, ended: 0 };

/**
 * Milliseconds before the next look after failures in sequence.
 * @param failures from 1
 * @param retryAfterMs what the server asks for
 */
export function waitAfter(why: Failure['why'], failures: number, retryAfterMs = 0): number {
  return Math.max(retryAfterMs, Math.min(longestWaitMs[why], firstWaitMs * 2 ** (failures - 1)));
}

/** What the screen shows after a look: nobody's name longer than a picture shows the person. */
export function shownAfter(before: Shown, sight: Sight): Shown {
  const isSomebodyElse = sight.kind === 'no' || (sight.kind === 'yes' && sight.notRecognised > 0);
  const refused = isSomebodyElse ? before.refused + 1 : 0;
  const isUnsure = sight.kind === 'no' && refused < looksBeforeNo;
  return { sight: isUnsure ? { kind: 'nobody' } : sight, refused };
}

/** A line of the log. */
export interface Entry {
  /** When the person came, milliseconds. */
  readonly at: number;
  /** When the person was seen last, milliseconds. */
  readonly until: number;
  /** undefined: somebody who was not recognised */
  readonly person: Named | undefined;
}

/** Milliseconds without being seen after which somebody comes again. */
const absenceMs = 60_000;
const mostEntries = 500;

/**
 * The log of the day with what is shown now, the latest first. Somebody who stays is one entry.
 * @param now milliseconds
 */
export function logged(log: readonly Entry[], { sight, refused }: Shown, now: number): readonly Entry[] {
  const today = new Date(now).toDateString();
  const kept = log.filter(({ at }) => new Date(at).toDateString() === today);
  const people = sight.kind === 'yes' ? sight.people : [];
  const seen = refused < looksBeforeNo ? people : [...people, undefined];
  let entries = kept.length === log.length ? log : kept;
  for (const person of seen) {
    const stays = entries.find((entry) => isOf(entry, person) && now - entry.until < absenceMs);
    entries = stays
      ? entries.map((entry) => (entry === stays ? { ...entry, until: now } : entry))
      : [{ at: now, until: now, person }, ...entries].slice(0, mostEntries);
  }
  return entries;
}

function isOf({ person }: Entry, other: Named | undefined): boolean {
  return person?.user_id === other?.user_id;
}
