import { useEffect, useRef, useState } from 'preact/hooks';
import { chime } from './chime.ts';
import { type Entry, logged } from './day-log.ts';
import { type Shown, type Sight, shownAfter } from './sight.ts';
import { watch } from './watch.ts';

/** The state of the view; in memory only, gone with the view. */
interface Door {
  readonly shown: Shown;
  readonly log: readonly Entry[];
}

const empty: Door = { shown: { sight: { kind: 'nobody' }, at: 0, refused: 0 }, log: [] };

/** Watches the camera while `on`. @param sound plays a chime with each new entry of the log */
export function useDoor(
  video: { readonly current: HTMLVideoElement | null },
  { gallery, on, sound }: { gallery: string; on: boolean; sound: boolean },
): Door {
  const [door, setDoor] = useState(empty);
  const latest = useRef(door);
  const play = useChime(sound);
  useEffect(() => {
    if (!on || !video.current) return;
    const controller = new AbortController();
    void watch(video.current, gallery, controller.signal, (sight) => {
      latest.current = doorAfter(latest.current, sight, play);
      setDoor(latest.current);
    });
    return () => controller.abort();
  }, [gallery, on]);
  return door;
}

function doorAfter(before: Door, sight: Sight, play: (which: 'yes' | 'no') => void): Door {
  const now = Date.now();
  const shown = shownAfter(before.shown, sight, now);
  const log = logged(before.log, shown.sight, now);
  const came = log.filter(({ at }) => at === now);
  if (came.length > 0) play(came.some(({ person }) => person) ? 'yes' : 'no');
  return { shown, log };
}

/** A function that plays a chime while `sound` is on. */
function useChime(sound: boolean): (which: 'yes' | 'no') => void {
  const audio = useRef<AudioContext | null>(null);
  const on = useRef(sound);
  on.current = sound;
  useEffect(() => {
    audio.current = new AudioContext();
    return () => void audio.current?.close();
  }, []);
  return (which) => {
    if (on.current && audio.current) chime(audio.current, which);
  };
}

/** Keeps the screen on while the page is visible, where the browser can. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let left = false;
    const request = async () => {
      if (document.hidden) return;
      lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
      if (left) await lock?.release();
    };
    const onChange = () => void request();
    onChange();
    document.addEventListener('visibilitychange', onChange);
    return () => {
      left = true;
      document.removeEventListener('visibilitychange', onChange);
      void lock?.release();
    };
  }, []);
}
