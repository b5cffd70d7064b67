/** What a picture has in common with the others of its person. */
export interface Agreement {
  /** Whether it belongs to the pictures that show the person. */
  readonly agrees: boolean;
  /** The most similar other picture, and the similarity, 0…1; null: there is no other. */
  readonly nearest: { readonly index: number; readonly similarity: number } | null;
}

/**
 * Which pictures of a person show the same one. Pictures match each other at the threshold, and through others. More than
 * half of them must match: of two that differ neither is taken, since either may be of somebody else.
 * @param count of the pictures
 * @param similarityOf two of them, 0…1, symmetric
 */
export function agreementOf(
  count: number,
  similarityOf: (a: number, b: number) => number,
  threshold: number,
): Agreement[] {
  const groups = Array.from({ length: count }, (_, index) => index);
  const nearest: Agreement['nearest'][] = groups.map(() => null);
  for (let a = 0; a < count; a += 1) {
    for (let b = 0; b < a; b += 1) {
      const similarity = similarityOf(a, b);
      for (const [one, other] of [
        [a, b],
        [b, a],
      ] as const) {
        if (similarity > (nearest[one]?.similarity ?? -1)) nearest[one] = { index: other, similarity };
      }
      if (similarity < threshold) continue;
      const [joined, former] = [groups[b], groups[a]];
      for (const [index, group] of groups.entries()) if (group === former) groups[index] = joined as number;
    }
  }
  const sizeOf = (group: number | undefined) => groups.filter((one) => one === group).length;
  return nearest.map((one, index) => ({ agrees: 2 * sizeOf(groups[index]) > count, nearest: one }));
}

/** The kind of outcomes of pictures that show somebody else than the person's others. */
export const otherFace = "the face differs from the person's other pictures";

/**
 * Why a picture is not enrolled that does not show whom the person's other pictures show.
 * @param nearest most similar of them, by name
 * @param rest whether the other pictures show the same person
 */
export function differsFrom(nearest: string, similarity: number, threshold: number, rest: boolean): string {
  const measured = `(similarity ${cut(similarity)} to the most similar one, ${nearest}; threshold ${cut(threshold)})`;
  return rest
    ? `${otherFace} ${measured}; --force enrols it all the same`
    : `the pictures of this person do not show the same face ${measured}, and none is enrolled; leave out those of others, or enrol all with --force`;
}

const cut = (similarity: number) => (Math.floor(similarity * 10_000) / 10_000).toFixed(4);
