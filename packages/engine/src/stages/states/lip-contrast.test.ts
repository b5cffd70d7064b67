import { describe, expect, it } from 'vitest';
import { sampler } from '../../imaging/sampler.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { lipContrast } from '../states.ts';

const SIDE = 200;
/** Middle of the mouth, half its width, half the height of both lips. */
const [X, Y, WIDE, HIGH] = [100, 140, 36, 14];
const UPPER = [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291];
const LOWER = [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291];

/** A face from (100, 20) to (100, 190) whose lips are an ellipse. */
function mesh(): Mesh {
  const points = new Float32Array(468 * 3);
  const set = (index: number, x: number, y: number) => points.set([x, y, 0], index * 3);
  set(10, 100, 20);
  set(152, 100, 190);
  set(33, 60, 80);
  set(263, 140, 80);
  const edge = (indices: readonly number[], down: number) =>
    indices.forEach((index, i) => {
      const turn = Math.PI * (1 - i / 10);
      set(index, X + WIDE * Math.cos(turn), Y + down * HIGH * Math.sin(turn));
    });
  edge(UPPER, -1);
  edge(LOWER, 1);
  return { points, score: 1 };
}

interface Painted {
  /** Half height of what is seen between the lips, pixels. */
  readonly gap: number;
  readonly teeth?: boolean;
  readonly light?: number;
  readonly tint?: readonly [number, number, number];
}

/** Skin, lips, and between them the dark of a mouth, above it teeth if any. */
function contrast({ gap, teeth = false, light = 1, tint = [1, 1, 1] }: Painted): number {
  const pixels = new Uint8Array(SIDE * SIDE * 3);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const [u, v] = [(x + 0.5 - X) / WIDE, y + 0.5 - Y];
      const room = 1 - u * u;
      const lips = room > 0 && Math.abs(v) < HIGH * Math.sqrt(room);
      const inside = room > 0 && Math.abs(v) < gap * Math.sqrt(room);
      const bare = inside ? (teeth && v < 0 ? 200 : 25) : lips ? 110 : 160;
      pixels.set(
        tint.map((share) => bare * share * light),
        3 * (y * SIDE + x),
      );
    }
  }
  const size = { keptWidth: SIDE, keptHeight: SIDE, width: SIDE, height: SIDE, scale: 1 };
  return lipContrast(sampler({ pixels, ...size }), mesh());
}

describe('lipContrast', () => {
  it('grows as the lips part, and more where teeth show', () => {
    const seen = [{ gap: 0 }, { gap: 1 }, { gap: 6 }, { gap: 9, teeth: true }].map(contrast);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen[0]).toBeLessThan(-0.5);
    expect(seen[2]).toBeGreaterThan(0.7);
  });

  it('is the same in half the light and in another colour', () => {
    const usual = contrast({ gap: 5 });
    expect(contrast({ gap: 5, light: 0.5 })).toBeCloseTo(usual, 0);
    expect(Math.abs(contrast({ gap: 5, tint: [1, 0.9, 0.7] }) - usual)).toBeLessThan(0.1);
  });

  it('is finite in a picture without detail', () => {
    expect(contrast({ gap: 0, light: 0 })).toBeCloseTo(Math.log(0.02), 5);
  });
});
