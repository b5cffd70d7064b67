import type { MatchedPair } from '../../matching/matcher.ts';
import type { GalleryRecord, Store, StoredFace } from '../../store/store.ts';
import { rateAtSimilarity } from '../recognition/thresholds.ts';

/** Rounding of the product of a template with itself. */
const same = 1 - 1e-6;

/** The people of pairs as they are enrolled now, best first. Pairs of people who changed meanwhile are left out: they come again. */
export async function describePairs(
  { store }: { readonly store: Pick<Store, 'faces'> },
  { id }: Pick<GalleryRecord, 'id'>,
  pairs: readonly MatchedPair[],
  similarityOf: (score: number) => number,
) {
  const faces = await facesOf(store, id, pairs);
  const described = pairs.flatMap(({ userIds, seqs, product, score }) => {
    const people = userIds.map((userId) => faces.get(userId));
    const [a, b] = people;
    // Modulo 2^32, as the matrix has them.
    if (!a || !b || a.seq >>> 0 !== seqs[0] || b.seq >>> 0 !== seqs[1]) return [];
    const similarity = product >= same ? 1 : similarityOf(score);
    const users = [a, b].map(({ userId, userName, createdAt }) => ({ userId, userName, createdAt }));
    return [{ users, similarity, falseMatchRate: rateAtSimilarity(similarity), score }];
  });
  return described.sort((a, b) => b.similarity - a.similarity || b.score - a.score);
}

async function facesOf(
  store: Pick<Store, 'faces'>,
  gallery: number,
  pairs: readonly MatchedPair[],
): Promise<Map<string, StoredFace | null>> {
  const faces = new Map<string, StoredFace | null>();
  for (const userId of new Set(pairs.flatMap(({ userIds }) => userIds))) {
    faces.set(userId, await store.faces.get(gallery, userId));
  }
  return faces;
}
