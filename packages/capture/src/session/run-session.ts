import { closeCamera, createGrabber, openUnlessAborted, play } from '../camera.ts';
import { LivenessError, type LivenessErrorDetails, toLivenessError } from '../errors.ts';
import { prefersNoFlashes } from '../reduced-motion.ts';
import type { Frame, LivenessTransport, Session, Verdict } from '../transport/protocol.ts';
import { createUploads, DEFAULTS, openWithTime, submit, type Uploads } from './calls.ts';
import { type CaptureListener, captureFrames, captureLights, type LightListener } from './capture.ts';
import { createStepDetector } from './step-detector.ts';

/** Called while a session runs. */
export interface SessionListener extends CaptureListener, LightListener {
  /** The video plays. */
  ready(): void;
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
  readonly listener: SessionListener;
  /** Whether the person agreed that the frames are recorded, and a name of the camera other than its own. */
  readonly recording?: { readonly consent: boolean; readonly device: string | null };
  readonly signal: AbortSignal;
}

/** Seconds reserved for the submission before the session expires. */
const SUBMIT_RESERVE = 2;
/** Characters of a camera's name that the server takes. */
const MAX_DEVICE = 120;

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
    camera = await openUnlessAborted(signal);
    camera.getVideoTracks()[0]?.addEventListener('ended', () => end('camera-lost'));
    await play(camera, video, signal);
    listener.ready();
    document.addEventListener('visibilitychange', onHidden);
    onHidden();
    const session = await openWithTime(transport, signal);
    if (session.light_required && prefersNoFlashes()) throw new LivenessError('reduced-motion');
    const { expires_in: seconds = DEFAULTS.seconds } = session;
    const current: { missed?: LivenessErrorDetails['missed'] } = {};
    expiry = setTimeout(() => end('expired', current), Math.max(0, seconds - SUBMIT_RESERVE) * 1000);
    listener.opened(session, seconds);
    const { session_id } = session;
    // A recording needs the pictures themselves.
    const send = options.recording?.consent ? undefined : transport.sendFrame?.bind(transport);
    const uploads = send && createUploads(send, session_id, options.signal);
    const captured = await capture({ ...options, uploads }, session, signal, (missed) => {
      current.missed = missed;
    });
    const submission = { session_id, ...captured, ...consentOf(options.recording, camera) };
    close();
    listener.sending();
    const sent = await uploads?.finish((share) => listener.sent(share));
    return { session, verdict: await submit(transport, submission, sent, options.signal) };
  } catch (error) {
    throw toLivenessError(signal.aborted ? signal.reason : error);
  } finally {
    close();
    video.srcObject = null;
  }
}

/**
 * Captures the frames of the steps and of the lights.
 * @param onStep called with the step that is awaited, and with undefined after the last one
 */
async function capture(
  { transport, video, listener, uploads }: SessionOptions & { uploads: Uploads | undefined },
  session: Session,
  signal: AbortSignal,
  onStep: (step: LivenessErrorDetails['missed']) => void,
) {
  const { steps, front_angle: front = DEFAULTS.front, light = [] } = session;
  const grab = createGrabber(video);
  const detect = transport.detect?.bind(transport);
  const detector = detect && createStepDetector(detect, grab, front, steps.includes('face closer'));
  const noted: CaptureListener = {
    ...listener,
    step(index) {
      onStep({ step: steps[index]!, index, total: steps.length });
      listener.step(index);
    },
  };
  const onFrame = (frame: Frame) => uploads?.add(frame);
  const frames = await captureFrames({ session, grab, detector, listener: noted, onFrame, signal });
  onStep(undefined);
  if (light.length === 0 || prefersNoFlashes()) return { frames };
  return { frames, light_frames: await captureLights({ lights: light, grab, listener, signal }) };
}

/** The camera is named only to those who record with consent. */
function consentOf(recording: SessionOptions['recording'], camera: MediaStream) {
  if (!recording?.consent) return {};
  const device = (recording.device ?? camera.getVideoTracks()[0]?.label ?? '').slice(0, MAX_DEVICE).trim();
  return { consent: true as const, ...(device !== '' && { device }) };
}
