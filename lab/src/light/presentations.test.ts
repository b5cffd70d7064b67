import { describe, expect, it } from 'vitest';
import { seeded } from '../recapture/random.ts';
import { drawCamera } from './camera.ts';
import { gridAt, gridOf } from './grid.ts';
import { answerOf, drawScreen, lit } from './presentations.ts';
import type { Scene } from './scene.ts';

const [width, height] = [60, 60];
const screen = drawScreen(seeded('screen'));
const grey = () => new Float32Array(width * height).fill(0.2);

/** Half a sphere with a diameter of half the picture, before a wall. */
function ball(): Scene {
  const places: [number, number, number][] = [];
  const normals: ([number, number, number] | undefined)[] = [];
  const ambient = gridOf(width, height, (px, py) => {
    const [x, y] = [(px - 30) / 15, (py - 30) / 15];
    const inside = 1 - x * x - y * y;
    places.push([x, y, inside > 0 ? 1 - Math.sqrt(inside) : 10]);
    normals.push(inside > 0 ? [x, y, -Math.sqrt(inside)] : undefined);
    return 1;
  });
  const isFace = normals.map((normal) => normal !== undefined);
  const geometry = { places, normals, face: [], isFace };
  return { width, height, light: [grey(), grey(), grey()], geometry, ambient, faceLight: [0.2, 0.2, 0.2] };
}

describe('the light of a screen', () => {
  const at = (presentation: Parameters<typeof answerOf>[0], x: number, y: number) =>
    gridAt(answerOf(presentation, ball(), screen, 0.1)!.diffuse!, x, y);

  it('falls off to the sides of a head and far behind it, and hardly on a plane', () => {
    expect(at('person', 42, 30)).toBeLessThan(0.8 * at('person', 30, 30));
    expect(at('person', 6, 6)).toBeLessThan(0.3 * at('person', 30, 30));
    expect(at('print', 42, 30)).toBeGreaterThan(0.8 * at('print', 30, 30));
  });

  it('changes the channels that are on, and nothing where nothing answers', () => {
    const scene = ball();
    const answer = answerOf('person', scene, screen, 0.1);
    const [red, green] = lit(scene, answer, [1, 0, 0], 0.1) as [Float32Array, Float32Array];
    const middle = 30 * width + 30;
    expect(red[middle]).toBeGreaterThan(0.21);
    expect(green[middle]).toBeCloseTo(0.2, 6);
    expect(answerOf('recording', scene, screen, 0.1)).toBeUndefined();
  });
});

it('a camera darkens a brighter scene after a frame', () => {
  const camera = drawCamera(seeded('camera'));
  const mean = (level: number) => {
    const planes = [grey(), grey(), grey()].map((plane) => plane.map((value) => value * level));
    const { data } = camera.expose(planes, width, height);
    return data.reduce((sum, value) => sum + value, 0) / data.length;
  };
  const [, bright] = [mean(1), mean(2)];
  for (let i = 0; i < 6; i++) mean(2);
  expect(mean(2)).toBeLessThan(bright * 0.98);
});
