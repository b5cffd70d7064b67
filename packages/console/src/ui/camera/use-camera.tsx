import { useEffect, useState } from 'preact/hooks';
import { messages } from '../../i18n/messages.ts';
import { Notice } from '../notice.tsx';
import { Loading } from '../states.tsx';

/** `lost`: it was on, and was disconnected or taken by another program. */
export type CameraState = 'off' | 'starting' | 'on' | 'lost' | 'insecure' | 'refused';

/**
 * Shows the camera in a video element while `wanted`, and closes it afterwards and on unmount. A camera that is lost or
 * refused is opened again when the devices change or the page becomes visible.
 * @param video the element, which must exist while `wanted`
 */
export function useCamera(video: { readonly current: HTMLVideoElement | null }, wanted = true): CameraState {
  const [state, setState] = useState<CameraState>('off');
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!wanted) return setState('off');
    if (!navigator.mediaDevices) return setState('insecure');
    setState('starting');
    const controller = new AbortController();
    void openCamera(video, controller.signal, setState);
    return () => controller.abort();
  }, [wanted, attempt]);
  useEffect(() => {
    if (state !== 'lost' && state !== 'refused') return;
    const controller = new AbortController();
    const again = () => document.hidden || setAttempt((before) => before + 1);
    navigator.mediaDevices.addEventListener('devicechange', again, controller);
    document.addEventListener('visibilitychange', again, controller);
    return () => controller.abort();
  }, [state]);
  return state;
}

/** Opens the camera until the signal aborts. */
async function openCamera(
  video: { readonly current: HTMLVideoElement | null },
  signal: AbortSignal,
  onState: (state: CameraState) => void,
): Promise<void> {
  const report = (state: CameraState) => signal.aborted || onState(state);
  const constraints = { video: { facingMode: 'user', width: { ideal: 1280 } }, audio: false };
  try {
    const stream = await navigator.mediaDevices.getUserMedia(constraints);
    signal.addEventListener('abort', () => stop(stream));
    if (signal.aborted || !video.current) return stop(stream);
    for (const track of stream.getTracks()) track.addEventListener('ended', () => report('lost'), { signal });
    video.current.srcObject = stream;
    await video.current.play().catch(() => undefined);
    report('on');
  } catch {
    report('refused');
  }
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Why the camera shows no video; nothing while it does. */
export function CameraStatus({ state }: { state: CameraState }) {
  const { common } = messages.value;
  switch (state) {
    case 'starting':
      return <Loading text={common.cameraStarting} />;
    case 'insecure':
      return <Notice tone="warn">{common.cameraInsecure}</Notice>;
    case 'lost':
      return <Notice tone="bad">{common.cameraLost}</Notice>;
    case 'refused':
      return <Notice tone="bad">{common.cameraRefused}</Notice>;
    default:
      return null;
  }
}
