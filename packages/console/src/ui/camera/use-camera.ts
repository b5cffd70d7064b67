import { useEffect, useState } from 'preact/hooks';

export type CameraState = 'off' | 'starting' | 'on' | 'insecure' | 'refused';

/**
 * Shows the camera in a video element while it is wanted, and switches it off when it is not, or the component goes.
 * @param video the element; it must be there when the camera is wanted
 */
export function useCamera(video: { readonly current: HTMLVideoElement | null }, wanted = true): CameraState {
  const [state, setState] = useState<CameraState>('off');
  useEffect(() => {
    if (!wanted) return setState('off');
    if (!navigator.mediaDevices) return setState('insecure');
    setState('starting');
    let gone = false;
    let stream: MediaStream | undefined;
    const constraints = { video: { facingMode: 'user', width: { ideal: 1280 } }, audio: false };
    navigator.mediaDevices.getUserMedia(constraints).then(
      async (opened) => {
        stream = opened;
        if (gone || !video.current) return stop(opened);
        video.current.srcObject = opened;
        await video.current.play().catch(() => undefined);
        if (!gone) setState('on');
      },
      () => gone || setState('refused'),
    );
    return () => {
      gone = true;
      if (stream) stop(stream);
    };
  }, [wanted]);
  return state;
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
