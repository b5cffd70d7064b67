import { abortable, sleep } from '../abort.ts';
import { type ErrorCode, LivenessError } from '../errors.ts';

/** Opens the front camera. @throws LivenessError */
async function openCamera(): Promise<MediaStream> {
  const { mediaDevices } = navigator;
  if (!globalThis.isSecureContext || !mediaDevices?.getUserMedia) throw new LivenessError('insecure');
  const video = { facingMode: 'user', width: { ideal: 1280 }, height: { ideal: 960 } };
  try {
    return await mediaDevices.getUserMedia({ video, audio: false });
  } catch (error) {
    throw new LivenessError(codeOf(error), error instanceof Error ? error.message : String(error));
  }
}

function codeOf(error: unknown): ErrorCode {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'camera-denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'camera-none';
    default:
      return 'camera-busy';
  }
}

/** Stops the camera and its indicator light. */
export function closeCamera(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** Opens the camera, and closes one that is granted after the abort. @throws LivenessError, the reason of the signal */
export async function openUnlessAborted(signal: AbortSignal): Promise<MediaStream> {
  const opening = openCamera();
  try {
    return await abortable(opening, signal);
  } catch (error) {
    opening.then(closeCamera, () => undefined);
    throw error;
  }
}

/** Plays the camera, and waits for its first frame. @throws LivenessError `camera-busy` when none comes */
export async function play(camera: MediaStream, video: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  video.srcObject = camera;
  await abortable(video.play(), signal);
  // Some cameras report that they play before they deliver a frame.
  for (let tries = 0; video.videoWidth === 0 && tries < 50; tries++) await sleep(100, signal);
  if (video.videoWidth === 0) throw new LivenessError('camera-busy');
}
