import type { Hint } from '../session/step-seen.ts';
import { CannotLook, type Watcher } from '../session/watch-step.ts';
import { type Frame, maxFrames, type Session, type Step } from '../transport/protocol.ts';
import { wait } from '../transport/waiting.ts';
import type { Shot } from './frame.ts';

/** What happens while frames are taken. */
export interface Progress {
  step(index: number): void;
  /** What keeps the step from being seen; undefined when nothing does but that it is not done yet. */
  hint(hint: Hint | undefined): void;
  /** Seconds to the picture, where it is taken by a count-down; 0: now. */
  countdown(seconds: number): void;
  /** The step was seen, or its pictures were taken. */
  taken(index: number): void;
}

export interface Taking {
  readonly session: Session;
  readonly grab: (signal: AbortSignal) => Promise<Shot>;
  readonly watcher: Watcher | undefined;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Milliseconds that a person sees that a step was seen, before the next one is asked. */
const APPLAUSE = 550;
/** Milliseconds to read a new step before it is looked for. */
const READING = 350;
/** Frames of a step: more cost time to judge, and are more that a later session may be taken for. */
const FRAMES = { watched: 2, counted: 3 } as const;
const COUNTDOWN_SECONDS = 3;
/** Between frames of a count-down, milliseconds: a blink lasts less than two of these. */
const BURST = 250;

/** Asks for every step in turn and takes its frames. */
export async function takeFrames(taking: Taking): Promise<Frame[]> {
  const { session, progress, signal } = taking;
  const frames: Frame[] = [];
  let watcher = taking.watcher;
  for (const [index, step] of session.steps.entries()) {
    progress.step(index);
    progress.hint(undefined);
    await wait(READING, signal);
    const shots = watcher && (await takeWhenSeen(taking, watcher, step));
    if (watcher && !shots) watcher = undefined;
    frames.push(...(shots ?? (await takeByCountdown(taking, step))));
    progress.hint(undefined);
    progress.taken(index);
    await wait(APPLAUSE, signal);
  }
  return frames;
}

/** @returns undefined when the server cannot be asked */
async function takeWhenSeen(
  { session, progress, signal }: Taking,
  watcher: Watcher,
  step: Step,
): Promise<Frame[] | undefined> {
  const count = perStep(session, FRAMES.watched);
  const frames: Frame[] = [];
  for (;;) {
    try {
      const { look, shot } = await watcher.look(step, signal);
      if (look.seen) frames.push(await frameOf(step, shot));
      if (frames.length >= count || (frames.length > 0 && !look.seen)) return frames;
      progress.hint(look.hint);
    } catch (error) {
      if (!(error instanceof CannotLook)) throw error;
      return frames.length > 0 ? frames : undefined;
    }
  }
}

async function takeByCountdown({ session, grab, progress, signal }: Taking, step: Step): Promise<Frame[]> {
  for (let seconds = COUNTDOWN_SECONDS; seconds > 0; seconds--) {
    progress.countdown(seconds);
    await wait(1000, signal);
  }
  progress.countdown(0);
  const frames: Frame[] = [];
  for (let left = perStep(session, FRAMES.counted); left > 0; left--) {
    frames.push(await frameOf(step, await grab(signal)));
    if (left > 1) await wait(BURST, signal);
  }
  return frames;
}

function perStep({ steps }: Session, wanted: number): number {
  return Math.max(1, Math.min(wanted, Math.floor(maxFrames / steps.length)));
}

async function frameOf(step: Step, shot: Shot): Promise<Frame> {
  return { step, image: await shot.full(), captured_at: shot.capturedAt };
}
