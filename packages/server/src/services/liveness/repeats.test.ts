import type { Face } from '@wajah/engine';
import { expect, it } from 'vitest';
import { type Frame, findRepeats } from './series.ts';

/** Frame `i` of twenty, four for each of five steps, of which the first is judged. */
function frame(i: number): Frame {
  const origin = { x: 0, y: 0 };
  const face: Face = {
    box: { ...origin, width: 100, height: 100 },
    score: 1,
    meshScore: 1,
    landmarks: [origin, origin, origin, origin, origin],
    quickEmbedding: Float32Array.of(1, i),
    perceptualHash: {
      bits: new Uint8Array(128),
      image: { luma: new Uint8Array(1), inside: new Uint8Array(1) },
    },
  };
  const step = Math.floor(i / 4);
  return { name: `frames[${i}]`, parameter: `step ${step}`, digest: `${i}`, judged: i % 4 === 0, face };
}

const engine = { similarity: (a: Float32Array, b: Float32Array) => (a[1] === b[1] ? 1 : 0.9) };

it('compares the pixels of judged frames only', async () => {
  let compared = 0;
  const index = {
    findSame: async (frames: readonly unknown[], pairs: readonly unknown[]) => {
      compared = pairs.length;
      expect(frames).toHaveLength(5);
      return pairs.map(() => false);
    },
  };
  await findRepeats(
    { engine, frameIndex: index },
    Array.from({ length: 20 }, (_, i) => frame(i)),
    'steps',
  );
  expect(compared).toBe(10);
});

it.each([
  ['bytes', { ...frame(5), digest: '1' }],
  ['pixels', { ...frame(5), face: frame(1).face }],
])('finds exact copies of the %s among all frames', async (_, copy) => {
  const frameIndex = { findSame: async () => [] };
  const found = await findRepeats({ engine, frameIndex }, [frame(1), copy], 'steps');
  expect(found.map(({ finding }) => finding)).toEqual([
    'frames[1] and frames[5] are the same picture, sent for different steps',
  ]);
});

it('compares frames where the eyes of one were not measured', async () => {
  const { face } = frame(0);
  const open = { state: 'open', score: 1 } as const;
  const measured = { ...frame(0), face: { ...face, eyes: { left: open, right: open } } };
  const frameIndex = { findSame: async (_: unknown, pairs: readonly unknown[]) => pairs.map(() => true) };
  const found = await findRepeats({ engine, frameIndex }, [measured, frame(4)], 'steps');
  expect(found.map(({ finding }) => finding)).toEqual([
    'frames[0] and frames[4] show the same moment, sent for different steps',
  ]);
});
