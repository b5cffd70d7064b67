import { expect, it } from 'vitest';
import { recapture } from './simulate.ts';

it('is deterministic by picture and seed', () => {
  const data = Uint8Array.from({ length: 3 * 200 * 150 }, (_, i) => (i * 11) & 255);
  const pixels = { data, width: 200, height: 150 };
  const box = { x: 60, y: 40, width: 50, height: 60 };
  const make = (seed: string) => recapture(pixels, box, seed);
  const [first, again, other] = [make('a'), make('a'), make('b')];
  const bytes = ({ data }: typeof first) => Buffer.from(data);
  expect(bytes(again).equals(bytes(first))).toBe(true);
  expect(bytes(other).equals(bytes(first))).toBe(false);
});
