import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DetectedFace, Step } from '../transport/protocol.ts';
import { attributesFor, checkStep } from './check-step.ts';

const image = { width: 480, height: 640 };
const box = { x: 140, y: 200, width: 200, height: 220 };
const turns: Step[] = ['face front', 'face left', 'face right', 'face up', 'face down'];

/** Whether the step is seen in one face. */
const seen = (step: Step, face: Partial<DetectedFace>) =>
  checkStep(step, { faces: [{ box, ...face }], image }, 12).seen;

describe('a turned head', () => {
  it.each<[Step, number, number]>([
    ['face front', 0, 0],
    ['face front', -9, 9],
    ['face left', 20, 0],
    ['face right', -20, 10],
    ['face up', 5, 20],
    ['face down', 0, -15],
  ])('only %s is detected at yaw %i, pitch %i', (step, yaw, pitch) => {
    expect(turns.filter((turn) => seen(turn, { yaw, pitch }))).toEqual([step]);
  });

  it('is detected only where the server detects it, with a margin', () => {
    const angle = fc.double({ min: -60, max: 60, noNaN: true });
    const slight = fc.double({ min: -1.5, max: 1.5, noNaN: true });
    fc.assert(
      fc.property(angle, angle, slight, slight, fc.constantFrom(...turns), (yaw, pitch, a, b, step) => {
        fc.pre(seen(step, { yaw, pitch }));
        expect(serverSees(step, yaw, pitch)).toBe(true);
        // What the server measures on the larger picture may differ a little.
        expect(serverSees(step, yaw + a / 1.5, pitch + b / 1.5)).toBe(true);
      }),
    );
  });

  it('is not detected without angles', () => {
    for (const step of turns) expect(seen(step, {})).toBe(false);
  });
});

/** The rule of the service: front below 12° both ways, else the larger angle says where. */
function serverSees(step: Step, yaw: number, pitch: number): boolean {
  const [sideways, upright] = [Math.abs(yaw), Math.abs(pitch)];
  if (sideways < 12 && upright < 12) return step === 'face front';
  if (sideways > upright) return step === (yaw > 0 ? 'face left' : 'face right');
  return step === (pitch > 0 ? 'face up' : 'face down');
}

describe('eyes and mouth', () => {
  it('both eyes must be closed with certainty', () => {
    const eyes = {
      left_eye: 'closed',
      right_eye: 'closed',
      left_eye_score: 0.9,
      right_eye_score: 0.9,
    } as const;
    expect(seen('eyes closed', eyes)).toBe(true);
    expect(seen('eyes open', eyes)).toBe(false);
    expect(seen('eyes closed', { ...eyes, right_eye: 'open' })).toBe(false);
    expect(seen('eyes closed', { ...eyes, left_eye_score: 0.52 })).toBe(false);
    expect(seen('eyes closed', {})).toBe(false);
  });

  it('a mouth must be open with certainty', () => {
    expect(seen('mouth open', { mouth: 'open', mouth_score: 0.9 })).toBe(true);
    expect(seen('mouth open', { mouth: 'open', mouth_score: 0.51 })).toBe(false);
    expect(seen('mouth open', { mouth: 'closed', mouth_score: 0.9 })).toBe(false);
  });

  it('are requested only for their steps', () => {
    expect(attributesFor('eyes closed')).toEqual(['eyes']);
    expect(attributesFor('mouth open')).toEqual(['mouth']);
    expect(attributesFor('face front')).toEqual(['pose', 'eyes']);
    for (const turn of turns.slice(1)) expect(attributesFor(turn)).toEqual(['pose']);
    expect(attributesFor('face front', 'face left')).toEqual(['pose', 'eyes']);
    expect(attributesFor('face front', 'mouth open')).toEqual(['pose', 'eyes', 'mouth']);
  });
});

describe('a step that is not detected', () => {
  const done = { yaw: 0, pitch: 0 };
  const look = (...faces: DetectedFace[]) => checkStep('face front', { faces, image }, 12);
  it.each([
    ['no-face', look()],
    ['too-far', look({ box: { ...box, width: 60 }, ...done })],
    ['too-close', look({ box: { ...box, x: 80, width: 320 }, ...done })],
    ['off-centre', look({ box: { ...box, x: -60 }, ...done })],
    ['several-faces', look({ box, ...done }, { box: { ...box, x: 0, width: 150 }, ...done })],
    ['masked', look({ box, ...done, mouth: 'masked' })],
    // A mask has to go wherever the face is.
    ['masked', look({ box: { ...box, x: 80, width: 320 }, ...done, mouth: 'masked' })],
    ['masked', look({ box: { ...box, x: -60 }, ...done, mouth: 'masked', left_eye: 'covered' })],
    ['covered', look({ box, ...done, left_eye: 'covered', right_eye: 'covered' })],
  ])('%s', (hint, found) => {
    expect(found).toMatchObject({ seen: false, hint });
  });

  it('gives a hint to a head that turns too little or the other way', () => {
    const hint = (yaw: number, pitch: number) =>
      checkStep('face left', { faces: [{ box, yaw, pitch }], image }, 12).hint;
    expect(checkStep('face front', { faces: [{ box, yaw: 3, pitch: -14 }], image }, 12).hint).toBe(
      'straight',
    );
    expect([hint(0, 0), hint(11, 0), hint(-20, 3), hint(2, 30)]).toEqual([
      undefined,
      'further',
      'other-way',
      undefined,
    ]);
  });

  it('tells what the face does instead', () => {
    const sees = (step: Step, face: Partial<DetectedFace>) =>
      checkStep(step, { faces: [{ box, ...face }], image }, 12).sees;
    expect(sees('face left', { yaw: 3, pitch: -2 })).toBe('face front');
    expect(sees('face left', { yaw: -20, pitch: 2 })).toBe('face right');
    expect(sees('face front', { yaw: 2, pitch: -20 })).toBe('face down');
    // Within the margin the server would see the step.
    expect(sees('face left', { yaw: 13, pitch: 0 })).toBeUndefined();
    expect(sees('eyes closed', { left_eye: 'open', right_eye: 'closed' })).toBe('eyes open');
    expect(sees('mouth open', { mouth: 'closed' })).toBe('mouth closed');
  });

  it('a smaller face in the background is ignored', () => {
    expect(look({ box, ...done }, { box: { ...box, width: 70 }, ...done })).toEqual({ seen: true });
  });
});
