import fc from 'fast-check';

/** A copy of a file with some bytes replaced by others, or without its end. */
export type Damage = (file: Uint8Array) => Buffer<ArrayBuffer>;

/**
 * Damage that may be anywhere, half of it in the first 400 bytes, where headers are.
 * @param from first byte that may be hit
 */
export function damage(from = 0): fc.Arbitrary<Damage> {
  const place = fc.oneof(fc.nat(400), fc.nat());
  const within = (at: number, { length }: Uint8Array) => from + (at % (length - from));
  const change = fc.tuple(place, fc.integer({ min: 1, max: 255 }));
  const changed = fc.array(change, { minLength: 1, maxLength: 6 }).map((changes): Damage => {
    return (file) => {
      const bytes = Buffer.from(file);
      for (const [at, by] of changes) bytes[within(at, file)] = file[within(at, file)]! ^ by;
      return bytes;
    };
  });
  const cut = place.map(
    (at): Damage =>
      (file) =>
        Buffer.from(file.subarray(0, within(at, file))),
  );
  return fc.oneof({ weight: 3, arbitrary: changed }, { weight: 1, arbitrary: cut });
}
