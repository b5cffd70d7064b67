import { abortable, sleep } from '../abort.ts';
import { closeCamera, openCamera } from '../camera/camera.ts';
import { createGrabber } from '../camera/grabber.ts';
import { LivenessError, TransportError, toLivenessError } from '../errors.ts';
import { prefersNoFlashes } from '../reduced-motion.ts';
import { requireSuccess } from '../transport/http-transport.ts';
import type { LivenessTransport, Session, Submission, Verdict } from '../transport/protocol.ts';
import { type CaptureListener, captureFrames } from './capture-frames.ts';
import { captureLights, type LightListener } from './capture-lights.ts';
import { createStepDetector } from './step-detector.ts';

/** Called while a session runs. */
export interface SessionListener extends CaptureListener, LightListener {
  /** The video plays. */
  ready(): void;
  /** @param seconds until the session expires */
  opened(session: Session, seconds: number): void;
  /** All frames are captured, the camera is off. */
  sending(): void;
}

interface SessionOptions {
  readonly transport: LivenessTransport;
  readonly video: HTMLVideoElement;
  readonly listener: SessionListener;
  /** Whether the person agreed that the frames are recorded, and a name of the camera other than its own. */
  readonly recording?: { readonly consent: boolean; readonly device: string | null };
  readonly signal: AbortSignal;
}

/** Seconds reserved for the submission before the session expires. */
const SUBMIT_RESERVE = 2;
/** For transports that do not report them: seconds until the session expires, degrees of a frontal head. */
const DEFAULTS = { seconds: 60, front: 12 } as const;
/** Characters of a camera's name that the server takes. */
const MAX_DEVICE = 120;
/** Submissions of the same frames while the server is busy or unreachable. */
const MAX_SUBMISSIONS = 4;

/**
 * Opens the camera and a session, captures the frames and submits them. The camera is closed in any case.
 * @throws LivenessError
 */
export async function runSession(options: SessionOptions): Promise<{ session: Session; verdict: Verdict }> {
  const { transport, video, listener } = options;
  const controller = new AbortController();
  const signal = AbortSignal.any([options.signal, controller.signal]);
  const end = (code: 'camera-lost' | 'expired' | 'hidden') => controller.abort(new LivenessError(code));
  const onHidden = () => document.hidden && end('hidden');
  let camera: MediaStream | undefined;
  let expiry: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    document.removeEventListener('visibilitychange', onHidden);
    clearTimeout(expiry);
    closeCamera(camera);
  };
  try {
    camera = await openUnlessAborted(signal);
    camera.getVideoTracks()[0]?.addEventListener('ended', () => end('camera-lost'));
    await play(camera, video, signal);
    listener.ready();
    document.addEventListener('visibilitychange', onHidden);
    onHidden();
    const session = requireSession(await abortable(transport.createSession({ signal }), signal));
    if (session.light_required && prefersNoFlashes()) throw new LivenessError('reduced-motion');
    const { expires_in: seconds = DEFAULTS.seconds, front_angle: front = DEFAULTS.front } = session;
    expiry = setTimeout(() => end('expired'), Math.max(0, seconds - SUBMIT_RESERVE) * 1000);
    listener.opened(session, seconds);
    const grab = createGrabber(video);
    const detect = transport.detect?.bind(transport);
    const detector = detect && createStepDetector(detect, grab, front);
    const frames = await captureFrames({ session, grab, detector, listener, signal });
    const lights = prefersNoFlashes() ? [] : (session.light ?? []);
    const lit = lights.length > 0 ? await captureLights({ lights, grab, listener, signal }) : [];
    const submission = {
      session_id: session.session_id,
      frames,
      ...(lit.length > 0 && { light_frames: lit }),
      ...consentOf(options.recording, camera),
    };
    close();
    listener.sending();
    return { session, verdict: await submit(transport, submission, options.signal) };
  } catch (error) {
    throw toLivenessError(signal.aborted ? signal.reason : error);
  } finally {
    close();
    video.srcObject = null;
  }
}

/** @throws TransportError when the answer is no session, but a login page for example */
function requireSession(answer: Session): Session {
  const { session_id, steps } = requireSuccess(answer) as Partial<Session>;
  if (typeof session_id === 'string' && Array.isArray(steps) && steps.length > 0) return answer;
  throw new TransportError('500', 'the answer is not a session');
}

/** @throws TransportError when the answer is no verdict */
function requireVerdict(answer: Verdict): Verdict {
  const { liveness } = requireSuccess(answer) as Partial<Verdict>;
  if (liveness === 'passed' || liveness === 'failed') return answer;
  throw new TransportError('500', 'the answer is not a verdict');
}

/** Closes a camera that is granted after the abort. */
async function openUnlessAborted(signal: AbortSignal): Promise<MediaStream> {
  const opening = openCamera();
  try {
    return await abortable(opening, signal);
  } catch (error) {
    opening.then(closeCamera, () => undefined);
    throw error;
  }
}

async function play(camera: MediaStream, video: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  video.srcObject = camera;
  await abortable(video.play(), signal);
  // Some cameras report that they play before they deliver a frame.
  for (let tries = 0; video.videoWidth === 0 && tries < 50; tries++) await sleep(100, signal);
  if (video.videoWidth === 0) throw new LivenessError('camera-busy');
}

/** The camera is named only to those who record with consent. */
function consentOf(recording: SessionOptions['recording'], camera: MediaStream) {
  if (!recording?.consent) return {};
  const device = (recording.device ?? camera.getVideoTracks()[0]?.label ?? '').slice(0, MAX_DEVICE).trim();
  return { consent: true as const, ...(device !== '' && { device }) };
}

/** The same frames may be submitted again until the server has judged them. */
async function submit(
  transport: LivenessTransport,
  submission: Submission,
  signal: AbortSignal,
): Promise<Verdict> {
  let networkError: unknown;
  for (let attempt = 1; ; attempt++) {
    try {
      return requireVerdict(await abortable(transport.submitSession(submission, { signal }), signal));
    } catch (error) {
      if (signal.aborted) throw error;
      const refused = error instanceof TransportError;
      // An earlier submission was judged, and its answer was lost.
      if (refused && error.status === '419' && networkError) throw networkError;
      if (attempt === MAX_SUBMISSIONS || (refused && !['429', '503'].includes(error.status))) throw error;
      if (!refused) networkError = error;
      await sleep(Math.min(8, (refused && error.retryAfter) || attempt) * 1000, signal);
    }
  }
}
