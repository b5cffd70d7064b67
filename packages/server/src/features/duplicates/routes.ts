import { cutFraction, endpoints } from '@wajah/contract';
import type { Mount } from '../../http/routes/ports.ts';
import { wire } from '../../http/views/wire.ts';
import type { DuplicateService } from './duplicates.ts';

export function duplicateRoutes(mount: Mount, duplicates: DuplicateService): void {
  mount(endpoints.findDuplicates, async (caller, request) =>
    duplicatesView(await duplicates.find(caller, request)),
  );

  mount(endpoints.markDifferent, duplicates.mark);
}

function duplicatesView({ pairs, facts, compared, ...page }: Awaited<ReturnType<DuplicateService['find']>>) {
  const { cursor, complete, progress, people, threshold } = page;
  return {
    pairs: pairs.map(({ users, similarity, falseMatchRate, score }) => ({
      users: wire(users),
      similarity: cutFraction(similarity),
      false_match_rate: twoDigits(falseMatchRate),
      score: Number(score.toFixed(4)),
    })),
    cursor,
    complete,
    people,
    threshold,
    progress: cutFraction(progress),
    people_compared: compared,
    false_match_rate: twoDigits(page.falseMatchRate),
    expected_false_pairs: twoDigits(page.expectedFalsePairs),
    ...facts,
  };
}

/** Rates have a meaning to their first digits only. */
const twoDigits = (value: number) => Number(value.toPrecision(2));
