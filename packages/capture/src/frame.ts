/** A part of a picture, as shares of its width and height, 0 to 1. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The light of a face. */
export interface PictureLight {
  /** Mean luminance, 0 to 1. */
  readonly brightness: number;
  /** Share of the eye region that is overexposed, 0 to 1; 0 without a face. */
  readonly glare: number;
}

/** One frame of the video, valid until the next one is taken. */
export interface CapturedFrame {
  /** ISO 8601. Monotonic, also when the clock of the device is set. */
  readonly capturedAt: string;
  /** Base64 of a JPEG of at most 1280 pixels, for the submission. */
  full(): Promise<string>;
  /** Base64 of a JPEG of at most 640 pixels, for `detect-faces`. */
  small(): Promise<string>;
  /** Luminance of the whole picture, scaled down, 0 to 255: shows whether somebody came into view. */
  sketch(): Uint8Array;
  /** @param face box from brow to chin; undefined: the whole picture is measured */
  light(face: Region | undefined): PictureLight;
}

export type Grabber = (signal: AbortSignal) => Promise<CapturedFrame>;
