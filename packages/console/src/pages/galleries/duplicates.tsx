import { useState } from 'preact/hooks';
import type { DuplicatePair, Duplicates as DuplicatesAnswer } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatNumber, formatPercent, formatSimilarity, formatTime } from '../../i18n/format.ts';
import { galleries, people, tryIt } from '../../i18n/messages.ts';
import { useRequest } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { Button, IconButton } from '../../ui/icon.tsx';
import { EmptyState, ErrorNotice } from '../../ui/notice.tsx';
import { fmrSentence } from '../../ui/similarity.tsx';
import { ErasePeople } from './erase-people.tsx';
import { FaceCrop } from './faces.tsx';

/** Finds users of a gallery who may be the same person, and settles each pair. */
export function Duplicates({ gallery, onChanged }: { gallery: string; onChanged: () => void }) {
  const search = useDuplicates(gallery);
  const { last, pairs, busy, error } = search;
  return (
    <Card title={galleries.twice}>
      <p class="hint">{galleries.twiceHint}</p>
      <div class="row">
        {busy ? (
          <Button onClick={search.stop}>{galleries.stop}</Button>
        ) : (
          <Button icon="search" onClick={search.start}>
            {last && !last.complete ? galleries.twiceContinue : galleries.twiceStart}
          </Button>
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
    </Card>
  );
}

function ShownProgress({ last }: { last: DuplicatesAnswer | undefined }) {
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
  const { threshold, expected_false_pairs: expected, cohort_people: people, cohort_version } = last;
  const digits = expected < 1 ? 2 : 0;
  return (
    <p class="hint">
      {galleries.twiceSummary(formatSimilarity(threshold), formatNumber(expected, digits))}{' '}
      {people > 0 && galleries.twiceStatistics(formatNumber(people), formatNumber(cohort_version))}
    </p>
  );
}

type User = DuplicatePair['users'][number];

/** Two users who may be the same person: one of them is deleted, or they are marked as different people. */
function DuplicateCard({
  gallery,
  pair,
  onDeleted,
  onDifferent,
}: {
  gallery: string;
  pair: DuplicatePair;
  onDeleted: (userId: string) => void;
  onDifferent: () => void;
}) {
  const call = useRequest<unknown>();
  const [one, other] = pair.users as [User, User];
  const names = [one, other].map(({ user_id, user_name }) => `${user_name} (${user_id})`) as [string, string];
  async function mark() {
    const users = { user_id: one.user_id, other_user_id: other.user_id };
    const done = await call.run(() => wajah.markDifferent({ facegallery_id: gallery, ...users }));
    if (done !== undefined) onDifferent();
  }
  return (
    <article class="duplicate" aria-label={galleries.twicePair(...names)}>
      <div class="pair">
        {[one, other].map((user) => (
          <Person key={user.user_id} gallery={gallery} user={user} onDeleted={onDeleted} />
        ))}
      </div>
      <div class="row between">
        <p>
          {galleries.twiceSimilarity} <strong>{formatSimilarity(pair.similarity)}</strong>
          {pair.similarity === 1 && ` · ${galleries.samePicture}`}
        </p>
        <Button
          aria-label={galleries.differentPeopleOf(...names)}
          disabled={call.busy}
          onClick={() => void mark()}
        >
          {galleries.differentPeople}
        </Button>
      </div>
      {pair.similarity < 1 && (
        <details>
          <summary class="small">{tryIt.rates}</summary>
          <p class="hint">{fmrSentence(pair.similarity)}</p>
        </details>
      )}
      {call.error && <ErrorNotice error={call.error} />}
    </article>
  );
}

function Person(props: { gallery: string; user: User; onDeleted: (userId: string) => void }) {
  const { gallery, onDeleted } = props;
  const { user_id: userId, user_name: name, created_at: at } = props.user;
  const [erasing, setErasing] = useState(false);
  return (
    <div class="row between">
      <div>
        <p>
          <a href={hrefOf('galleries', gallery, 'people', userId)}>{name}</a>
        </p>
        <p class="mono">{userId}</p>
        <p class="hint">
          {people.enrolledAt} {formatTime(at)}
        </p>
      </div>
      <div class="row">
        <FaceCrop gallery={gallery} userId={userId} name={`${name} (${userId})`} />
        <IconButton
          icon="trash"
          label={people.eraseOne(`${name} (${userId})`)}
          onClick={() => setErasing(true)}
        />
        {erasing && (
          <ErasePeople
            gallery={gallery}
            people={[{ userId, name }]}
            onClose={() => setErasing(false)}
            onErased={() => onDeleted(userId)}
          />
        )}
      </div>
    </div>
  );
}

/** The search for duplicates of a gallery: best pairs first, resumed where it was stopped. */
function useDuplicates(gallery: string) {
  const call = useRequest<unknown>();
  const [pairs, setPairs] = useState<readonly DuplicatePair[]>([]);
  const [last, setLast] = useState<DuplicatesAnswer>();
  const [marked, setMarked] = useState(false);

  async function search(signal: AbortSignal): Promise<void> {
    const resumed = last && !last.complete ? last.cursor : undefined;
    if (resumed === undefined) setPairs([]);
    setMarked(false);
    const options = { signal, ...(resumed === undefined ? {} : { cursor: resumed }) };
    for await (const page of wajah.gallery(gallery).duplicates(options)) {
      signal.throwIfAborted();
      setLast(page);
      setPairs((before) => [...before, ...page.pairs].sort(bestFirst));
    }
  }
  return {
    pairs,
    last,
    marked,
    busy: call.busy,
    error: call.error,
    start: () => void call.run(search),
    stop: call.clear,
    dropPair(settled: DuplicatePair) {
      setPairs((before) => before.filter((pair) => pair !== settled));
      setMarked(true);
    },
    dropUser(userId: string) {
      setPairs((before) => before.filter(({ users }) => users.every(({ user_id }) => user_id !== userId)));
      setMarked(false);
    },
  };
}

function bestFirst(a: DuplicatePair, b: DuplicatePair): number {
  return b.similarity - a.similarity || b.score - a.score;
}
