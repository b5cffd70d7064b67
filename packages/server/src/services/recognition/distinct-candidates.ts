/** A user found for a face. */
interface Found {
  readonly userId: string;
  /** Similarity, 0…1. */
  readonly confidence: number;
  /** What the similarity is calibrated from, without its upper limit; comparable between the faces. */
  readonly score: number;
}

/**
 * The candidates of the faces of one picture. Two faces of a picture are two people: pairs of a face and a user are taken
 * in the order of their similarities, each face and each user once, and a user taken for one face is no candidate of
 * another. A pair is taken at the threshold for the faces that are not identified yet (S. Holm, "A simple sequentially
 * rejective multiple test procedure", 1979).
 * @param found for each face its candidates, best first: at least `most` and one more for each other face, where there
 *   are so many
 * @param most candidates of a face in the result
 * @param thresholdFor similarity at or above which one of so many faces is identified; never falls with their number
 * @returns for each face its candidates at or above `threshold`, best first, and those `below` up to `most` of both; for
 *   how many faces the threshold is
 */
export function distinctCandidates<Candidate extends Found>(
  found: readonly (readonly Candidate[])[],
  most: number,
  thresholdFor: (faces: number) => number,
): { candidates: Candidate[][]; below: Candidate[][]; threshold: number; left: number } {
  const pairs = found.flatMap((candidates, face) => candidates.map((candidate) => ({ face, candidate })));
  pairs.sort(({ candidate: a }, { candidate: b }) => b.confidence - a.confidence || b.score - a.score);
  const faceOf = new Map<string, number>();
  const identified = new Set<number>();
  const left = () => Math.max(1, found.length - identified.size);
  const threshold = () => thresholdFor(left());
  for (const { face, candidate } of pairs) {
    if (identified.has(face) || faceOf.has(candidate.userId)) continue;
    if (candidate.confidence < threshold()) break;
    identified.add(face);
    faceOf.set(candidate.userId, face);
  }
  const least = threshold();
  const free = found.map((all, face) =>
    all.filter(({ userId }) => (faceOf.get(userId) ?? face) === face).slice(0, most),
  );
  const candidates = free.map((all) => all.filter(({ confidence }) => confidence >= least));
  const below = free.map((all) => all.filter(({ confidence }) => confidence < least));
  return { candidates, below, threshold: least, left: left() };
}
