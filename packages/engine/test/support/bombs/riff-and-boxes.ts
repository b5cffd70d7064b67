const letters = (text: string) => Buffer.from(text, 'latin1');

function number(value: number, bytes: number): Buffer {
  const written = Buffer.alloc(bytes);
  written.writeUIntBE(value, 0, bytes);
  return written;
}

/** A lossless WebP (RFC 9649, 3.4) that ends behind its header. */
export function webpHeader(width: number, height: number): Buffer {
  const data = Buffer.alloc(6);
  data[0] = 0x2f;
  data.writeUInt32LE(width - 1 + (height - 1) * 2 ** 14, 1);
  const sizes = [20 + data.length - 8, data.length].map((size) => number(size, 4).reverse());
  return Buffer.concat([letters('RIFF'), sizes[0]!, letters('WEBPVP8L'), sizes[1]!, data]);
}

function box(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const data = Buffer.concat(parts.map((part) => (typeof part === 'string' ? letters(part) : part)));
  return Buffer.concat([number(8 + data.length, 4), letters(type), data]);
}

/** An AVIF that says 8 × 8 of itself. @param copies how often its picture consists of these bytes */
export function avifOf(coded: Buffer, copies = 1): Buffer {
  const full = '\0\0\0\0';
  const one = number(1, 2);
  const metaAt = (place: number) => {
    const extents = Array(copies).fill(Buffer.concat([number(place, 4), number(coded.length, 4)]));
    return box(
      'meta',
      full,
      box('pitm', full, one),
      box('iloc', full, '\x44\0', one, one, '\0\0', number(copies, 2), ...extents),
      box('iinf', full, one, box('infe', '\x02\0\0\0', one, '\0\0av01\0')),
      box(
        'iprp',
        box('ipco', box('ispe', full, number(8, 4), number(8, 4))),
        box('ipma', full, number(1, 4), one, '\x01\x01'),
      ),
    );
  };
  const ftyp = box('ftyp', 'avif', full, 'mif1');
  return Buffer.concat([ftyp, metaAt(ftyp.length + metaAt(0).length + 8), box('mdat', coded)]);
}

/** A sequence header of AV1 (5.5.1) whose frames have sides of 2 to this power, and frames of one byte each. */
export function av1Of(power: number, frames: number): Buffer {
  const bits = (value: number, count: number) => value.toString(2).padStart(count, '0');
  const sides = [bits(power - 1, 4), bits(power - 1, 4), '1'.repeat(2 * power)];
  const header = ['000', '1', '1', bits(0, 5), ...sides].join('').padEnd(80, '0');
  const bytes = header.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2));
  return Buffer.concat([
    Buffer.from([0x0a, bytes.length, ...bytes]),
    Buffer.alloc(3 * frames, '\x32\x01\0', 'latin1'),
  ]);
}
