/** Numbers and choices that depend on the seed alone (mulberry32). */
export interface Random {
  /** 0 ≤ n < `below` */
  whole(below: number): number;
  pick<T>(values: readonly T[]): T;
  /** True in one of `n` cases. */
  oneIn(n: number): boolean;
  bytes(length: number): Buffer;
}

export function seeded(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (below: number) => Math.floor(next() * below);
  return {
    whole,
    pick: (values) => values[whole(values.length)]!,
    oneIn: (n) => whole(n) === 0,
    bytes: (length) => Buffer.from(Uint8Array.from({ length }, () => whole(256))),
  };
}
