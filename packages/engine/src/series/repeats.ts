/** Share of bits, 0…1, in which two fingerprints differ. */
export function fingerprintDistance(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) throw new RangeError(`fingerprints of ${a.length} and ${b.length} bytes`);
  let differing = 0;
  for (let i = 0; i < a.length; i++) differing += BITS[a[i]! ^ b[i]!]!;
  return differing / (a.length * 8);
}

const BITS = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);
