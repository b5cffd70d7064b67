import type { Face } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { checkBatchSeries, type Frame, samePersonLimit } from './series.ts';

/** Templates in a plane; their similarity is their inner product, 1 but for rounding is 1. */
const engine = {
  similarity(a: Float32Array, b: Float32Array) {
    const product = a.reduce((sum, x, i) => sum + x * b[i]!, 0);
    return product > 1 - 1e-6 ? 1 : Math.max(0, product);
  },
};

function frame(name: string, parameter: string, turned: number, degrees: number, digest = name): Frame {
  const angle = (degrees * Math.PI) / 180;
  const origin = { x: 0, y: 0 };
  const face: Face = {
    box: { ...origin, width: 100, height: 100 },
    score: 1,
    meshScore: 1,
    landmarks: [origin, origin, origin, origin, origin],
    pose: { yaw: turned, pitch: 0, roll: 0 },
    quickEmbedding: Float32Array.of(Math.cos(angle), Math.sin(angle)),
  };
  return { name, parameter, digest, judged: true, face };
}

/** The faces have no shape: nothing is compared by it. */
const check = (frames: Frame[]) => checkBatchSeries({ engine }, frames).map(({ finding }) => finding);

describe('a series of one person', () => {
  it('passes, also when the left and right views do not match each other', () => {
    const limit = (Math.acos(samePersonLimit) * 180) / Math.PI;
    const series = [
      frame('image1', 'face left', 30, limit - 1),
      frame('image2', 'face front', 0, 0),
      frame('image3', 'face right', -30, -(limit - 1)),
    ];
    expect(check(series)).toEqual([]);
  });

  it('passes when it is empty or has one picture', () => {
    expect(check([])).toEqual([]);
    expect(check([frame('image1', 'face left', 30, 0)])).toEqual([]);
  });
});

describe('the same picture', () => {
  it('sent for parameters that exclude each other is reported with both names', () => {
    const series = [
      frame('image1', 'eyes open', 0, 0, 'a'),
      frame('image2', 'face left', 30, 5, 'b'),
      frame('image3', 'eyes closed', 0, 0, 'a'),
    ];
    expect(check(series)).toEqual(['image1 and image3 are the same picture, sent for different parameters']);
  });

  it('is recognised by its pixels when its bytes differ', () => {
    const series = [frame('image1', 'mouth closed', 0, 7, 'a'), frame('image2', 'mouth open', 0, 7, 'b')];
    expect(check(series)).toHaveLength(1);
  });

  it('may be sent for what one neutral face shows', () => {
    const neutral = ['face front', 'eyes open', 'mouth closed'];
    const series = neutral.map((parameter, i) => frame(`image${i + 1}`, parameter, 0, 0, 'a'));
    expect(check(series)).toEqual([]);
    const turns = [frame('image1', 'face front', 0, 0, 'a'), frame('image2', 'face left', 0, 0, 'a')];
    expect(check(turns)).toHaveLength(1);
  });

  it('may be sent twice for the same parameter', () => {
    const series = [frame('image1', 'eyes open', 0, 0, 'a'), frame('image2', 'eyes open', 0, 0, 'a')];
    expect(check(series)).toEqual([]);
  });
});

it('another person is reported with the compared picture, without the similarity', () => {
  const series = [
    frame('image1', 'face left', 30, 10),
    frame('image2', 'face front', 1, 0),
    frame('image3', 'face right', -30, 89),
  ];
  const [reason, ...more] = check(series);
  expect(more).toEqual([]);
  expect(reason).toBe('image3 shows a face that does not match image2');
});
