import type { Face } from '@wajah/engine';
import { expect, it } from 'vitest';
import { type Frame, findRepeats } from './series.ts';

/** Frame `i` of twenty, four for each of five steps, of which the first is judged. Each has a shape of its own. */
function frame(i: number): Frame {
  const origin = { x: 0, y: 0 };
  const face: Face = {
    box: { ...origin, width: 100, height: 100 },
    score: 1,
    meshScore: 1,
    landmarks: [origin, origin, origin, origin, origin],
    quickEmbedding: Float32Array.of(1, i),
    settledShape: shape(400 * i),
  };
  const step = Math.floor(i / 4);
  return { name: `frames[${i}]`, parameter: `step ${step}`, digest: `${i}`, judged: i % 4 === 0, face };
}

/** All points of one place. */
function shape(place: number): Int16Array {
  return new Int16Array(212).fill(place);
}

/** The frame with a shape that is not told apart from that of another one. */
function withShapeOf(one: Frame, { face: { settledShape: other } }: Frame): Frame {
  return { ...one, face: { ...one.face, settledShape: other!.map((value) => value + 30) } };
}

const engine = { similarity: (a: Float32Array, b: Float32Array) => (a[1] === b[1] ? 1 : 0.9) };

const check = (frames: readonly Frame[]) =>
  findRepeats(engine, frames, 'steps').map(({ finding }) => finding);

it('finds one moment among the judged frames only', () => {
  const frames = Array.from({ length: 20 }, (_, i) => frame(i));
  expect(check(frames)).toEqual([]);
  const repeated = frames.map((one, i) => ([8, 9].includes(i) ? withShapeOf(one, frames[0]!) : one));
  expect(check(repeated)).toEqual(['frames[0] and frames[8] show the same moment, sent for different steps']);
});

it.each([
  ['bytes', { ...frame(5), digest: '1' }],
  ['pixels', { ...frame(5), face: frame(1).face }],
])('finds exact copies of the %s among all frames', (_, copy) => {
  expect(check([frame(1), copy])).toEqual([
    'frames[1] and frames[5] are the same picture, sent for different steps',
  ]);
});

it('does not compare frames of which one shows open eyes and the other one closed eyes', () => {
  const [first, second] = [frame(0), withShapeOf(frame(4), frame(0))];
  const eyes = (state: 'open' | 'closed') => {
    const eye = { state, score: 1 } as const;
    return { left: eye, right: eye };
  };
  const withEyes = (one: Frame, state: 'open' | 'closed') => ({
    ...one,
    face: { ...one.face, eyes: eyes(state) },
  });
  const same = ['frames[0] and frames[4] show the same moment, sent for different steps'];
  expect(check([withEyes(first, 'open'), withEyes(second, 'closed')])).toEqual([]);
  expect(check([withEyes(first, 'open'), withEyes(second, 'open')])).toEqual(same);
  // What was not measured does not tell them apart.
  expect(check([withEyes(first, 'open'), second])).toEqual(same);
});
