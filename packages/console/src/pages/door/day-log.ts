import type { Named, Sight } from './sight.ts';

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
export function logged(log: readonly Entry[], sight: Sight, now: number): readonly Entry[] {
  const today = new Date(now).toDateString();
  const kept = log.filter(({ at }) => new Date(at).toDateString() === today);
  const seen = sight.kind === 'yes' ? sight.people : sight.kind === 'no' ? [undefined] : [];
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
