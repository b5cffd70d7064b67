/** Seeded pseudo-random numbers. */
export interface Random {
  /** Uniform between `from` and `to`. */
  between(from: number, to: number): number;
  /** True with this probability. */
  chance(share: number): boolean;
  /** Standard normal. */
  normal(): number;
}

/** A generator (mulberry32, public domain, Tommy Ettinger) seeded by a text (FNV-1a). */
export function seeded(text: string): Random {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ character.codePointAt(0)!, 0x01000193);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (from, to) => from + (to - from) * next(),
    chance: (share) => next() < share,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

/** Draws integers below a number, as `drawSteps` does. */
export function drawing(random: Random): (count: number) => number {
  return (count) => Math.floor(random.between(0, count));
}
