import { randomNumbers } from '../vectors.ts';

/** Numbers and choices that depend on the seed alone. */
export interface Random {
  /** 0 ≤ n < `below` */
  whole(below: number): number;
  pick<T>(values: readonly T[]): T;
  /** True in one of `n` cases. */
  oneIn(n: number): boolean;
  bytes(length: number): Buffer;
}

export function seeded(seed: number): Random {
  const next = randomNumbers(seed);
  const whole = (below: number) => Math.floor(next() * below);
  return {
    whole,
    pick: (values) => values[whole(values.length)]!,
    oneIn: (n) => whole(n) === 0,
    bytes: (length) => Buffer.from(Uint8Array.from({ length }, () => whole(256))),
  };
}
