import { type ErrorCode, LivenessError } from '../errors.ts';

/** Opens the front camera. @throws LivenessError */
export async function openCamera(): Promise<MediaStream> {
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
