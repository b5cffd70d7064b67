/** One frame of the video, valid until the next one is taken. */
export interface CapturedFrame {
  /** ISO 8601. Monotonic, also when the clock of the device is set. */
  readonly capturedAt: string;
  /** Base64 of a JPEG of at most 1280 pixels, for the submission. */
  full(): Promise<string>;
  /** Base64 of a JPEG of at most 640 pixels, for `detect-faces`. */
  small(): Promise<string>;
}

export type Grabber = (signal: AbortSignal) => Promise<CapturedFrame>;
