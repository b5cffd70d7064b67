import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TransportError } from '../errors.ts';
import type { CapturedFrame, PictureLight } from '../frame.ts';
import type { Detection, Session, Step } from '../transport/protocol.ts';
import { type CaptureListener, captureFrames } from './capture.ts';
import { createStepDetector } from './step-detector.ts';
import { HELP_AFTER } from './step-help.ts';

const image = { width: 480, height: 640 };
const box = { x: 140, y: 200, width: 200, height: 220 };
const front: Detection = { faces: [{ box, yaw: 0, pitch: 0 }], image };
const fine: PictureLight = { brightness: 0.5, glare: 0 };
const left: Detection = { faces: [{ box, yaw: 25, pitch: 0 }], image };

/** A camera whose pictures are numbers, and a log of the listener's calls. */
function setUp(
  steps: Step[],
  answers: (Detection | Error)[],
  light: (picture: number) => PictureLight = () => fine,
  sketch: (picture: number) => number = (picture) => 100 * (picture % 2),
) {
  const session: Session = { session_id: 's', steps };
  const log: string[] = [];
  let [count, calls] = [0, 0];
  const grab = async (): Promise<CapturedFrame> => {
    const number = count++;
    const name = async () => String(number);
    return {
      capturedAt: new Date(number * 1000).toISOString(),
      full: name,
      small: name,
      sketch: () => new Uint8Array(100).fill(sketch(number)),
      light: () => light(number),
    };
  };
  const detect = async (picture: string) => {
    calls += 1;
    const answer = answers[Number(picture)] ?? front;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const listener: CaptureListener = {
    step: (index) => log.push(`step ${index}`),
    guide({ hint, sees }) {
      const said = hint ?? (sees && `sees ${sees}`);
      if (said !== undefined && !log.includes(said)) log.push(said);
    },
    demonstrate: () => log.push('movement'),
    countdown: (seconds) => log.push(`in ${seconds}`),
    captured: (index) => log.push(`captured ${index}`),
  };
  const ending = new AbortController();
  const { signal } = ending;
  const detector = () => createStepDetector(detect, grab, () => 12);
  return { session, grab, listener, signal, log, ending, detector, calls: () => calls };
}

const images = (frames: readonly { step: string; image: string }[]) =>
  frames.map((frame) => `${frame.step} ${frame.image}`);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Captures frames in as little time as it takes without waiting: the clock runs on until the last frame. */
async function capture(options: Parameters<typeof captureFrames>[0]) {
  const frames = captureFrames(options);
  let settled = false;
  const settle = () => {
    settled = true;
  };
  frames.then(settle, settle);
  while (!settled) await vi.advanceTimersByTimeAsync(50);
  return frames;
}

describe('frames are captured', () => {
  it('when the server detects the step: the frame that it checked, and the next one', async () => {
    const { detector, log, ...set } = setUp(
      ['face front', 'face left'],
      [new TransportError('412', 'none'), front, front, front, left, front],
    );
    const frames = await capture({ ...set, detector: detector() });
    expect(images(frames)).toEqual(['face front 1', 'face front 2', 'face left 4', 'face left 5']);
    expect(log).toEqual(['step 0', 'no-face', 'captured 0', 'step 1', 'captured 1']);
    const times = frames.map(({ captured_at }) => Date.parse(captured_at!));
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('first the one with which the wait for a face ended, at once', async () => {
    const { detector, log, calls, ...set } = setUp(['face front', 'face left'], [front, left, left]);
    const first = { full: async () => 'waited' };
    const frames = await capture({ ...set, detector: detector(), first });
    expect(images(frames)).toEqual(['face front waited', 'face front 0', 'face left 1', 'face left 2']);
    expect([log, calls()]).toEqual([['step 0', 'captured 0', 'step 1', 'captured 1'], 1]);
  });

  it('of the front when the expression before is over: no frame serves two steps', async () => {
    const gaping: Detection = { faces: [{ box, yaw: 0, pitch: 0, mouth: 'open', mouth_score: 0.9 }], image };
    const { detector, ...set } = setUp(['mouth open', 'face front'], [gaping, gaping, gaping, gaping, front]);
    const frames = await capture({ ...set, detector: detector() });
    expect(images(frames)).toEqual(['mouth open 0', 'mouth open 1', 'face front 4', 'face front 5']);
  });

  it('as often as the server gives hints', async () => {
    for (const [next_in, least, most] of [
      [undefined, 2000, 3500],
      [0.2, 800, 1700],
    ] as const) {
      const waiting = { ...front, ...(next_in !== undefined && { next_in }) };
      const { detector, ...set } = setUp(['face left'], [...Array.from({ length: 4 }, () => waiting), left]);
      const started = performance.now();
      await capture({ ...set, detector: detector() });
      const took = performance.now() - started - 800;
      expect([took >= least - 50, took <= most]).toEqual([true, true]);
    }
  });

  it('by a countdown without a detector', async () => {
    const { detector: _, log, ...set } = setUp(['face front'], []);
    const frames = await capture({ ...set, detector: undefined });
    expect(images(frames)).toEqual(['face front 0', 'face front 1', 'face front 2']);
    expect(log).toEqual(['step 0', 'in 3', 'in 2', 'in 1', 'in 0', 'captured 0']);
  });

  it.each([
    ['has no such endpoint', [new TransportError('404', 'no route')]],
    ['asks for a long delay', [new TransportError('429', 'too many', 60)]],
  ])('by a countdown when the server %s', async (_, answers) => {
    const { detector, log, ...set } = setUp(['face front'], answers);
    expect(await capture({ ...set, detector: detector() })).toHaveLength(3);
    expect(log).toContain('in 3');
  });

  it('after a delay when the server is busy', async () => {
    const { detector, log, ...set } = setUp(
      ['face front'],
      [new TransportError('503', 'busy', 1), front, front],
    );
    const started = performance.now();
    expect(images(await capture({ ...set, detector: detector() }))).toEqual(['face front 1', 'face front 2']);
    expect(performance.now() - started).toBeGreaterThanOrEqual(1000);
    expect(log).not.toContain('in 3');
  });

  it('with help that escalates: what is seen, then the movement', async () => {
    const seconds = 14;
    const fronts = Array.from({ length: (seconds * 1000) / 500 }, () => front);
    const { detector, log, ...set } = setUp(['face left'], [...fronts, left, left]);
    expect(await capture({ ...set, detector: detector() })).toHaveLength(2);
    expect(log).toEqual(['step 0', 'sees face front', 'movement', 'captured 0']);
  });

  it('in bad light only after a while, in which the person is told', async () => {
    const { detector, log, ...set } = setUp(['face front'], [], () => ({ brightness: 0.1, glare: 0 }));
    const frames = await capture({ ...set, detector: detector() });
    expect(Date.parse(frames[0]!.captured_at!) / 1000).toBeGreaterThan(HELP_AFTER.sight / 600);
    expect(log).toEqual(['step 0', 'too-dark', 'captured 0']);
    const mended = setUp(['face front'], [], (picture) => ({
      brightness: picture < 2 ? 0.1 : 0.4,
      glare: 0,
    }));
    expect(images(await capture({ ...mended, detector: mended.detector() }))).toEqual([
      'face front 2',
      'face front 3',
    ]);
  });

  it('not without a network: the person is told within two seconds, and the session ends after ten', async () => {
    const { log, ...set } = setUp(['face front'], []);
    const detector = createStepDetector(
      () => new Promise(() => {}),
      set.grab,
      () => 12,
    );
    const started = performance.now();
    const ended = captureFrames({ ...set, detector }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(2000);
    expect(log).toEqual(['step 0', 'offline']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await ended).toMatchObject({ code: 'network' });
    expect(performance.now() - started).toBeLessThanOrEqual(12_000);
  });

  it('when a lost network is back', async () => {
    const { detector, log, ...set } = setUp(['face front'], [new TypeError('failed'), front]);
    expect(images(await capture({ ...set, detector: detector() }))).toEqual(['face front 1', 'face front 2']);
    expect(log).toEqual(['step 0', 'offline', 'captured 0']);
  });

  it.each(['429', '503'])(
    'when a server that is busy (%s) has time, and the connection is not blamed',
    async (status) => {
      const busy = new TransportError(status, 'too many calls', 1, 'tooManyCalls');
      const { log, ...set } = setUp(['face front'], []);
      const answers = [
        async () => Promise.reject(busy),
        () => new Promise<Detection>((done) => setTimeout(done, 3000, front)),
      ];
      const detector = createStepDetector(
        async () => (answers.shift() ?? (async () => front))(),
        set.grab,
        () => 12,
      );
      await capture({ ...set, detector });
      expect(log).toEqual(['step 0', 'busy', 'captured 0']);
    },
  );

  it('nor is a server called busy that wants fewer hints of the session', async () => {
    const often = new TransportError('429', 'ask again in 1 s', 1, 'hintsTooOften');
    const { detector, log, ...set } = setUp(['face front'], [often, front]);
    await capture({ ...set, detector: detector() });
    expect(log).toEqual(['step 0', 'captured 0']);
  });

  it('and the server is not asked again while nobody is in view', async () => {
    const none: Detection = { faces: [], image };
    const nobody = Array.from({ length: 40 }, () => none);
    const { detector, calls, ...set } = setUp(
      ['face front'],
      nobody,
      () => fine,
      (picture) => (picture < 40 ? 10 : 90),
    );
    expect(images(await capture({ ...set, detector: detector() }))).toEqual([
      'face front 40',
      'face front 41',
    ]);
    // Twenty seconds: one call, a second look, and one when the picture changes.
    expect(calls()).toBe(3);
  });

  it('20 at most, and none after an abort', async () => {
    const steps = Array.from({ length: 7 }, (_, i): Step => (i % 2 ? 'face left' : 'face front'));
    const detections = steps.flatMap((step) => (step === 'face left' ? [left, left] : [front, front]));
    const { detector, ...set } = setUp(steps, detections);
    expect(await capture({ ...set, detector: detector() })).toHaveLength(14);
    const { detector: other, ending, ...rest } = setUp(['face left'], []);
    setTimeout(() => ending.abort(new Error('over')), 700);
    await expect(capture({ ...rest, detector: other() })).rejects.toThrow('over');
  });
});
