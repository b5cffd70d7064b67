import { useEffect, useRef, useState } from 'preact/hooks';
import { formatClock } from '../../i18n/format.ts';
import { messages } from '../../i18n/messages.ts';
import { type CameraState, useCamera } from '../../ui/camera/use-camera.tsx';
import { IconButton } from '../../ui/icon.tsx';
import { DoorBanner } from './door-banner.tsx';
import { DoorLog } from './door-log.tsx';
import type { Sight } from './sight.ts';
import { useDoor, useWakeLock } from './use-door.ts';

interface Props {
  readonly gallery: string;
  readonly sound: boolean;
  readonly onSound: (sound: boolean) => void;
  readonly onLeave: () => void;
}

/** The camera over the whole screen, with a verdict on who is before it and the log of the day. Escape leaves. */
export function DoorView({ gallery, sound, onSound, onLeave }: Props) {
  const dialog = useModal();
  const video = useRef<HTMLVideoElement>(null);
  const camera = useCamera(video);
  const { shown, log } = useDoor(video, { gallery, on: camera === 'on', sound });
  const [logOpen, setLogOpen] = useState(false);
  const { door } = messages.value;
  useWakeLock();
  return (
    <dialog
      ref={dialog}
      class="door"
      data-sight={sightOf(camera, shown.sight.kind)}
      aria-label={door.title}
      onCancel={onLeave}
    >
      <video ref={video} autoplay playsinline muted />
      <header class="door-bar">
        <p class="grow">{gallery}</p>
        <Clock />
        <IconButton
          icon={sound ? 'sound' : 'mute'}
          label={sound ? door.mute : door.unmute}
          onClick={() => onSound(!sound)}
        />
        <span class="log-switch">
          <IconButton
            icon="list"
            label={logOpen ? door.hideLog : door.showLog}
            onClick={() => setLogOpen(!logOpen)}
          />
        </span>
        <IconButton icon="close" label={door.leave} onClick={onLeave} />
      </header>
      <DoorBanner camera={camera} sight={shown.sight} />
      <DoorLog log={log} open={logOpen} />
    </dialog>
  );
}

/** What colours the view: a camera that only starts is no failure. */
function sightOf(camera: CameraState, kind: Sight['kind']): Sight['kind'] {
  if (camera === 'on') return kind;
  return camera === 'off' || camera === 'starting' ? 'nobody' : 'failed';
}

/** Opens the dialog: it is above everything, and the rest of the page is inert. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      // However the view ends: by its button, by another page, or with the session.
      if (document.fullscreenElement) void document.exitFullscreen();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return dialog;
}

function Clock() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <time class="numbers">{formatClock(now)}</time>;
}
