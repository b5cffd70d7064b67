import type { MatchedPair } from '../../matching/matcher.ts';
import type { GalleryRecord, Store, StoredFace } from '../../store/store.ts';
import { rateAtSimilarity } from '../recognition/thresholds.ts';

/** Rounding of the product of a template with itself. */
const same = 1 - 1e-6;

/**
 * The people of pairs as they are enrolled now, best first. Left out are people who are marked as different or suspended,
 * and those who changed meanwhile: they come again.
 */
export async function describePairs(
  { store }: { readonly store: Pick<Store, 'faces' | 'differentPeople'> },
  { id }: Pick<GalleryRecord, 'id'>,
  pairs: readonly MatchedPair[],
  similarityOf: (score: number) => number,
) {
  const faces = await facesOf(store, id, pairs);
  const described = [];
  for (const { userIds, seqs, product, score } of pairs) {
    const [a, b] = userIds.map((userId) => faces.get(userId));
    // Modulo 2^32, as the matrix has them.
    if (!a || !b || a.seq >>> 0 !== seqs[0] || b.seq >>> 0 !== seqs[1]) continue;
    if (a.suspendedAt || b.suspendedAt) continue;
    if (await store.differentPeople.isMarked(id, userIds)) continue;
    const similarity = product >= same ? 1 : similarityOf(score);
    const users = [a, b].map(({ userId, userName, createdAt }) => ({ userId, userName, createdAt }));
    described.push({ users, similarity, falseMatchRate: rateAtSimilarity(similarity), score });
  }
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
