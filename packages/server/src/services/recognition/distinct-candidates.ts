/** A user found for a face. */
interface Candidate {
  readonly userId: string;
  /** Comparable between the faces. */
  readonly score: number;
}

/**
 * The candidates of the faces of one picture. Two faces of a picture are two people: pairs of a face and a user are taken
 * in the order of their scores, each face and each user once, and a user taken for one face is no candidate of another.
 * @param found for each face its candidates, best first: at least `most` and one more for each other face, where there
 *   are so many
 * @param most candidates of a face in the result
 * @returns for each face its candidates, best first
 */
export function distinctCandidates<Found extends Candidate>(
  found: readonly (readonly Found[])[],
  most: number,
): Found[][] {
  const pairs = found.flatMap((candidates, face) =>
    candidates.map(({ userId, score }) => ({ face, userId, score })),
  );
  const faceOf = new Map<string, number>();
  const taken = new Set<number>();
  for (const { face, userId } of pairs.sort((a, b) => b.score - a.score)) {
    if (taken.has(face) || faceOf.has(userId)) continue;
    taken.add(face);
    faceOf.set(userId, face);
  }
  return found.map((candidates, face) =>
    candidates.filter(({ userId }) => (faceOf.get(userId) ?? face) === face).slice(0, most),
  );
}
