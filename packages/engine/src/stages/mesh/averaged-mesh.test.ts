import sharp from 'sharp';
import { expect, it } from 'vitest';
import { drawnFace } from '../../../test/drawn/drawn-face.ts';
import { faceIn, sharedEngine } from '../../../test/support/shared-engine.ts';
import { apply, fitSimilarity } from '../../imaging/geometry.ts';
import type { Point } from '../../types.ts';
import { mirrorPoint } from './mean-face.ts';

const engine = await sharedEngine();

async function meshOf(picture: Uint8Array): Promise<Point[]> {
  const mesh = (await faceIn(engine, picture, ['mesh'])).mesh!;
  return Array.from({ length: 468 }, (_, i) => ({ x: mesh[3 * i]!, y: mesh[3 * i + 1]! }));
}

/** Root mean square distance of the points once one mesh lies on the other, over half the width of the face. */
function apart(a: readonly Point[], b: readonly Point[]): number {
  const map = fitSimilarity(b, a);
  const squares = b.map((point, i) => {
    const { x, y } = apply(map, point);
    return (x - a[i]!.x) ** 2 + (y - a[i]!.y) ** 2;
  });
  return Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / 468) / ((a[454]!.x - a[234]!.x) / 2);
}

it('is equal on a face and on its mirror image', async () => {
  const picture = await drawnFace({ person: 'citra', tilt: 6 });
  const { width } = await sharp(picture).metadata();
  const seen = await meshOf(await sharp(picture).flop().png().toBuffer());
  const back = seen.map((_, i) => ({ x: width - seen[mirrorPoint(i)]!.x, y: seen[mirrorPoint(i)]!.y }));
  expect(apart(await meshOf(picture), back)).toBeLessThan(0.015);
});

it('is stable when a picture is encoded again and scaled', async () => {
  const picture = await drawnFace({ person: 'budi' });
  const small = await sharp(picture).resize(340).jpeg({ quality: 60 }).toBuffer();
  expect(apart(await meshOf(picture), await meshOf(small))).toBeLessThan(0.015);
});
