import { camerasBeside, closeCamera, createGrabber, openUnlessAborted, play } from '../camera.ts';
import { LivenessError, type LivenessErrorDetails, toLivenessError } from '../errors.ts';
import type { Frame, LivenessTransport, Session, Verdict } from '../transport/protocol.ts';
import { begin, createUploads, DEFAULTS, openWithTime, submit, type Uploads } from './calls.ts';
import { type CaptureListener, captureFrames, type TakenFrame } from './capture.ts';
import type { Hint } from './check-step.ts';
import { createStepDetector, DetectionUnavailable, type StepDetector } from './step-detector.ts';
import { guidanceOf } from './step-help.ts';

/** Called while a session runs. */
export interface SessionListener extends CaptureListener {
  /** The video plays. @param cameras that the person may choose from, the used one first */
  ready(cameras: readonly MediaDeviceInfo[]): void;
  /** The session begins when a face is in place. */
  waiting(): void;
  /** @param seconds until the session expires */
  opened(session: Session, seconds: number): void;
  /** All frames are captured, the camera is off. */
  sending(): void;
  /** @param share of the frames that the server has analysed, 0 to 1 */
  sent(share: number): void;
}

interface SessionOptions {
  readonly transport: LivenessTransport;
  readonly video: HTMLVideoElement;
  /** Id of the camera; undefined: the one that faces the person. */
  readonly camera: string | undefined;
  readonly listener: SessionListener;
  readonly signal: AbortSignal;
}

/** Seconds reserved for the submission before the session expires. */
const SUBMIT_RESERVE = 2;

/**
 * Opens the camera and a session, captures the frames and submits them. The camera is closed in any case.
 * @throws LivenessError
 */
export async function runSession(options: SessionOptions): Promise<{ session: Session; verdict: Verdict }> {
  const { transport, video, listener } = options;
  const controller = new AbortController();
  const signal = AbortSignal.any([options.signal, controller.signal]);
  const end = (code: 'camera-lost' | 'expired' | 'hidden', details: LivenessErrorDetails = {}) =>
    controller.abort(new LivenessError(code, code, details));
  const onHidden = () => document.hidden && end('hidden');
  let camera: MediaStream | undefined;
  let expiry: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    document.removeEventListener('visibilitychange', onHidden);
    clearTimeout(expiry);
    closeCamera(camera);
  };
  try {
    camera = await openUnlessAborted(options.camera, signal);
    const [track] = camera.getVideoTracks();
    track?.addEventListener('ended', () => end('camera-lost'));
    await play(camera, video, signal);
    listener.ready(await camerasBeside(track?.getSettings().deviceId));
    document.addEventListener('visibilitychange', onHidden);
    onHidden();
    const current: { missed?: LivenessErrorDetails['missed'] } = {};
    const expireIn = (seconds: number) => {
      clearTimeout(expiry);
      expiry = setTimeout(() => end('expired', current), Math.max(0, seconds - SUBMIT_RESERVE) * 1000);
    };
    const { session, seconds, ...capturing } = await openSession(options, expireIn, signal);
    listener.opened(session, seconds);
    const { session_id } = session;
    const send = transport.sendFrame?.bind(transport);
    const uploads = send && createUploads(send, session_id, options.signal);
    const frames = await capture({ ...options, ...capturing, uploads }, session, signal, (missed) => {
      current.missed = missed;
    });
    const submission = { session_id, frames };
    close();
    listener.sending();
    const sent = await uploads?.finish((share) => listener.sent(share));
    const withPicture = ({ step }: Frame) => session.keep_frame === true && step === 'face front';
    return { session, verdict: await submit(transport, submission, sent, withPicture, options.signal) };
  } catch (error) {
    throw toLivenessError(signal.aborted ? signal.reason : error);
  } finally {
    close();
    video.srcObject = null;
  }
}

/** Opens a session, and waits for a face where the server lets it wait. @param expireIn ends it after so many seconds */
async function openSession(
  options: SessionOptions,
  expireIn: (seconds: number) => void,
  signal: AbortSignal,
) {
  const opened = await openWithTime(options.transport, signal);
  expireIn(opened.expires_in ?? DEFAULTS.seconds);
  // One for both parts: the server limits the hints of a session. A session that waits has its angle when it begins.
  const current = { session: opened };
  const detector = detectorOf(options, current);
  const { session, first } = await beginWithFace(options, opened, detector, signal);
  current.session = session;
  const { expires_in: seconds = DEFAULTS.seconds } = session;
  expireIn(seconds);
  return { session, seconds, detector, first };
}

/** The hints about a session; undefined: there are none. */
function detectorOf(
  { transport, video }: SessionOptions,
  current: { readonly session: Session },
): StepDetector | undefined {
  const detect = transport.detect?.bind(transport);
  if (!detect) return undefined;
  const { session_id } = current.session;
  const ask: Parameters<typeof createStepDetector>[0] = (image, more) =>
    detect(image, { session_id, ...more });
  return createStepDetector(ask, createGrabber(video), () => current.session.front_angle ?? DEFAULTS.front);
}

/** Looks at a face in bad light after which the session begins nevertheless. */
const BAD_LOOKS = 8;

/**
 * Waits for a face before the time of a session runs, where the server lets sessions wait.
 * @returns beside the session the frame with which the wait ended, of a frontal face: each challenge begins with one
 */
async function beginWithFace(
  { transport, listener }: SessionOptions,
  session: Session,
  detector: StepDetector | undefined,
  signal: AbortSignal,
): Promise<{ session: Session; first?: TakenFrame | undefined }> {
  if (session.steps.length > 0) return { session };
  listener.waiting();
  let first: TakenFrame | undefined;
  const onTrouble = (hint: Hint) => listener.guide({ hint });
  try {
    for (let badLooks = 0; detector && badLooks < BAD_LOOKS; ) {
      const check = await detector.detect('face front', signal, onTrouble);
      const { seen, hint = 'straight', warning, frame } = check;
      const isInPlace = hint === 'straight';
      if (isInPlace && warning === undefined) {
        if (seen) first = await kept(frame);
        break;
      }
      if (isInPlace) badLooks += 1;
      listener.guide(guidanceOf({ ...check, hint }, false));
    }
  } catch (error) {
    if (!(error instanceof DetectionUnavailable)) throw error;
  }
  listener.guide({});
  return { session: await begin(transport, session, signal), first };
}

/**
 * A frame that stays valid when the next one is taken. It has no time: it was sent and looked at before the session began, and
 * the server refuses frames that span more time than their session.
 */
async function kept({ full }: TakenFrame): Promise<TakenFrame> {
  const image = await full();
  return { full: async () => image };
}

interface Capturing extends Pick<Parameters<typeof captureFrames>[0], 'detector' | 'first'> {
  readonly uploads: Uploads | undefined;
}

/**
 * Captures the frames of the steps.
 * @param onStep called with the step that is awaited, and with undefined after the last one
 */
async function capture(
  { video, listener, uploads, detector, first }: SessionOptions & Capturing,
  session: Session,
  signal: AbortSignal,
  onStep: (step: LivenessErrorDetails['missed']) => void,
) {
  const { steps } = session;
  const grab = createGrabber(video);
  const noted: CaptureListener = {
    ...listener,
    step(index) {
      onStep({ step: steps[index]!, index, total: steps.length });
      listener.step(index);
    },
  };
  const onFrame = (frame: Frame) => uploads?.add(frame);
  const frames = await captureFrames({ session, grab, detector, first, listener: noted, onFrame, signal });
  onStep(undefined);
  return frames;
}
