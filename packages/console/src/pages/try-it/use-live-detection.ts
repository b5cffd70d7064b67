import { useEffect, useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import type { Detection } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { jpegOf } from '../../draw/picture.ts';

/** Longest side of a sent picture, pixels. A face at arm's length is still large enough for every measurement. */
const side = 640;
/** Minimum milliseconds between the starts of two calls. */
const interval = 250;

export interface Live {
  readonly detection?: Detection;
  /** The error of the last picture; a picture without a face is no error. */
  readonly error?: ApiError;
  /** Pictures a second. */
  readonly rate?: number;
}

/** Detects faces in the frames of a video while `running`. */
export function useLiveDetection(
  video: { readonly current: HTMLVideoElement | null },
  running: boolean,
): Live {
  const [live, setLive] = useState<Live>({});
  useEffect(() => {
    if (!running) return setLive({});
    const controller = new AbortController();
    void detectFrames(video, controller.signal, setLive);
    return () => controller.abort();
  }, [running]);
  return live;
}

async function detectFrames(
  video: { readonly current: HTMLVideoElement | null },
  signal: AbortSignal,
  onResult: (live: Live) => void,
): Promise<void> {
  while (!signal.aborted && video.current) {
    const started = performance.now();
    const result = await detect(video.current, signal);
    if (signal.aborted) return;
    if (result.error) return onResult(result);
    await new Promise((resolve) => setTimeout(resolve, interval - (performance.now() - started)));
    onResult({ ...result, rate: 1_000 / (performance.now() - started) });
  }
}

async function detect(video: HTMLVideoElement, signal: AbortSignal): Promise<Live> {
  const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight));
  try {
    const image = await jpegOf(video, video.videoWidth * scale, video.videoHeight * scale);
    const request = { image, landmarks: 'mesh', search: 'fast', max_faces: 5 } as const;
    return { detection: await wajah.detectFaces(request, { signal }) };
  } catch (caught) {
    const error = asApiError(caught);
    return error.status === '412' ? {} : { error };
  }
}
