import { closeCamera, openCamera } from '../camera/camera.ts';
import { createGrabber } from '../camera/grabber.ts';
import { type Progress, takeFrames } from '../camera/take-frames.ts';
import { LivenessError, TransportError, toLivenessError } from '../errors.ts';
import { requireSuccess } from '../transport/http-transport.ts';
import type { Frame, LivenessTransport, Session, Verdict } from '../transport/protocol.ts';
import { unlessAborted, wait } from '../transport/waiting.ts';
import { createWatcher } from './watch-step.ts';

/** What happens on the way to a verdict. */
export interface Watching extends Progress {
  /** The camera runs and is shown. */
  ready(): void;
  /** @param seconds that the session lives */
  opened(session: Session, seconds: number): void;
  /** All frames are taken, the camera is off. */
  sending(): void;
}

export interface Run {
  readonly transport: LivenessTransport;
  readonly video: HTMLVideoElement;
  readonly watching: Watching;
  /** Ends the run; its reason is thrown. */
  readonly signal: AbortSignal;
}

export interface Outcome {
  readonly session: Session;
  readonly verdict: Verdict;
}

/** Seconds before the end of a session at which nothing more is sent: the frames have to arrive in time. */
const LAST_CALL = 2;
/** What a session is like when a transport of the page's own does not say: seconds that it lives, degrees. */
const USUAL = { seconds: 60, front: 12 } as const;
/** Frames are sent this often while the server is busy or the line is down. */
const SUBMISSIONS = 4;

/**
 * Opens the camera, then a session, takes its frames and has them judged. The camera is closed before this returns.
 * @throws LivenessError
 */
export async function runSession(run: Run): Promise<Outcome> {
  const { transport, video, watching } = run;
  const ending = new AbortController();
  const { signal } = ending;
  const onAbort = () => ending.abort(run.signal.reason);
  run.signal.addEventListener('abort', onAbort);
  if (run.signal.aborted) onAbort();
  let camera: MediaStream | undefined;
  const end = (code: 'camera-lost' | 'expired' | 'hidden') => ending.abort(new LivenessError(code));
  const onHidden = () => document.hidden && end('hidden');
  try {
    camera = await openUnlessAborted(signal);
    camera.getVideoTracks()[0]?.addEventListener('ended', () => end('camera-lost'));
    await show(camera, video, signal);
    watching.ready();
    document.addEventListener('visibilitychange', onHidden);
    onHidden();
    const session = requireSession(await transport.createSession({ signal }));
    const { expires_in: seconds = USUAL.seconds, front_angle: front = USUAL.front } = session;
    const expiry = setTimeout(() => end('expired'), Math.max(0, seconds - LAST_CALL) * 1000);
    try {
      watching.opened(session, seconds);
      const grab = createGrabber(video);
      const detect = transport.detect?.bind(transport);
      const watcher = detect && createWatcher(detect, grab, front);
      const frames = await takeFrames({ session, grab, watcher, progress: watching, signal });
      document.removeEventListener('visibilitychange', onHidden);
      clearTimeout(expiry);
      closeCamera(camera);
      watching.sending();
      return { session, verdict: await submit(transport, session, frames, run.signal) };
    } finally {
      clearTimeout(expiry);
    }
  } catch (error) {
    throw toLivenessError(signal.aborted ? signal.reason : error);
  } finally {
    run.signal.removeEventListener('abort', onAbort);
    document.removeEventListener('visibilitychange', onHidden);
    closeCamera(camera);
    video.srcObject = null;
  }
}

/** @throws TransportError when it is none, as when a page to log in was answered */
function requireSession(answer: Session): Session {
  const { session_id, steps } = requireSuccess(answer) as Partial<Session>;
  if (typeof session_id === 'string' && Array.isArray(steps) && steps.length > 0) return answer;
  throw new TransportError('500', 'what was answered is no session');
}

/** @throws TransportError when it is none */
function requireVerdict(answer: Verdict): Verdict {
  const { liveness } = requireSuccess(answer) as Partial<Verdict>;
  if (liveness === 'passed' || liveness === 'failed') return answer;
  throw new TransportError('500', 'what was answered is no verdict');
}

/** A camera that is granted after everything was over is switched off at once. */
async function openUnlessAborted(signal: AbortSignal): Promise<MediaStream> {
  const opening = openCamera();
  try {
    return await unlessAborted(opening, signal);
  } catch (error) {
    opening.then(closeCamera, () => undefined);
    throw error;
  }
}

async function show(camera: MediaStream, video: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  video.srcObject = camera;
  await unlessAborted(video.play(), signal);
  // Some cameras say that they play before they have a picture.
  for (let tries = 0; video.videoWidth === 0 && tries < 50; tries++) await wait(100, signal);
  if (video.videoWidth === 0) throw new LivenessError('camera-busy');
}

/** The same frames may come again as long as nothing was judged: the server was busy, or never got them. */
async function submit(
  transport: LivenessTransport,
  { session_id }: Session,
  frames: readonly Frame[],
  signal: AbortSignal,
): Promise<Verdict> {
  let lost: unknown;
  for (let attempt = 1; ; attempt++) {
    try {
      return requireVerdict(await transport.submitSession({ session_id, frames }, { signal }));
    } catch (error) {
      if (signal.aborted) throw error;
      const refused = error instanceof TransportError;
      // Judged, but the answer was lost on the way: the line is what failed.
      if (refused && error.status === '419' && lost) throw lost;
      if (attempt === SUBMISSIONS || (refused && !['429', '503'].includes(error.status))) throw error;
      if (!refused) lost = error;
      await wait(Math.min(8, (refused && error.retryAfter) || attempt) * 1000, signal);
    }
  }
}
