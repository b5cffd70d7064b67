import { type IdentifyFaceMiss, isWajahError } from '@wajah/client';
import { asApiError } from '../../api/api-error.ts';
import { wajah } from '../../api/wajah.ts';
import { jpegOf } from '../../draw/picture.ts';
import { type Failure, type Sight, waitAfter } from './sight.ts';

/** Longest side of a sent picture, pixels: a face at two steps is still large enough. */
const side = 960;
/** Minimum milliseconds between the starts of two calls. */
const intervalMs = 600;
/** Milliseconds of a call; a person does not wait longer at a door. */
const timeoutMs = 20_000;
/** People before the camera at a time. */
const faces = 5;

/**
 * Looks at the frames of a video until aborted, one call at a time.
 * @param onSight gets what each look showed
 */
export async function watch(
  video: HTMLVideoElement,
  gallery: string,
  signal: AbortSignal,
  onSight: (sight: Sight) => void,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const started = performance.now();
    if (document.hidden || video.videoWidth === 0) {
      await pause(intervalMs);
      continue;
    }
    const sight = await lookAt(video, gallery, failures + 1, signal);
    if (signal.aborted) return;
    onSight(sight);
    failures = sight.kind === 'failed' ? failures + 1 : 0;
    await pause(sight.kind === 'failed' ? sight.waitMs : intervalMs - (performance.now() - started));
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function lookAt(
  video: HTMLVideoElement,
  gallery: string,
  attempt: number,
  signal: AbortSignal,
): Promise<Sight> {
  const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight));
  try {
    const image = await jpegOf(video, video.videoWidth * scale, video.videoHeight * scale);
    const request = { facegallery_id: gallery, image, faces };
    const { return: people } = await wajah.identifyFace(request, { signal, timeoutMs, retries: 0 });
    return { kind: 'yes', people };
  } catch (error) {
    return sightOf(error, attempt);
  }
}

function sightOf(error: unknown, attempt: number): Sight {
  if (!isWajahError(error)) return failure('refused', asApiError(error).detail, attempt);
  if (error.status === '412') return { kind: 'nobody' };
  if (error.status === '413') return { kind: 'closer' };
  if (error.status === '411') {
    const { faces = [] } = error.answer as IdentifyFaceMiss;
    const searched = faces.some(({ outcome }) => outcome !== 'too_small');
    return { kind: searched || faces.length === 0 ? 'no' : 'closer' };
  }
  if (error.status === 'network') return failure('unreachable', '', attempt);
  const why = error.retryable ? 'busy' : 'refused';
  return failure(why, error.detail, attempt, error.retryAfterMs);
}

function failure(why: Failure['why'], detail: string, attempt: number, retryAfterMs?: number): Failure {
  return { kind: 'failed', why, detail, waitMs: waitAfter(attempt, retryAfterMs) };
}
