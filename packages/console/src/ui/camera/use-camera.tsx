import { useEffect, useState } from 'preact/hooks';
import { messages } from '../../i18n/messages.ts';
import { Notice } from '../notice.tsx';
import { Loading } from '../states.tsx';

type CameraState = 'off' | 'starting' | 'on' | 'insecure' | 'refused';

/**
 * Shows the camera in a video element while `wanted`, and closes it afterwards and on unmount.
 * @param video the element, which must exist while `wanted`
 */
export function useCamera(video: { readonly current: HTMLVideoElement | null }, wanted = true): CameraState {
  const [state, setState] = useState<CameraState>('off');
  useEffect(() => {
    if (!wanted) return setState('off');
    if (!navigator.mediaDevices) return setState('insecure');
    setState('starting');
    let unmounted = false;
    let stream: MediaStream | undefined;
    const constraints = { video: { facingMode: 'user', width: { ideal: 1280 } }, audio: false };
    navigator.mediaDevices.getUserMedia(constraints).then(
      async (opened) => {
        stream = opened;
        if (unmounted || !video.current) return stop(opened);
        video.current.srcObject = opened;
        await video.current.play().catch(() => undefined);
        if (!unmounted) setState('on');
      },
      () => unmounted || setState('refused'),
    );
    return () => {
      unmounted = true;
      if (stream) stop(stream);
    };
  }, [wanted]);
  return state;
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
    case 'refused':
      return <Notice tone="bad">{common.cameraRefused}</Notice>;
    default:
      return null;
  }
}
