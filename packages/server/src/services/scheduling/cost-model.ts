/** Measured durations of one kind of work, milliseconds. */
interface Measured {
  mean: number;
  /** Mean absolute deviation. */
  deviation: number;
}

/** Weight of a new measurement: the mean follows a change within some ten calls. */
const weight = 0.1;

/**
 * A duration counts as at most this multiple of what the work seldom exceeds: a single one that is far longer is a stall
 * of the machine, and several are a change, which the mean follows within some ten calls as well.
 */
const mostOfCautious = 2;

/** Until anything has been measured, milliseconds: a picture of a phone on one core. */
const unknown: Measured = { mean: 100, deviation: 0 };

/** Largest duration that is expected of work of which nothing was measured, milliseconds. */
const unknownMost = 1000;

/** Measured kinds that are kept, those of the last use. */
const mostKinds = 10_000;

/**
 * Mean and spread of durations, as exponentially weighted averages (RFC 6298, section 2, estimates round trips so).
 * A kind belongs to one client: the pictures of others must not make its own look expensive.
 */
export class CostModel {
  readonly #kinds = new Map<string, Measured>();
  #all: Measured | undefined;

  /** Expected duration of a kind of work, milliseconds. */
  expected(kind: string): number {
    return this.#of(kind).mean;
  }

  /** A duration that work of this kind seldom exceeds: two deviations above the mean, milliseconds. */
  cautious(kind: string): number {
    return cautiousOf(this.#of(kind));
  }

  /** Mean duration of all work, milliseconds. */
  get average(): number {
    return (this.#all ?? unknown).mean;
  }

  add(kind: string, milliseconds: number): void {
    const measured = updated(this.#kinds.get(kind), milliseconds);
    this.#kinds.delete(kind);
    this.#kinds.set(kind, measured);
    const [oldest] = this.#kinds.keys();
    if (this.#kinds.size > mostKinds && oldest !== undefined) this.#kinds.delete(oldest);
    this.#all = updated(this.#all, milliseconds);
  }

  #of(kind: string): Measured {
    return this.#kinds.get(kind) ?? { mean: Math.min(this.average, unknownMost), deviation: 0 };
  }
}

function cautiousOf({ mean, deviation }: Measured): number {
  return mean + 2 * deviation;
}

function updated(before: Measured | undefined, milliseconds: number): Measured {
  if (!before) return { mean: milliseconds, deviation: 0 };
  const error = Math.min(milliseconds, mostOfCautious * cautiousOf(before)) - before.mean;
  return {
    mean: before.mean + weight * error,
    deviation: before.deviation + weight * (Math.abs(error) - before.deviation),
  };
}
