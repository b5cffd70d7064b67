import { createInflate } from 'node:zlib';
import { damaged } from './image-faults.ts';
import { chunkType, mostPixelBytes, type PngChunk, pngChunks, pngLayout, SIGNATURE } from './png-layout.ts';

/** A PNG without the chunks that decoding does not need. */
export interface PlainPng {
  readonly bytes: Uint8Array;
  /** Whether it has an ICC profile. */
  readonly profile: boolean;
}

const [IDAT, ICCP] = [chunkType('IDAT'), chunkType('iCCP')];
/** Critical chunks, and what changes colours or orientation. */
const NEEDED = new Set([...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'eXIf'].map(chunkType), ICCP]);

/**
 * Compressed pixels beyond this number of bytes are inflated before decoding, without being kept. Deflate makes up to
 * 1,032 bytes of one: fewer can hide 0.4 s of inflating. That of ordinary pixels takes 3 ms a megabyte.
 */
const INSPECTED = 4 << 20;

/**
 * Leaves out text and other chunks, which the decoder would inflate to a thousand times their size, and checks that the
 * pixel data has no more than the pixels, as the decoder inflates all of it.
 * @throws EngineError `imageBroken`
 */
export async function plainPng(bytes: Uint8Array): Promise<PlainPng> {
  const layout = pngLayout(bytes);
  if (layout.pixelData > INSPECTED) await requireNoSurplus(bytes, layout.pixelData, mostPixelBytes(layout));
  const kept = [{ from: 0, to: SIGNATURE }];
  let profile = false;
  for (const { type, from, to } of pngChunks(bytes)) {
    if (!NEEDED.has(type)) continue;
    if (type === ICCP) profile = true;
    const last = kept.at(-1)!;
    if (last.to === from) last.to = to;
    else kept.push({ from, to });
  }
  const parts = kept.map(({ from, to }) => bytes.subarray(from, to));
  return { bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts), profile };
}

async function requireNoSurplus(bytes: Uint8Array, length: number, most: number): Promise<void> {
  const data = Buffer.allocUnsafe(length);
  let at = 0;
  for (const { start, end } of chunksOfPixels(bytes)) {
    data.set(bytes.subarray(start, end), at);
    at += end - start;
  }
  const inflate = createInflate({ chunkSize: 1 << 20 });
  inflate.end(data);
  let inflated = 0;
  try {
    for await (const piece of inflate) {
      inflated += (piece as Buffer).length;
      if (inflated > most) break;
    }
  } catch {
    // Damaged data is the decoder's to report.
  }
  if (inflated > most) throw damaged('png');
}

function* chunksOfPixels(bytes: Uint8Array): Generator<PngChunk> {
  for (const chunk of pngChunks(bytes)) if (chunk.type === IDAT) yield chunk;
}
