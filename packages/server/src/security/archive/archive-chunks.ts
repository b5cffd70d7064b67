import { createCipheriv, createDecipheriv } from 'node:crypto';
import { SealError } from '../vaults/sealing.ts';

/** Plain bytes of a chunk. */
const chunkBytes = 64 * 1024;
const tagBytes = 16;
const lengthBytes = 4;

/**
 * A stream in chunks of AES-256-GCM: length (32 bits, big-endian) · ciphertext · tag. The nonce is the number of the
 * chunk: the key is of this archive alone. Associated data are the digest of the first line and whether the chunk is the
 * last, so that chunks cannot be exchanged, left out at the end or taken from another archive (the STREAM construction
 * of Hoang, Reyhanitabar, Rogaway and Vizár, 2015).
 */
export async function* sealChunks(
  key: Uint8Array,
  head: Uint8Array,
  plain: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let index = 0;
  let waiting = Buffer.alloc(0);
  for await (const part of plain) {
    waiting = Buffer.concat([waiting, part]);
    // The last chunk is never known to be the last before the end.
    while (waiting.length > chunkBytes) {
      yield sealChunk(key, head, index++, waiting.subarray(0, chunkBytes), false);
      waiting = waiting.subarray(chunkBytes);
    }
  }
  yield sealChunk(key, head, index, waiting, true);
}

/** @throws SealError when a chunk is damaged, missing or too many, or the key is another one */
export async function* openChunks(
  key: Uint8Array,
  head: Uint8Array,
  sealed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let index = 0;
  let waiting = Buffer.alloc(0);
  let length: number | null = null;
  for await (const part of sealed) {
    waiting = Buffer.concat([waiting, part]);
    for (;;) {
      if (length === null && waiting.length >= lengthBytes) {
        length = waiting.readUInt32BE(0);
        if (length > chunkBytes) throw new SealError('the archive is damaged: a chunk is too long');
      }
      // One byte more must follow: what is at the end is opened as the last chunk.
      if (length === null || waiting.length <= lengthBytes + length + tagBytes) break;
      yield openChunk(
        key,
        head,
        index++,
        waiting.subarray(lengthBytes, lengthBytes + length + tagBytes),
        false,
      );
      waiting = waiting.subarray(lengthBytes + length + tagBytes);
      length = null;
    }
  }
  if (length === null || waiting.length !== lengthBytes + length + tagBytes) {
    throw new SealError('the archive is incomplete: it ends within a chunk');
  }
  yield openChunk(key, head, index, waiting.subarray(lengthBytes), true);
}

function nonceOf(index: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(index), 4);
  return nonce;
}

const associated = (head: Uint8Array, isLast: boolean) =>
  Buffer.concat([head, Uint8Array.of(isLast ? 1 : 0)]);

function sealChunk(
  key: Uint8Array,
  head: Uint8Array,
  index: number,
  plain: Uint8Array,
  isLast: boolean,
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index), { authTagLength: tagBytes });
  cipher.setAAD(associated(head, isLast));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(plain.length);
  return Buffer.concat([length, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function openChunk(
  key: Uint8Array,
  head: Uint8Array,
  index: number,
  sealed: Uint8Array,
  isLast: boolean,
): Buffer {
  const end = sealed.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index), { authTagLength: tagBytes });
  decipher.setAAD(associated(head, isLast));
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
  } catch {
    throw new SealError(
      index === 0
        ? 'the archive does not open: it is damaged, or passphrase or key are others'
        : `the archive is damaged or incomplete at chunk ${index}`,
    );
  }
}
