import type { Face } from '@wajah/engine';
import { describe, expect, it } from 'vitest';
import { samePersonLimit } from '../faces/several-pictures.ts';
import { checkBatchSeries, type Frame, findRepeats, seriesAttributes } from './series.ts';

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

it('what tells one moment from another is measured of pictures that may not show the same', () => {
  const batch = ['face left', 'face front', 'eyes open', 'mouth open'];
  const compared = (repeatsAllowed: boolean) =>
    batch.filter((one) => seriesAttributes(one, batch, repeatsAllowed).includes('settledShape'));
  expect(compared(false)).toEqual(['face left', 'face front']);
  expect(compared(true)).toEqual([]);
});

describe('frames of a session', () => {
  /** Frame `i` of twenty, four for each of five steps, of which the first is judged. Each has a shape of its own. */
  function frameOf(i: number): Frame {
    const { face, ...about } = frame(`frames[${i}]`, `step ${Math.floor(i / 4)}`, 0, i);
    return { ...about, judged: i % 4 === 0, face: { ...face, settledShape: shapeAt(400 * i) } };
  }

  /** All points of one place. */
  const shapeAt = (place: number) => new Int16Array(212).fill(place);

  /** The frame with a shape that is not told apart from that of another one. */
  function withShapeOf(one: Frame, { face: { settledShape: other } }: Frame): Frame {
    return { ...one, face: { ...one.face, settledShape: other!.map((value) => value + 30) } };
  }

  const repeats = (frames: readonly Frame[]) =>
    findRepeats(engine, frames, 'steps').map(({ finding }) => finding);

  it('show one moment twice if they are judged', () => {
    const frames = Array.from({ length: 20 }, (_, i) => frameOf(i));
    expect(repeats(frames)).toEqual([]);
    const repeated = frames.map((one, i) => ([8, 9].includes(i) ? withShapeOf(one, frames[0]!) : one));
    const found = 'frames[0] and frames[8] show the same moment, sent for different steps';
    expect(repeats(repeated)).toEqual([found]);
  });

  it.each([
    ['bytes', { ...frameOf(5), digest: 'frames[1]' }],
    ['pixels', { ...frameOf(5), face: frameOf(1).face }],
  ])('are the same by their %s also if they are not judged', (_, copy) => {
    const found = 'frames[1] and frames[5] are the same picture, sent for different steps';
    expect(repeats([frameOf(1), copy])).toEqual([found]);
  });

  it('are not compared where one shows open eyes and the other one closed eyes', () => {
    const [first, second] = [frameOf(0), withShapeOf(frameOf(4), frameOf(0))];
    const eyes = (state: 'open' | 'closed') => {
      const eye = { state, score: 1 } as const;
      return { left: eye, right: eye };
    };
    const withEyes = (one: Frame, state: 'open' | 'closed') => ({
      ...one,
      face: { ...one.face, eyes: eyes(state) },
    });
    const same = ['frames[0] and frames[4] show the same moment, sent for different steps'];
    expect(repeats([withEyes(first, 'open'), withEyes(second, 'closed')])).toEqual([]);
    expect(repeats([withEyes(first, 'open'), withEyes(second, 'open')])).toEqual(same);
    // What was not measured does not tell them apart.
    expect(repeats([withEyes(first, 'open'), second])).toEqual(same);
  });
});
