/** Memory of a cached face, bytes. @param dimensions of its template */
export function bytesOfFace(dimensions: number): number {
  return 58 + 5.003 * dimensions;
}
