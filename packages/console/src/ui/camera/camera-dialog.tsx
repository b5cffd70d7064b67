import { useRef } from 'preact/hooks';
import { jpegOf } from '../../draw/picture.ts';
import { messages } from '../../i18n/messages.ts';
import { Dialog } from '../dialog.tsx';
import { CameraStatus, useCamera } from './use-camera.tsx';

/** Takes a picture with the camera. */
export function CameraDialog(props: { onClose: () => void; onPicture: (file: File) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const state = useCamera(video);
  const { common } = messages.value;
  async function take() {
    const shown = video.current;
    if (!shown) return;
    const blob = await jpegOf(shown, shown.videoWidth, shown.videoHeight);
    props.onPicture(new File([blob], `camera-${timeStamp()}.jpg`, { type: 'image/jpeg' }));
    props.onClose();
  }
  return (
    <Dialog title={common.cameraTitle} onClose={props.onClose}>
      <CameraStatus state={state} />
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

/** @example timeStamp(); // '20260131-120000' */
function timeStamp(): string {
  return new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}
