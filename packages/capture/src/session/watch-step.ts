import type { Shot } from '../camera/frame.ts';
import { LivenessError, TransportError } from '../errors.ts';
import { requireSuccess } from '../transport/http-transport.ts';
import type { LivenessTransport, Step } from '../transport/protocol.ts';
import { wait } from '../transport/waiting.ts';
import { attributesFor, type Look, lookFor } from './step-seen.ts';

/** Milliseconds between two looks: at first, and at most. */
const PACE = { first: 300, slowest: 1500 } as const;
/** A server that asks for more seconds than this is not waited for. */
const LONGEST_WAIT = 5;
/** Milliseconds after which a call that was not answered counts as failed. */
const ANSWER_WITHIN = 8000;
/** Calls that fail in a row before the server is no longer asked. */
const PATIENCE = 3;

/** The server can or will not say what it sees; the frames have to be taken without it. */
export class CannotLook extends Error {}

/** Asks the server what it sees, one call at a time, and slows down when it is told to. */
export interface Watcher {
  /**
   * Takes one picture and has it looked at.
   * @returns what it says about the step, and the shot, which is the very picture that was looked at
   * @throws CannotLook
   */
  look(step: Step, signal: AbortSignal): Promise<{ readonly look: Look; readonly shot: Shot }>;
}

export function createWatcher(
  detect: NonNullable<LivenessTransport['detect']>,
  grab: (signal: AbortSignal) => Promise<Shot>,
  frontAngle: number,
): Watcher {
  let pace: number = PACE.first;
  let next = 0;
  let failures = 0;

  const pause = async (error: unknown, signal: AbortSignal) => {
    failures += 1;
    if (failures >= PATIENCE || !mayPass(error)) throw new CannotLook();
    const seconds = error instanceof TransportError ? (error.retryAfter ?? 1) : 1;
    if (seconds > LONGEST_WAIT) throw new CannotLook();
    pace = Math.min(PACE.slowest, pace * 1.6);
    await wait(seconds * 1000, signal);
  };

  return {
    async look(step, signal) {
      for (;;) {
        await wait(Math.max(0, next - performance.now()), signal);
        const shot = await grab(signal);
        next = performance.now() + pace;
        try {
          const attributes = attributesFor(step);
          const detection = requireSuccess(await inTime(detect(await shot.small(), { attributes, signal })));
          failures = 0;
          return { look: lookFor(step, detection, frontAngle), shot };
        } catch (error) {
          if (signal.aborted) throw signal.reason;
          const known = lookOf(error);
          if (known) return { look: known, shot };
          await pause(error, signal);
        }
      }
    },
  };
}

function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_WITHIN);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Refusals that speak of the picture. */
function lookOf(error: unknown): Look | undefined {
  if (!(error instanceof TransportError)) return undefined;
  if (error.status === '412') return { seen: false, hint: 'no-face' };
  if (error.status === '413') return { seen: false, hint: 'too-far' };
  return undefined;
}

/** Whether trying again may help: the line, or a server that is busy or wants fewer calls. */
function mayPass(error: unknown): boolean {
  if (error instanceof LivenessError) return false;
  return !(error instanceof TransportError) || ['429', '500', '502', '503', '504'].includes(error.status);
}
