import { useEffect, useRef, useState } from 'preact/hooks';
import { jpegOf } from '../draw/picture.ts';
import { common } from '../i18n/messages.ts';
import { Dialog } from './dialog.tsx';
import { Button } from './icon.tsx';
import { Loading, Notice } from './notice.tsx';

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

/** Takes a picture with the camera. */
export function CameraDialog(props: { onClose: () => void; onPicture: (file: File) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const state = useCamera(video);
  async function take() {
    const shown = video.current;
    if (!shown) return;
    const blob = await jpegOf(shown, shown.videoWidth, shown.videoHeight);
    props.onPicture(new File([blob], `camera-${timeStamp()}.jpg`, { type: 'image/jpeg' }));
    props.onClose();
  }
  return (
    <Dialog
      title={common.cameraTitle}
      dismiss={common.cancel}
      act={
        <Button look="main" disabled={state !== 'on'} onClick={() => void take()}>
          {common.takePicture}
        </Button>
      }
      onClose={props.onClose}
    >
      <CameraStatus state={state} />
      <video ref={video} class="mirror" autoplay playsinline muted hidden={state !== 'on'} />
      {state === 'on' && <p class="hint">{common.cameraMirrored}</p>}
    </Dialog>
  );
}

/** @example timeStamp(); // '20260131-120000' */
function timeStamp(): string {
  return new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}
