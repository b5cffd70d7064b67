import { useEffect, useRef, useState } from 'preact/hooks';
import { jpegOf } from '../draw/picture.ts';
import { words } from '../i18n/words.ts';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { Waiting } from './states.tsx';

type CameraState = 'starting' | 'on' | 'insecure' | 'refused';

/** One picture from the camera. */
export function CameraDialog(props: { onClose: () => void; onPicture: (file: File) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const state = useCamera(video);
  const { common } = words.value;
  async function take() {
    const shown = video.current;
    if (!shown) return;
    const blob = await jpegOf(shown, shown.videoWidth, shown.videoHeight);
    props.onPicture(new File([blob], `camera-${timeStamp()}.jpg`, { type: 'image/jpeg' }));
    props.onClose();
  }
  return (
    <Dialog title={common.cameraTitle} onClose={props.onClose}>
      {state === 'starting' && <Waiting text={common.cameraStarting} />}
      {state === 'insecure' && <Notice tone="warn">{common.cameraInsecure}</Notice>}
      {state === 'refused' && <Notice tone="bad">{common.cameraRefused}</Notice>}
      <video ref={video} class="mirror" autoplay playsinline muted hidden={state !== 'on'} />
      {state === 'on' && <p class="hint">{common.cameraMirrored}</p>}
      <div class="row end">
        <button type="button" class="button" onClick={props.onClose}>
          {common.cancel}
        </button>
        <button type="button" class="button main" disabled={state !== 'on'} onClick={() => void take()}>
          {common.takePicture}
        </button>
      </div>
    </Dialog>
  );
}

/** Shows the camera in a video element, and switches it off when the component goes. */
function useCamera(video: { readonly current: HTMLVideoElement | null }): CameraState {
  const [state, setState] = useState<CameraState>('starting');
  useEffect(() => {
    if (!navigator.mediaDevices) {
      setState('insecure');
      return;
    }
    let gone = false;
    let stream: MediaStream | undefined;
    const constraints = { video: { facingMode: 'user', width: { ideal: 1280 } }, audio: false };
    navigator.mediaDevices.getUserMedia(constraints).then(
      async (opened) => {
        stream = opened;
        if (gone || !video.current) return stop(opened);
        video.current.srcObject = opened;
        await video.current.play().catch(() => undefined);
        setState('on');
      },
      () => setState('refused'),
    );
    return () => {
      gone = true;
      if (stream) stop(stream);
    };
  }, []);
  return state;
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** @example timeStamp(); // '20260131-120000' */
function timeStamp(): string {
  return new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}
