import { useEffect, useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import type { Detection } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { jpegOf } from '../../draw/picture.ts';

/** Longest side of a picture that is sent, pixels; a face an arm's length away stays large enough for every figure. */
const side = 640;
/** Milliseconds between the starts of two calls, at least. */
const pause = 250;

export interface Live {
  readonly detection?: Detection;
  /** Why the last picture was refused; one without a face is no fault. */
  readonly error?: ApiError;
  /** Pictures a second. */
  readonly rate?: number;
}

/** Sends what a video shows, one picture after another, while `running`. */
export function useLiveDetection(
  video: { readonly current: HTMLVideoElement | null },
  running: boolean,
): Live {
  const [live, setLive] = useState<Live>({});
  useEffect(() => {
    if (!running) return setLive({});
    const own = new AbortController();
    void watch(video, own.signal, setLive);
    return () => own.abort();
  }, [running]);
  return live;
}

async function watch(
  video: { readonly current: HTMLVideoElement | null },
  signal: AbortSignal,
  tell: (live: Live) => void,
): Promise<void> {
  while (!signal.aborted && video.current) {
    const started = performance.now();
    const seen = await look(video.current, signal);
    if (signal.aborted) return;
    if (seen.error) return tell(seen);
    await new Promise((resolve) => setTimeout(resolve, pause - (performance.now() - started)));
    tell({ ...seen, rate: 1_000 / (performance.now() - started) });
  }
}

async function look(video: HTMLVideoElement, signal: AbortSignal): Promise<Live> {
  const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight));
  try {
    const image = await jpegOf(video, video.videoWidth * scale, video.videoHeight * scale);
    const wanted = { image, landmarks: 'mesh', search: 'fast', max_faces: 5 } as const;
    return { detection: await wajah.detectFaces(wanted, { signal }) };
  } catch (caught) {
    const error = asApiError(caught);
    return error.status === '412' ? {} : { error };
  }
}
