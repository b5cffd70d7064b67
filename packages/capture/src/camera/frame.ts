/** A moment of the video. */
export interface Shot {
  /** ISO 8601; never goes back, although the clock of the device may be set in between. */
  readonly capturedAt: string;
  /** Base64 of a JPEG of at most 1280 pixels, for the verdict. */
  full(): Promise<string>;
  /** The same moment at no more than 640 pixels, to look whether the step is done. */
  small(): Promise<string>;
}
