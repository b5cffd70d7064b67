import { EngineError } from '../errors.ts';
import { damaged, truncated } from './formats.ts';

/** An AVIF of the picture alone. */
export interface PlainAvif {
  readonly bytes: Uint8Array;
  /** Pixels as stored: before it is turned or mirrored. */
  readonly width: number;
  readonly height: number;
  /** Pixels of all frames that are decoded. */
  readonly decoded: number;
  /** Bytes of the colour profile. */
  readonly metadata: number;
}

/** A box (ISO/IEC 14496-12, 4.2) by its four letters; the data of a full box begins with version and flags. */
interface Box {
  readonly type: string;
  readonly data: Buffer;
  /** All of it. */
  readonly whole: Buffer;
}

/** Boxes that a picture has: more are no picture of a camera or browser. */
const MOST_BOXES = 1000;

/** @throws EngineError `imageBroken` */
function boxesIn(data: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < data.length; ) {
    if (at + 8 > data.length || boxes.length === MOST_BOXES) throw damaged('avif');
    const [said, type] = [data.readUInt32BE(at), data.toString('latin1', at + 4, at + 8)];
    const head = said === 1 ? 16 : 8;
    // 0: up to the end; 1: the length follows in 64 bits.
    const length = said === 1 && at + 16 <= data.length ? Number(data.readBigUInt64BE(at + 8)) : said;
    const end = length === 0 ? data.length : at + length;
    if (end > data.length) throw truncated('avif');
    if (end < at + head) throw damaged('avif');
    boxes.push({ type, data: data.subarray(at + head, end), whole: data.subarray(at, end) });
    at = end;
  }
  return boxes;
}

function boxIn(boxes: readonly Box[], type: string): Buffer {
  const found = boxes.find((box) => box.type === type);
  if (!found) throw damaged('avif');
  return found.data;
}

/** Reads numbers of an item's tables one after the other. */
function reader(data: Buffer, from: number) {
  let at = from;
  return (bytes: number): number => {
    if (at + bytes > data.length) throw damaged('avif');
    at += bytes;
    if (bytes === 0) return 0;
    return bytes === 8 ? Number(data.readBigUInt64BE(at - 8)) : data.readUIntBE(at - bytes, bytes);
  };
}

const MOST_PROPERTIES = 16;
/** Properties of a picture that are kept: its coding, size, colours, and how it is turned. */
const KEPT = ['av1C', 'ispe', 'pixi', 'colr', 'irot', 'imir'];

/** A coded picture of a file. */
interface Item {
  readonly properties: readonly Box[];
  /** A temporal unit of AV1. */
  readonly coded: Buffer;
}

/**
 * Writes an AVIF (AV1 Image File Format) anew from its picture. So the decoder sees nothing that was not looked at: neither
 * transparency, metadata, thumbnails nor tracks.
 * @throws EngineError `imageBroken` when it is damaged, truncated, or composed of several pictures
 */
export function plainAvif(bytes: Uint8Array): PlainAvif {
  try {
    return plain(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    // A number that is read beyond the end.
    throw error instanceof RangeError ? damaged('avif') : error;
  }
}

function plain(file: Buffer): PlainAvif {
  const meta = boxesIn(boxIn(boxesIn(file), 'meta').subarray(4));
  const pitm = boxIn(meta, 'pitm');
  const picture = itemOf(file, meta, reader(pitm, 4)(pitm[0] === 0 ? 2 : 4));
  const profiles = picture.properties.filter(({ type }) => type === 'colr');
  const metadata = profiles.reduce((sum, { data }) => sum + data.length, 0);
  return { bytes: written(picture), ...sizeOf(picture), decoded: decodedPixels(picture.coded), metadata };
}

/** A picture of the file. @throws EngineError `imageBroken`, also when it is composed of others */
function itemOf(file: Buffer, meta: readonly Box[], id: number): Item {
  const type = typeOf(boxIn(meta, 'iinf'), id);
  if (type !== 'av01') {
    throw new EngineError(
      'imageBroken',
      'The AVIF is composed of several pictures, or coded otherwise than with AV1; save it again as an ordinary JPEG.',
    );
  }
  return { properties: propertiesOf(boxesIn(boxIn(meta, 'iprp')), id), coded: codedOf(file, meta, id) };
}

function typeOf(iinf: Buffer, id: number): string | undefined {
  const entries = boxesIn(iinf.subarray(iinf[0] === 0 ? 6 : 8));
  const entry = entries.find(({ data }) => data.length > 4 && reader(data, 4)(data[0] === 2 ? 2 : 4) === id);
  const at = entry?.data[0] === 2 ? 8 : 10;
  return entry?.data.toString('latin1', at, at + 4);
}

function propertiesOf(iprp: readonly Box[], id: number): Box[] {
  const [all, ipma] = [boxesIn(boxIn(iprp, 'ipco')), boxIn(iprp, 'ipma')];
  const read = reader(ipma, 4);
  const found: Box[] = [];
  for (let entries = read(4); entries > 0; entries--) {
    const isItem = read(ipma[0] === 0 ? 2 : 4) === id;
    for (let count = read(1); count > 0; count--) {
      const index = (ipma[3]! & 1) === 1 ? read(2) & 0x7fff : read(1) & 0x7f;
      const property = all[index - 1];
      if (!isItem || !property || !KEPT.includes(property.type)) continue;
      if (found.length === MOST_PROPERTIES) throw damaged('avif');
      found.push(property);
    }
  }
  return found;
}

/** The bytes of an item (8.11.3), which lie in the file or in the box `idat`. */
function codedOf(file: Buffer, meta: readonly Box[], id: number): Buffer {
  const iloc = boxIn(meta, 'iloc');
  const [version, sizes] = [iloc[0]!, iloc.readUInt16BE(4)];
  const [offset, length, base, index] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15, sizes & 15];
  // Extents without a length would be any number in no bytes.
  if (length < 4) throw damaged('avif');
  const read = reader(iloc, 6);
  for (let items = read(version < 2 ? 2 : 4); items > 0; items--) {
    const isItem = read(version < 2 ? 2 : 4) === id;
    const method = version > 0 ? read(2) & 15 : 0;
    read(2);
    const start = read(base);
    const from = isItem && method === 1 ? boxIn(meta, 'idat') : file;
    const parts: Buffer[] = [];
    let total = 0;
    for (let extents = read(2); extents > 0; extents--) {
      if (version > 0) read(index);
      const at = start + read(offset);
      const end = at + read(length);
      if (!isItem) continue;
      total += end - at;
      if (end > from.length) throw truncated('avif');
      if (method > 1 || total > from.length) throw damaged('avif');
      parts.push(from.subarray(at, end));
    }
    if (isItem) return Buffer.concat(parts);
  }
  throw damaged('avif');
}

function sizeOf({ properties }: Item) {
  const read = reader(boxIn(properties, 'ispe'), 4);
  const [width, height] = [read(4), read(4)];
  if (width === 0 || height === 0) throw damaged('avif');
  return { width, height };
}

/** Types of open bitstream units (AV1, 6.2.2). */
const [SEQUENCE, FRAME_HEADER, FRAME] = [1, 3, 6];

/** Largest size of a frame by the sequence headers, times the number of frames. @throws EngineError `imageBroken` */
function decodedPixels(coded: Buffer): number {
  let [largest, frames] = [0, 0];
  for (let at = 0; at < coded.length; ) {
    const head = coded[at]!;
    const type = (head >> 3) & 15;
    let start = at + ((head & 4) !== 0 ? 2 : 1);
    let length = coded.length - start;
    if ((head & 2) !== 0) {
      length = 0;
      for (let i = 0; ; i++, start++) {
        const byte = coded[start];
        if (byte === undefined || i === 5) throw damaged('avif');
        length += (byte & 127) * 128 ** i;
        if (byte < 128) break;
      }
      start += 1;
    }
    if (length < 0 || start + length > coded.length) throw truncated('avif');
    if (type === SEQUENCE) largest = Math.max(largest, framePixels(coded.subarray(start, start + length)));
    if (type === FRAME || type === FRAME_HEADER) frames += 1;
    at = start + length;
  }
  if (largest === 0 || frames === 0) throw damaged('avif');
  return largest * frames;
}

/** Pixels of the largest frame by a sequence header (AV1, 5.5.1). @throws EngineError `imageBroken` */
function framePixels(header: Buffer): number {
  let at = 0;
  const bits = (count: number) => {
    let value = 0;
    for (const end = at + count; at < end; at++)
      value = value * 2 + (((header[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  bits(4);
  const isReduced = bits(1) === 1;
  if (isReduced) bits(5);
  else {
    // Times are of films.
    if (bits(1) === 1) throw damaged('avif');
    const hasDelays = bits(1) === 1;
    for (let points = bits(5) + 1; points > 0; points--) {
      bits(12);
      if (bits(5) > 7) bits(1);
      if (hasDelays && bits(1) === 1) bits(4);
    }
  }
  const [width, height] = [bits(4) + 1, bits(4) + 1];
  return (bits(width) + 1) * (bits(height) + 1);
}

const NUMBER = { 2: 'writeUInt16BE', 4: 'writeUInt32BE' } as const;

function number(value: number, bytes: 2 | 4): Buffer {
  const written = Buffer.alloc(bytes);
  written[NUMBER[bytes]](value);
  return written;
}

function box(type: string, ...parts: readonly (Uint8Array | string)[]): Buffer {
  const data = Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));
  return Buffer.concat([number(8 + data.length, 4), Buffer.from(type, 'latin1'), data]);
}

/** Version and flags of a full box. */
const FULL = '\0\0\0\0';

function written({ properties, coded }: Item): Buffer {
  const ftyp = box('ftyp', 'avif', FULL, 'avifmif1miaf');
  const before = ftyp.length + metaOf(properties, 0, 0).length + 8;
  return Buffer.concat([ftyp, metaOf(properties, before, coded.length), box('mdat', coded)]);
}

/** @param at place of the coded bytes in the file */
function metaOf(properties: readonly Box[], at: number, length: number): Buffer {
  // What a reader must know has the first bit set.
  const essential = properties.map(
    ({ type }, i) => (['ispe', 'pixi', 'colr'].includes(type) ? 0 : 128) + i + 1,
  );
  const one = number(1, 2);
  return box(
    'meta',
    FULL,
    box('hdlr', FULL, FULL, 'pict', '\0'.repeat(13)),
    box('pitm', FULL, one),
    box('iloc', FULL, '\x44\0', one, one, '\0\0', one, number(at, 4), number(length, 4)),
    box('iinf', FULL, one, box('infe', '\x02\0\0\0', one, '\0\0av01\0')),
    box(
      'iprp',
      box('ipco', ...properties.map(({ whole }) => whole)),
      box('ipma', FULL, number(1, 4), one, Buffer.from([properties.length, ...essential])),
    ),
  );
}
