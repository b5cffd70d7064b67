import type { FaceCrop } from '@wajah/engine';
import { SealError } from './sealing.ts';

/** Version of the layout: version byte · x, y, width, height of the face (float32, little-endian) · JPEG. */
const version = 1;
const headBytes = 17;

/** Encodes a face crop, before it is sealed. */
export function writeCrop({ jpeg, box }: FaceCrop): Uint8Array {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(version);
  for (const [index, value] of [box.x, box.y, box.width, box.height].entries()) {
    head.writeFloatLE(value, 1 + 4 * index);
  }
  return Buffer.concat([head, jpeg]);
}

/** Decodes a face crop. @throws SealError when the bytes have another layout */
export function readCrop(bytes: Uint8Array): FaceCrop {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (head.length <= headBytes || head[0] !== version) {
    throw new SealError('sealed bytes hold no face crop of a known layout');
  }
  const [x, y, width, height] = [1, 5, 9, 13].map((at) => head.readFloatLE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return { jpeg: new Uint8Array(head.subarray(headBytes)), box: { x, y, width, height } };
}
