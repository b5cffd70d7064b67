/** Cuts bytes at some places, in any order, into chunks that may be empty. */
export function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const inside = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  return [...inside, bytes.length].map((end, at) => bytes.subarray(inside[at - 1] ?? 0, end));
}
