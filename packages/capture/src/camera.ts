import { abortable, sleep } from './abort.ts';
import { type ErrorCode, LivenessError } from './errors.ts';
import type { Grabber, PictureLight, Region } from './frame.ts';

/** Opens the front camera, or the one of an id while it is there. @throws LivenessError */
async function openCamera(id: string | undefined): Promise<MediaStream> {
  const { mediaDevices } = navigator;
  if (!globalThis.isSecureContext) throw new LivenessError('insecure');
  if (!mediaDevices?.getUserMedia) throw new LivenessError('browser');
  const which = id === undefined ? { facingMode: 'user' } : { deviceId: { exact: id } };
  const video = { ...which, width: { ideal: 1280 }, height: { ideal: 960 } };
  try {
    return await mediaDevices.getUserMedia({ video, audio: false });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'camera-none' && id !== undefined) return openCamera(undefined);
    const cameras = code === 'camera-busy' ? await camerasBeside(id) : [];
    throw new LivenessError(code, error instanceof Error ? error.message : String(error), { cameras });
  }
}

/** The cameras that the person can choose from, the used one first; those that face away are none. */
export async function camerasBeside(used: string | undefined): Promise<readonly MediaDeviceInfo[]> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  const facesAway = (device: Partial<InputDeviceInfo>) =>
    device.getCapabilities?.().facingMode?.includes('environment');
  const cameras = devices.filter((one) => one.kind === 'videoinput' && one.deviceId && !facesAway(one));
  return cameras.sort((one, other) => Number(other.deviceId === used) - Number(one.deviceId === used));
}

/** Views in which apps open links: many have no camera, or refuse it. Those of Android and iOS name no browser. */
const inApp = /; wv\)|\bFB(?:A[NV]|_IAB)\b|Instagram|\bLine\/|MicroMessenger|(?:iPhone|iPad)(?!.*Safari\/)/;

function codeOf(error: unknown): ErrorCode {
  const { featurePolicy: policy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } };
  // Whatever the error: without a camera some browsers report that first.
  if (policy?.allowsFeature('camera') === false) return 'camera-withheld';
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      if (inApp.test(navigator.userAgent)) return 'browser';
      // Where a browser does not tell, the page around a frame may be who withholds it.
      return !policy && window !== window.top ? 'camera-withheld' : 'camera-denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'camera-none';
    default:
      return 'camera-busy';
  }
}

/** Stops the camera and its indicator light. */
export function closeCamera(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** Opens the camera, and closes one that is granted after the abort. @throws LivenessError, the reason of the signal */
export async function openUnlessAborted(id: string | undefined, signal: AbortSignal): Promise<MediaStream> {
  const opening = openCamera(id);
  try {
    return await abortable(opening, signal);
  } catch (error) {
    opening.then(closeCamera, () => undefined);
    throw error;
  }
}

/** Plays the camera, and waits for its first frame. @throws LivenessError `camera-busy` when none comes */
export async function play(camera: MediaStream, video: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  video.srcObject = camera;
  await abortable(video.play(), signal);
  // Some cameras report that they play before they deliver a frame.
  for (let tries = 0; video.videoWidth === 0 && tries < 50; tries++) await sleep(100, signal);
  if (video.videoWidth === 0) throw new LivenessError('camera-busy');
}

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
      sketch: () => sketchOf(pixelsOf(canvas, canvas, WHOLE)),
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

/** Pixels of a region that is measured. */
const SIDE = 48;
const WHOLE: Region = { x: 0, y: 0, width: 1, height: 1 };
/** Eyes within a face box from brow to chin. */
const EYES: Region = { x: 0.08, y: 0.08, width: 0.84, height: 0.3 };
/** From this value of its darkest channel on, 0 to 255, a pixel is overexposed. */
const OVEREXPOSED = 245;

/** Measures the light of a face in a picture of `width` × `height` pixels. */
function measureLight(
  source: CanvasImageSource,
  size: { readonly width: number; readonly height: number },
  face: Region | undefined,
): PictureLight {
  const pixels = pixelsOf(source, size, face ?? WHOLE);
  return {
    brightness: mean(pixels, (at) => luminance(pixels, at) / 255),
    glare: face ? glareOf(pixelsOf(source, size, within(face, EYES))) : 0,
  };
}

function sketchOf(pixels: Uint8ClampedArray): Uint8Array {
  return Uint8Array.from({ length: pixels.length / 4 }, (_, at) => luminance(pixels, 4 * at));
}

function glareOf(pixels: Uint8ClampedArray): number {
  const darkest = (at: number) => Math.min(pixels[at]!, pixels[at + 1]!, pixels[at + 2]!);
  return mean(pixels, (at) => (darkest(at) >= OVEREXPOSED ? 1 : 0));
}

/** ITU-R BT.601, 0 to 255. */
function luminance(pixels: Uint8ClampedArray, at: number): number {
  return 0.299 * pixels[at]! + 0.587 * pixels[at + 1]! + 0.114 * pixels[at + 2]!;
}

/** @param of the value of the pixel that begins at an index */
function mean(pixels: Uint8ClampedArray, of: (at: number) => number): number {
  let sum = 0;
  for (let at = 0; at < pixels.length; at += 4) sum += of(at);
  return (4 * sum) / pixels.length;
}

function within(outer: Region, inner: Region): Region {
  return {
    x: outer.x + inner.x * outer.width,
    y: outer.y + inner.y * outer.height,
    width: inner.width * outer.width,
    height: inner.height * outer.height,
  };
}

/** RGBA of a region, scaled down, without what lies beyond the picture. */
function pixelsOf(
  source: CanvasImageSource,
  { width, height }: { readonly width: number; readonly height: number },
  region: Region,
): Uint8ClampedArray {
  const [left, top] = [Math.max(0, region.x), Math.max(0, region.y)];
  const [right, bottom] = [Math.min(1, region.x + region.width), Math.min(1, region.y + region.height)];
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('the browser has no canvas context');
  const part = [left * width, top * height, (right - left) * width, (bottom - top) * height] as const;
  context.drawImage(source, ...part, 0, 0, SIDE, SIDE);
  return context.getImageData(0, 0, SIDE, SIDE).data;
}
