import { randomInt } from 'node:crypto';
import type { Parameter } from '../services.ts';

const turns = ['face left', 'face right', 'face up', 'face down'] as const satisfies readonly Parameter[];
const expressions = ['eyes closed', 'mouth open'] as const satisfies readonly Parameter[];
const asks: readonly Parameter[] = [...turns, ...expressions];

/**
 * What a person is asked to do: the front, `count` random things, the front again. No two alike in a row, and the
 * head turns at least once, for only a turning head shows that it is not flat. What every face does by itself (eyes
 * open, mouth closed) is not asked.
 * @param count 1 or more
 */
export function drawSteps(count: number): Parameter[] {
  for (;;) {
    const drawn: Parameter[] = ['face front'];
    while (drawn.length <= count) {
      const others = asks.filter((ask) => ask !== drawn.at(-1));
      drawn.push(others[randomInt(others.length)]!);
    }
    if (drawn.some((ask) => (turns as readonly Parameter[]).includes(ask))) return [...drawn, 'face front'];
  }
}
