import { words } from '../../i18n/words.ts';
import { Notice } from '../notice.tsx';
import { Waiting } from '../states.tsx';
import type { CameraState } from './use-camera.ts';

/** Why there is no picture from the camera yet; nothing while there is one. */
export function CameraWords({ state }: { state: CameraState }) {
  const { common } = words.value;
  switch (state) {
    case 'starting':
      return <Waiting text={common.cameraStarting} />;
    case 'insecure':
      return <Notice tone="warn">{common.cameraInsecure}</Notice>;
    case 'refused':
      return <Notice tone="bad">{common.cameraRefused}</Notice>;
    default:
      return null;
  }
}
