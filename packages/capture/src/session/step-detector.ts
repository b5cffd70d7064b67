import { abortable, sleep } from '../abort.ts';
import { LivenessError, TransportError } from '../errors.ts';
import type { CapturedFrame, Grabber, PictureLight, Region } from '../frame.ts';
import { requireSuccess } from '../transport/http-transport.ts';
import type { Detection, LivenessTransport, Step } from '../transport/protocol.ts';
import { attributesFor, checkStep, type LightWarning, type StepCheck } from './check-step.ts';

/** Milliseconds between two detections: at first, and at most. */
const INTERVAL = { first: 300, longest: 1500 } as const;
/** Seconds. A server that requests a longer delay makes detection unavailable. */
const MAX_RETRY_AFTER = 5;
/** Milliseconds. */
const DETECT_TIMEOUT = 8000;
/** Consecutive failures that make detection unavailable. */
const MAX_FAILURES = 3;

/** The server cannot detect steps; frames have to be captured by a countdown. */
export class DetectionUnavailable extends Error {}

/** Detects a step with the server: one call at a time, slower when the server requests it. */
export interface StepDetector {
  /**
   * Captures a frame and checks it.
   * @returns the check and the frame that was checked
   * @throws DetectionUnavailable
   */
  detect(step: Step, signal: AbortSignal): Promise<StepCheck & { readonly frame: CapturedFrame }>;
}

/** @param frontAngle degrees below which the server takes a head as frontal */
export function createStepDetector(
  detect: NonNullable<LivenessTransport['detect']>,
  grab: Grabber,
  frontAngle: number,
): StepDetector {
  let interval: number = INTERVAL.first;
  let next = 0;
  let failures = 0;

  const backOff = async (error: unknown, signal: AbortSignal) => {
    failures += 1;
    if (failures >= MAX_FAILURES || !isTransient(error)) throw new DetectionUnavailable();
    const seconds = error instanceof TransportError ? (error.retryAfter ?? 1) : 1;
    if (seconds > MAX_RETRY_AFTER) throw new DetectionUnavailable();
    interval = Math.min(INTERVAL.longest, interval * 1.6);
    await sleep(seconds * 1000, signal);
  };

  return {
    async detect(step, signal) {
      for (;;) {
        await sleep(Math.max(0, next - performance.now()), signal);
        const frame = await grab(signal);
        next = performance.now() + interval;
        try {
          const attributes = attributesFor(step);
          const image = await frame.small();
          const call = AbortSignal.any([signal, AbortSignal.timeout(DETECT_TIMEOUT)]);
          const detection = requireSuccess(
            await abortable(detect(image, { attributes, signal: call }), call),
          );
          failures = 0;
          const check = checkStep(step, detection, frontAngle);
          return { ...check, warning: warningOf(step, frame.light(faceOf(detection))), frame };
        } catch (error) {
          if (signal.aborted) throw signal.reason;
          const hint = hintOf(error);
          if (hint) return { seen: false, hint, warning: warningOf(step, frame.light(undefined)), frame };
          await backOff(error, signal);
        }
      }
    },
  };
}

/** The largest face, as a part of the picture. */
function faceOf({ faces: [face], image }: Detection): Region | undefined {
  if (!face) return undefined;
  const { x, y, width, height } = face.box;
  return {
    x: x / image.width,
    y: y / image.height,
    width: width / image.width,
    height: height / image.height,
  };
}

/** The hint of a refusal that is about the picture. */
function hintOf(error: unknown): StepCheck['hint'] {
  if (!(error instanceof TransportError)) return undefined;
  if (error.status === '412') return 'no-face';
  return error.status === '413' ? 'too-far' : undefined;
}

/** Whether a retry may succeed: after a network error, or when the server is busy or limits the rate. */
function isTransient(error: unknown): boolean {
  if (error instanceof LivenessError) return false;
  return !(error instanceof TransportError) || ['429', '500', '502', '503', '504'].includes(error.status);
}

/** Mean brightness of a face, 0 to 1. The server refuses sessions below 0.12 and above 0.9. */
const BRIGHTNESS = { least: 0.15, most: 0.88 } as const;
/**
 * Share of the eye region that is overexposed, from which on glasses are taken to mirror a lamp or the screen. A quarter of
 * a lens is 0.07 of the region; of 44 frames of `selfies` and `pad` one has more than 0.016, a screen with 0.12.
 */
const GLARE = 0.04;

/** @param light of the face, or of the whole picture when no face is found */
function warningOf(step: Step, { brightness, glare }: PictureLight): LightWarning | undefined {
  if (brightness < BRIGHTNESS.least) return 'too-dark';
  if (brightness > BRIGHTNESS.most) return 'too-bright';
  // Of a turned head the region of the eyes is elsewhere.
  const isTurn = step.startsWith('face') && step !== 'face front';
  return !isTurn && glare > GLARE ? 'glare' : undefined;
}
