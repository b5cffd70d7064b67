import type { Enrolee, IdReading, LeftOut } from '@wajah/client';

/** People to import, as a folder, file or other server lists them. */
export interface ImportSource extends IdReading {
  readonly people: readonly Enrolee[];
  /** Files and folders that hold no picture. */
  readonly left_out: readonly LeftOut[];
  /** How the source is read, where that is to be said. */
  readonly note?: string | undefined;
  /** After the last picture was read. */
  close?(): Promise<void>;
}

/** How pictures are read. */
export interface PictureLimits {
  /** Bytes of a picture at most; larger ones are refused without being read. */
  readonly maxBytes: number;
}
