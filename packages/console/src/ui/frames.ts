import { jpegOf } from '../draw/picture.ts';

/** Milliseconds between looks at a video that shows nothing yet, or at a page that is hidden. */
const idleMs = 600;

/**
 * Looks at the frames of a video, one after another, until aborted.
 * @param side longest side of a frame, pixels
 * @param look gets a function that encodes the frame of this moment. Resolves to when the next look begins, milliseconds
 * after the start of this one (`every`) or after its end (`after`); undefined: there is no next one
 */
export async function watchFrames(
  video: HTMLVideoElement,
  side: number,
  signal: AbortSignal,
  look: (frame: () => Promise<Blob>) => Promise<{ every: number } | { after: number } | undefined>,
): Promise<void> {
  const frame = () => jpegOf(video, video.videoWidth, video.videoHeight, side);
  while (!signal.aborted) {
    const started = performance.now();
    const isShown = !document.hidden && video.videoWidth > 0;
    const next = isShown ? await look(frame) : { after: idleMs };
    if (next === undefined || signal.aborted) return;
    const pause = 'after' in next ? next.after : next.every - (performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
