import { damaged, truncated } from './image-faults.ts';

/** A chunk of a PNG (ISO/IEC 15948, 5.3) as positions in the file. */
export interface PngChunk {
  /** The four letters as a number, see `chunkType`. */
  readonly type: number;
  /** Where length, type, data and checksum begin and end. */
  readonly from: number;
  readonly to: number;
  /** Where the data begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** Bytes of the signature; of length and type; of the checksum. */
export const SIGNATURE = 8;
const [LENGTH_AND_TYPE, CHECKSUM] = [8, 4];

/** @example chunkType('IHDR') // 0x49484452 */
export function chunkType(letters: string): number {
  return Buffer.from(letters, 'latin1').readUInt32BE();
}

/** Chunks up to and with IEND. There may be hundreds of thousands. @throws EngineError `imageBroken` when one is cut off */
export function* pngChunks(bytes: Uint8Array): Generator<PngChunk> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let from = SIGNATURE; ; ) {
    const start = from + LENGTH_AND_TYPE;
    if (start > bytes.length) throw truncated('png');
    const end = start + view.getUint32(from);
    const to = end + CHECKSUM;
    if (to > bytes.length) throw truncated('png');
    const type = view.getUint32(from + 4);
    if (type === IEND && end > start) throw damaged('png');
    yield { type, from, to, start, end };
    if (type === IEND) return;
    from = to;
  }
}

const IEND = chunkType('IEND');
