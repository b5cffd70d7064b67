import { sleep } from '../abort.ts';
import type { CapturedFrame, Grabber } from '../frame.ts';
import { type Frame, maxFrames, type Session, type Step } from '../transport/protocol.ts';
import { DetectionUnavailable, type StepDetector } from './step-detector.ts';
import { createStepHelp, type HelpListener, type StepHelp } from './step-help.ts';

/** Called while frames are captured. */
export interface CaptureListener extends HelpListener {
  step(index: number): void;
  /** Seconds to the frame of a countdown; 0: now. */
  countdown(seconds: number): void;
  /** The frames of the step are captured. */
  captured(index: number): void;
}

interface CaptureOptions {
  readonly session: Session;
  readonly grab: Grabber;
  /** Without it frames are captured by a countdown. */
  readonly detector: StepDetector | undefined;
  readonly listener: CaptureListener;
  /** Called with each frame as soon as it is taken. */
  readonly onFrame?: (frame: Frame) => void;
  readonly signal: AbortSignal;
}

/** Milliseconds that a detected step is shown before the next one. */
const DONE_PAUSE = 550;
/** Milliseconds to read a step before its detection starts. */
const READ_PAUSE = 350;
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
    await sleep(READ_PAUSE, signal);
    const detected = detector && (await captureDetected(options, detector, step));
    if (!detected) detector = undefined;
    frames.push(...(detected ?? (await captureByCountdown(options, step))));
    listener.guide({});
    listener.captured(index);
    await sleep(DONE_PAUSE, signal);
  }
  return frames;
}

/** @returns undefined when detection is unavailable */
async function captureDetected(
  options: CaptureOptions,
  detector: StepDetector,
  step: Step,
): Promise<Frame[] | undefined> {
  const frames: Frame[] = [];
  const help = createStepHelp(options.listener);
  try {
    await detectFrames(options, detector, { step, frames, help });
    return frames;
  } catch (error) {
    if (!(error instanceof DetectionUnavailable)) throw error;
    return frames.length > 0 ? frames : undefined;
  } finally {
    help.end();
  }
}

/** Waits until a frame shows the step, and adds it and those that follow. */
async function detectFrames(
  { session, grab, onFrame, signal }: CaptureOptions,
  detector: StepDetector,
  { step, frames, help }: { step: Step; frames: Frame[]; help: StepHelp },
): Promise<void> {
  const count = framesPerStep(session, FRAMES.detected);
  for (;;) {
    const check = await detector.detect(step, signal, () => help.update({ seen: false, hint: 'offline' }));
    // In bad light a frame may be refused, so the person gets a while to mend it.
    if (check.seen && (check.warning === undefined || help.isLate())) {
      frames.push(await take(onFrame, step, check.frame));
      // What follows at once still shows the step, and costs no further hint.
      while (frames.length < count) frames.push(await take(onFrame, step, await grab(signal)));
      return;
    }
    help.update(check);
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

async function take(onFrame: CaptureOptions['onFrame'], step: Step, taken: CapturedFrame): Promise<Frame> {
  const frame = { step, image: await taken.full(), captured_at: taken.capturedAt };
  onFrame?.(frame);
  return frame;
}
