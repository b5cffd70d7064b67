import type { Duplicates as DuplicatesAnswer } from '../../../api/types.ts';
import { formatNumber, formatPercent } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { Icon } from '../../../ui/icon.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { DuplicateCard } from './duplicate-card.tsx';
import { useDuplicates } from './use-duplicates.ts';

/** Finds users of a gallery who may be the same person, and settles each pair. */
export function Duplicates({ gallery, onChanged }: { gallery: string; onChanged: () => void }) {
  const search = useDuplicates(gallery);
  const { galleries } = messages.value;
  const { last, pairs, busy, error } = search;
  return (
    <section class="card" aria-labelledby="duplicates">
      <h2 id="duplicates">{galleries.twice}</h2>
      <p class="hint">{galleries.twiceHint}</p>
      <div class="row">
        {busy ? (
          <button type="button" class="button" onClick={search.stop}>
            {galleries.stop}
          </button>
        ) : (
          <button type="button" class="button" onClick={search.start}>
            <Icon name="search" />
            {last && !last.complete ? galleries.twiceContinue : galleries.twiceStart}
          </button>
        )}
        {(busy || last) && <ShownProgress last={last} />}
      </div>
      {error && <ErrorNotice error={error} onRetry={search.start} />}
      {last && <Summary last={last} />}
      <p class="hint" role="status">
        {search.marked ? galleries.markedDifferent : ''}
      </p>
      {last?.complete && pairs.length === 0 && <EmptyState icon="good" title={galleries.twiceNone} text="" />}
      {pairs.map((pair) => (
        <DuplicateCard
          key={pair.users.map(({ user_id }) => user_id).join(' ')}
          gallery={gallery}
          pair={pair}
          onDifferent={() => search.dropPair(pair)}
          onDeleted={(userId) => {
            search.dropUser(userId);
            onChanged();
          }}
        />
      ))}
    </section>
  );
}

function ShownProgress({ last }: { last: DuplicatesAnswer | undefined }) {
  const { galleries } = messages.value;
  const { progress = 0, people = 0, people_compared: compared = 0 } = last ?? {};
  return (
    <label class="row">
      <progress max={1} value={progress} />
      <span class="hint">
        {galleries.twiceProgress(formatPercent(progress), formatNumber(compared), formatNumber(people))}
      </span>
    </label>
  );
}

function Summary({ last }: { last: DuplicatesAnswer }) {
  const { galleries } = messages.value;
  const { threshold, expected_false_pairs: expected, cohort_people: people, cohort_version } = last;
  const digits = expected < 1 ? 2 : 0;
  return (
    <p class="hint">
      {galleries.twiceSummary(formatNumber(threshold, 4), formatNumber(expected, digits))}{' '}
      {people > 0 && galleries.twiceStatistics(formatNumber(people), formatNumber(cohort_version))}
    </p>
  );
}
