import { effect } from '@preact/signals';
import {
  createWajahClient,
  type IdentifyFaceAnswer,
  type IdentifyFaceMiss,
  isWajahError,
  type WajahClient,
} from '@wajah/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { revoke } from '../../api/wajah.ts';
import { doorScreen } from '../../state/door-screen.ts';
import { askBeforeLeaving } from '../../state/leaving.ts';
import { asApiError } from '../../state/request.ts';
import { serverUrl } from '../../state/server-url.ts';
import { keptSignal, session } from '../../state/session.ts';
import { watchFrames } from '../../ui/frames.ts';
import { type Entry, type Failure, logged, type Shown, type Sight, shownAfter, waitAfter } from './door.ts';

/** The logs of the galleries; in memory only, and not gone when the browser goes back or a sign-in ends. */
const logs = keptSignal<Readonly<Record<string, readonly Entry[]>>>({}, undefined, true);

effect(() => (Object.values(logs.value).some((log) => log.length > 0) ? askBeforeLeaving() : undefined));

const nobody: Shown = { sight: { kind: 'nobody' }, refused: 0 };

/** The log of today. */
export const logOf = (gallery: string) => logged(logs.value[gallery] ?? [], nobody, Date.now());

type SearchedFaces = NonNullable<IdentifyFaceAnswer['faces']>;

/**
 * Watches the camera while `on`, and keeps the log.
 * @param sound plays a chime with each new entry
 * @returns what is shown, and the faces of the latest look, in pixels of `sentSize`
 */
export function useDoor(
  video: { readonly current: HTMLVideoElement | null },
  { on, sound }: { on: boolean; sound: boolean },
): Shown & { readonly faces: SearchedFaces } {
  const [shown, setShown] = useState(nobody);
  const [faces, setFaces] = useState<SearchedFaces>([]);
  const latest = useRef(shown);
  const play = useChime(sound);
  const screen = doorScreen.value;
  useEffect(() => {
    if (!on || !video.current || !screen) return;
    const { gallery, token } = screen;
    const controller = new AbortController();
    const place = {
      gallery,
      wajah: createWajahClient({ url: serverUrl, token, timeoutMs, fetch: fetchAlone }),
    };
    void watch(video.current, place, controller.signal, (sight, seen) => {
      setFaces(seen);
      const now = Date.now();
      latest.current = shownAfter(latest.current, sight);
      setShown(latest.current);
      const log = logged(logs.value[gallery] ?? [], latest.current, now);
      logs.value = { ...logs.value, [gallery]: log };
      const came = log.filter(({ at }) => at === now);
      if (came.length > 0) play(came.every(({ person }) => person) ? 'yes' : 'no');
    });
    return () => controller.abort();
  }, [screen, on]);
  return { ...shown, faces };
}

/** The session of the page is no matter of the door. Without `omit` the browser asks for a password after a 401. */
const fetchAlone: typeof fetch = (address, init) => fetch(address, { ...init, credentials: 'omit' });

/** Ends the screen. A list without a sign-in is nobody's. */
export function leaveDoor(): void {
  if (doorScreen.value) revoke(doorScreen.value.token);
  doorScreen.value = null;
  if (session.value === null) logs.value = {};
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

/** Longest side of a sent picture, pixels: a face at two steps is still large enough. */
const side = 960;

/** Size of the pictures of a video that are sent. */
export function sentSize({ videoWidth, videoHeight }: HTMLVideoElement) {
  const scale = Math.min(1, side / Math.max(videoWidth, videoHeight, 1));
  return { width: videoWidth * scale, height: videoHeight * scale };
}

/** Minimum milliseconds between the starts of two calls. */
const intervalMs = 600;
/** Milliseconds of a call; a person does not wait longer at a door. */
const timeoutMs = 10_000;
/** People before the camera at a time. */
const mostFaces = 5;

/** Where people are searched, and by whom. */
interface Place {
  readonly gallery: string;
  readonly wajah: Pick<WajahClient, 'identifyFace'>;
}

type OnSight = (sight: Sight, faces: SearchedFaces) => void;

/** Looks at the frames of a video until aborted, one call at a time. @param onSight gets what each look showed */
async function watch(
  video: HTMLVideoElement,
  place: Place,
  signal: AbortSignal,
  onSight: OnSight,
): Promise<void> {
  let failures = 0;
  let before: Unrecognised | undefined;
  await watchFrames(video, side, signal, async (frame) => {
    const image = await frame();
    const { sight, faces } = await lookAt(image, place, failures + 1, signal, before);
    const isAlone = faces.length === 1 && sight.kind === 'no';
    before = isAlone && !before ? { image, faces } : undefined;
    if (signal.aborted) return undefined;
    onSight(sight, faces);
    failures = sight.kind === 'failed' ? failures + 1 : 0;
    if (sight.kind === 'failed' && sight.why === 'ended') return undefined;
    return sight.kind === 'failed' ? { after: sight.waitMs } : { every: intervalMs };
  });
}

/** A look that showed one person alone who was not recognised: its picture is sent again with the next one. */
interface Unrecognised {
  readonly image: Blob;
  readonly faces: SearchedFaces;
}

async function lookAt(
  image: Blob,
  { gallery, wajah }: Place,
  attempt: number,
  signal: AbortSignal,
  before: Unrecognised | undefined,
): Promise<{ sight: Sight; faces: SearchedFaces }> {
  try {
    const pictures = before ? { images: [before.image, image] } : { image, faces: mostFaces };
    const request = { facegallery_id: gallery, allow_no_face: true, ...pictures };
    const options = { signal, timeoutMs, retries: 0 };
    const { return: candidates, ...answer } = await wajah.identifyFace(request, options);
    if (answer.found === 0) return { sight: { kind: 'nobody' }, faces: [] };
    const known = before?.faces.map((face) => ({ ...face, outcome: 'identified' as const, candidates }));
    const { faces = known ?? [], found = faces.length } = known ? {} : answer;
    const people = faces.flatMap(({ outcome, candidates }) =>
      outcome === 'identified' ? candidates.slice(0, 1) : [],
    );
    // Those beyond the limit were not searched for.
    const notRecognised = faces.filter(isNotIdentified).length + found - faces.length;
    return { sight: { kind: 'yes', people, notRecognised }, faces };
  } catch (error) {
    const answer = isWajahError(error) ? error.answer : undefined;
    const { faces = before?.faces ?? [] } = (answer ?? {}) as Partial<IdentifyFaceMiss>;
    return { sight: sightOf(error, faces, attempt), faces };
  }
}

const isNotIdentified = ({ outcome }: SearchedFaces[number]) =>
  outcome === 'not_identified' || outcome === 'unclear';

function sightOf(error: unknown, faces: SearchedFaces, attempt: number): Sight {
  if (!isWajahError(error)) return failure('refused', asApiError(error).detail, attempt);
  if (error.status === '413' || error.status === '414') return { kind: 'closer' };
  if (error.status === '411')
    return { kind: faces.length === 0 || faces.some(isNotIdentified) ? 'no' : 'closer' };
  if (error.http === 401) return failure('ended', '', attempt);
  if (error.status === 'network') return failure('unreachable', '', attempt);
  const why = error.retryable ? 'busy' : 'refused';
  return failure(why, error.detail, attempt, error.retryAfterMs);
}

function failure(why: Failure['why'], detail: string, attempt: number, retryAfterMs?: number): Failure {
  return { kind: 'failed', why, detail, waitMs: waitAfter(why, attempt, retryAfterMs) };
}

/** Frequencies in hertz of the two tones, seconds each. */
const tones = {
  yes: { hertz: [660, 990], seconds: 0.12 },
  no: { hertz: [220, 175], seconds: 0.22 },
} as const;
const volume = 0.2;

/** Plays two tones: rising for yes, low and falling for no. */
function chime(audio: AudioContext, which: keyof typeof tones): void {
  const { hertz, seconds } = tones[which];
  hertz.forEach((frequency, index) => {
    const start = audio.currentTime + index * seconds;
    const tone = new OscillatorNode(audio, { type: which === 'yes' ? 'sine' : 'triangle', frequency });
    const gain = new GainNode(audio, { gain: volume });
    // A sudden end would click.
    gain.gain.setTargetAtTime(0, start + seconds * 0.7, seconds / 8);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + seconds * 1.5);
  });
}
