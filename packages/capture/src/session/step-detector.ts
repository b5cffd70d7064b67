import { abortable, sleep } from '../abort.ts';
import { LivenessError, TransportError } from '../errors.ts';
import type { CapturedFrame, Grabber, PictureLight, Region } from '../frame.ts';
import { requireSuccess } from '../transport/http-transport.ts';
import type { DetectAttribute, Detection, Step } from '../transport/protocol.ts';
import { attributesFor, checkStep, type LightWarning, type StepCheck } from './check-step.ts';

/** Milliseconds between two hints where the server says nothing of the next: at first, and at most. */
const INTERVAL = { first: 500, longest: 1500 } as const;
/** Seconds. A server that requests a longer delay makes hints unavailable. */
const MAX_RETRY_AFTER = 5;
/** Milliseconds without an answer after which the person is told, and after which the session ends. */
const SILENCE = { told: 1100, most: 10_000 } as const;
/** Consecutive refusals that make hints unavailable. */
const MAX_FAILURES = 3;
/** Milliseconds after which an unchanged picture without a face is looked at once more. */
const SECOND_LOOK = 3000;
/** Share of a picture that changes when somebody comes into view, and the change of a value of 0 to 255. */
const CHANGE = { share: 0.04, value: 20 } as const;

/** The server gives no hints; frames have to be captured by a countdown. */
export class DetectionUnavailable extends Error {}

type OnTrouble = (hint: 'offline' | 'busy') => void;

/** Asks the server for hints about a step: one at a time, slower when the server requests it. */
export interface StepDetector {
  /**
   * Captures a frame and checks it.
   * @param onTrouble called when the server does not answer, as the network may be lost or it is busy
   * @param after the step before
   * @returns the check and the frame that was checked
   * @throws DetectionUnavailable; LivenessError `network` when nothing is answered for long
   */
  detect(
    step: Step,
    signal: AbortSignal,
    onTrouble: OnTrouble,
    after?: Step,
  ): Promise<StepCheck & { readonly frame: CapturedFrame }>;
}

/** Calls the server about the session that runs. */
type Detect = (
  image: string,
  options: { readonly attributes: readonly DetectAttribute[]; readonly signal: AbortSignal },
) => Promise<Detection>;

/** @param frontAngle degrees below which the server takes a head as frontal, at present */
export function createStepDetector(detect: Detect, grab: Grabber, frontAngle: () => number): StepDetector {
  /** What a silence is taken for: of a server that has just said so, that it is busy. */
  let trouble: 'offline' | 'busy' = 'offline';
  const pace = createPace();
  const emptyView = createEmptyView();
  return {
    async detect(step, signal, onTrouble, after) {
      pace.begin();
      for (;;) {
        await pace.wait(signal);
        const frame = await grab(signal);
        pace.taken();
        const light = () => warningOf(step, frame.light(undefined));
        const unseen = (hint: StepCheck['hint']) => ({ seen: false, hint, warning: light(), frame });
        if (emptyView.lasts(frame)) return unseen('no-face');
        try {
          const image = await frame.small();
          const asked = { image, attributes: attributesFor(step, after) };
          const detection = await ask(detect, asked, signal, () => onTrouble(trouble));
          trouble = 'offline';
          pace.answered(detection.next_in);
          const check = checkStep(step, detection, frontAngle(), after);
          emptyView.note(check.hint === 'no-face' ? frame : undefined);
          return { ...check, warning: warningOf(step, frame.light(faceOf(detection))), frame };
        } catch (error) {
          if (signal.aborted) throw signal.reason;
          const hint = hintOf(error);
          emptyView.note(hint === 'no-face' ? frame : undefined);
          if (hint) return unseen(hint);
          trouble = isBusy(error) ? 'busy' : 'offline';
          if (isBusy(error) || !(error instanceof TransportError)) onTrouble(trouble);
          await pace.backOff(error, signal);
        }
      }
    },
  };
}

/** When the next hint is asked for, and whether one that failed is asked for again. */
function createPace() {
  let interval: number = INTERVAL.first;
  let next = 0;
  let failures = 0;
  let answeredAt = 0;
  return {
    begin() {
      answeredAt = performance.now();
    },
    wait: (signal: AbortSignal) => sleep(Math.max(0, next - performance.now()), signal),
    taken() {
      next = performance.now() + interval;
    },
    /** @param nextIn seconds */
    answered(nextIn: number | undefined) {
      if (nextIn !== undefined) next = performance.now() + nextIn * 1000;
      failures = 0;
    },
    async backOff(error: unknown, signal: AbortSignal): Promise<void> {
      if (!(error instanceof TransportError)) {
        if (performance.now() - answeredAt >= SILENCE.most) throw new LivenessError('network', String(error));
        return sleep(1000, signal);
      }
      failures += 1;
      if (failures >= MAX_FAILURES || !isTransient(error)) throw new DetectionUnavailable();
      const seconds = error.retryAfter ?? 1;
      if (seconds > MAX_RETRY_AFTER) throw new DetectionUnavailable();
      interval = Math.min(INTERVAL.longest, interval * 1.6);
      await sleep(seconds * 1000, signal);
    },
  };
}

/** Calls the server once. @throws Error when it does not answer in time */
async function ask(
  detect: Detect,
  { image, attributes }: { image: string; attributes: readonly DetectAttribute[] },
  signal: AbortSignal,
  onSilence: () => void,
): Promise<Detection> {
  const lost = new AbortController();
  const silence = setTimeout(onSilence, SILENCE.told);
  const end = setTimeout(() => lost.abort(new Error('no answer')), SILENCE.most);
  const call = AbortSignal.any([signal, lost.signal]);
  try {
    const answer = await abortable(detect(image, { attributes, signal: call }), call);
    return requireSuccess(answer);
  } finally {
    clearTimeout(silence);
    clearTimeout(end);
  }
}

/** Whether nobody came into a view without a face, so that the server need not be asked. */
function createEmptyView() {
  let since = 0;
  let looks = 0;
  let sketch: Uint8Array | undefined;
  return {
    lasts(frame: CapturedFrame): boolean {
      if (!sketch || !isAlike(sketch, frame.sketch())) return false;
      return looks > 1 || performance.now() - since < SECOND_LOOK;
    },
    /** @param frame without a face; undefined: one has a face */
    note(frame: CapturedFrame | undefined): void {
      const now = frame?.sketch();
      looks = now && sketch && isAlike(sketch, now) ? looks + 1 : 1;
      sketch = now;
      since = performance.now();
    },
  };
}

function isAlike(one: Uint8Array, other: Uint8Array): boolean {
  const changed = one.filter((value, index) => Math.abs(value - other[index]!) > CHANGE.value);
  return changed.length <= CHANGE.share * one.length;
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

/** Whether a refusal says that the server has too much to do; of too many hints of the session it is not. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof TransportError) || String(error.error).startsWith('hints')) return false;
  return error.status === '429' || error.status === '503';
}

/** Whether a retry may succeed: when the server is busy or limits the rate. */
function isTransient({ status }: TransportError): boolean {
  return ['429', '500', '502', '503', '504'].includes(status);
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
