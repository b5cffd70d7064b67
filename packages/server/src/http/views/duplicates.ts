import { cutFraction } from '@wajah/contract';
import type { DuplicatePage } from '../../services/recognition/duplicates.ts';

export function duplicatesView({ pairs, facts, compared, ...page }: DuplicatePage) {
  const { cursor, complete, progress, people, threshold } = page;
  return {
    pairs: pairs.map(({ users, similarity, falseMatchRate, score }) => ({
      users: users.map(({ userId, userName, createdAt }) => ({
        user_id: userId,
        user_name: userName,
        created_at: createdAt.toISOString(),
      })),
      similarity: cutFraction(similarity),
      false_match_rate: twoDigits(falseMatchRate),
      score: Number(score.toFixed(4)),
    })),
    ...{ cursor, complete, people, threshold },
    progress: cutFraction(progress),
    people_compared: compared,
    false_match_rate: twoDigits(page.falseMatchRate),
    expected_false_pairs: twoDigits(page.expectedFalsePairs),
    ...facts,
  };
}

/** Rates have a meaning to their first digits only. */
const twoDigits = (value: number) => Number(value.toPrecision(2));
