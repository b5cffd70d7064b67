import { abortable, sleep } from '../abort.ts';
import type { Grabber } from './frame.ts';
import { measureLight } from './measure-light.ts';

/** Longest side in pixels, and JPEG quality. */
const FULL = { side: 1280, quality: 0.9 } as const;
const SMALL = { side: 640, quality: 0.85 } as const;
/** Milliseconds to wait for the next frame. A camera in the dark delivers about 7 frames a second. */
const FRAME_TIMEOUT = 700;

/** Takes frames of a video, not mirrored. */
export function createGrabber(video: HTMLVideoElement): Grabber {
  const canvas = document.createElement('canvas');
  const start = Date.now() - performance.now();
  return async (signal) => {
    await nextFrame(video, signal);
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
      light: (face) => measureLight(canvas, canvas, face),
    };
  };
}

/** Waits for a new frame: the server refuses the same frame in two steps. */
function nextFrame(video: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  if (!('requestVideoFrameCallback' in video)) return sleep(60, signal);
  let callback = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const shown = new Promise<void>((resolve) => {
    callback = video.requestVideoFrameCallback(() => resolve());
    timer = setTimeout(resolve, FRAME_TIMEOUT);
  });
  return abortable(shown, signal).finally(() => {
    clearTimeout(timer);
    // A camera that is off never calls back.
    video.cancelVideoFrameCallback(callback);
  });
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
  if (!context) throw new Error('the browser has no canvas context');
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
}

async function toBase64(canvas: HTMLCanvasElement, quality: number): Promise<string> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  if (!blob) throw new Error('the frame could not be encoded');
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
