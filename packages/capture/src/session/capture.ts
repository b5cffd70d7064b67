import { sleep } from '../abort.ts';
import type { CapturedFrame, Grabber } from '../frame.ts';
import { type Frame, maxFrames, type Session, type Step } from '../transport/protocol.ts';
import type { Hint } from './check-step.ts';
import { DetectionUnavailable, type StepDetector } from './step-detector.ts';
import { createStepHelp, type HelpListener } from './step-help.ts';

/** Called while frames are captured. */
export interface CaptureListener extends HelpListener {
  step(index: number): void;
  /** Seconds to the frame of a countdown; 0: now. */
  countdown(seconds: number): void;
  /** The frames of the step are captured. */
  captured(index: number): void;
}

/** A frame to submit, of whatever moment. */
export type TakenFrame = Pick<CapturedFrame, 'full'> & Partial<Pick<CapturedFrame, 'capturedAt'>>;

interface CaptureOptions {
  readonly session: Session;
  readonly grab: Grabber;
  /** Without it frames are captured by a countdown. */
  readonly detector: StepDetector | undefined;
  /** Shows the first step. */
  readonly first?: TakenFrame | undefined;
  readonly listener: CaptureListener;
  /** Called with each frame as soon as it is taken. */
  readonly onFrame?: (frame: Frame) => void;
  readonly signal: AbortSignal;
}

/** Milliseconds to read a step before its detection starts: nobody does it sooner. */
const READ_PAUSE = 800;
/** Frames of a step. More take longer to judge, and each is one more that a later session may resemble. */
const FRAMES = { detected: 2, countdown: 3 } as const;
const COUNTDOWN_SECONDS = 3;
/** Milliseconds between the frames of a countdown. A blink is shorter than two of them. */
const COUNTDOWN_INTERVAL = 250;

/** Captures the frames of each step in turn. */
export async function captureFrames(options: CaptureOptions): Promise<Frame[]> {
  const { session, listener, signal } = options;
  const frames: Frame[] = [];
  let { detector } = options;
  for (const [index, step] of session.steps.entries()) {
    listener.step(index);
    listener.guide({});
    const shown = index === 0 ? options.first : undefined;
    if (!shown) await sleep(READ_PAUSE, signal);
    const detected = detector && (await captureDetected(options, detector, index, shown));
    if (!detected) detector = undefined;
    frames.push(...(detected ?? (await captureByCountdown(options, step))));
    listener.guide({});
    listener.captured(index);
  }
  return frames;
}

/** @param shown shows the step already @returns undefined when detection is unavailable */
async function captureDetected(
  options: CaptureOptions,
  detector: StepDetector,
  index: number,
  shown: TakenFrame | undefined,
): Promise<Frame[] | undefined> {
  const { session, grab, onFrame, signal } = options;
  const step = session.steps[index]!;
  const count = framesPerStep(session, FRAMES.detected);
  const frames: Frame[] = [];
  try {
    frames.push(await take(onFrame, step, shown ?? (await detectFrame(options, detector, index))));
    // What follows at once still shows the step, and costs no further hint.
    while (frames.length < count) frames.push(await take(onFrame, step, await grab(signal)));
    return frames;
  } catch (error) {
    if (!(error instanceof DetectionUnavailable)) throw error;
    return frames.length > 0 ? frames : undefined;
  }
}

/** Waits for a frame that shows the step. */
async function detectFrame(
  { session: { steps }, listener, signal }: CaptureOptions,
  detector: StepDetector,
  index: number,
): Promise<TakenFrame> {
  const step = steps[index]!;
  // A face with its mouth open may look straight ahead: the same frames would serve two steps, and be refused.
  const after = step === 'face front' ? steps[index - 1] : undefined;
  const onTrouble = (hint: Hint) => help.update({ seen: false, hint });
  const help = createStepHelp(listener);
  try {
    for (;;) {
      const check = await detector.detect(step, signal, onTrouble, after);
      // In bad light a frame may be refused, so the person gets a while to mend it.
      if (check.seen && (check.warning === undefined || help.isLate())) return check.frame;
      help.update(check);
    }
  } finally {
    help.end();
  }
}

async function captureByCountdown(
  { session, grab, listener, onFrame, signal }: CaptureOptions,
  step: Step,
): Promise<Frame[]> {
  for (let seconds = COUNTDOWN_SECONDS; seconds > 0; seconds--) {
    listener.countdown(seconds);
    await sleep(1000, signal);
  }
  listener.countdown(0);
  const frames: Frame[] = [];
  for (let left = framesPerStep(session, FRAMES.countdown); left > 0; left--) {
    frames.push(await take(onFrame, step, await grab(signal)));
    if (left > 1) await sleep(COUNTDOWN_INTERVAL, signal);
  }
  return frames;
}

function framesPerStep({ steps }: Session, wanted: number): number {
  return Math.max(1, Math.min(wanted, Math.floor(maxFrames / steps.length)));
}

async function take(onFrame: CaptureOptions['onFrame'], step: Step, taken: TakenFrame): Promise<Frame> {
  const frame = { step, image: await taken.full(), captured_at: taken.capturedAt };
  onFrame?.(frame);
  return frame;
}
