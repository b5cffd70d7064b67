import { unlessAborted, wait } from '../transport/waiting.ts';
import type { Shot } from './frame.ts';

/** Longest sides in pixels, and the quality of the JPEG. */
const FULL = { side: 1280, quality: 0.9 } as const;
const SMALL = { side: 640, quality: 0.85 } as const;
/** A camera in the dark gives some 7 pictures a second, so a new one must come within this, milliseconds. */
const PATIENCE = 700;

/**
 * Takes pictures of a video as the camera sees it: the preview is mirrored, these are not. A shot is good until the
 * next one is taken.
 */
export function createGrabber(video: HTMLVideoElement): (signal: AbortSignal) => Promise<Shot> {
  const canvas = document.createElement('canvas');
  const start = Date.now() - performance.now();
  return async (signal) => {
    await newPicture(video, signal);
    const { videoWidth: width, videoHeight: height } = video;
    draw(canvas, video, { width, height }, FULL.side);
    return {
      capturedAt: new Date(start + performance.now()).toISOString(),
      full: () => toBase64(canvas, FULL.quality),
      small: () => {
        const copy = document.createElement('canvas');
        draw(copy, canvas, canvas, SMALL.side);
        return toBase64(copy, SMALL.quality);
      },
    };
  };
}

/** Two shots of one picture would count as one frame that was sent twice. */
function newPicture(video: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  if (!('requestVideoFrameCallback' in video)) return wait(60, signal);
  const shown = new Promise<void>((resolve) => {
    video.requestVideoFrameCallback(() => resolve());
    setTimeout(resolve, PATIENCE);
  });
  return unlessAborted(shown, signal);
}

function draw(
  canvas: HTMLCanvasElement,
  source: CanvasImageSource,
  { width, height }: { width: number; height: number },
  side: number,
): void {
  const scale = Math.min(1, side / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser cannot draw on a canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
}

async function toBase64(canvas: HTMLCanvasElement, quality: number): Promise<string> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  if (!blob) throw new Error('the camera gave no picture');
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
