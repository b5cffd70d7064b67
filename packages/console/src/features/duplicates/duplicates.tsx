import type { FindDuplicatesAnswer } from '@wajah/client';
import { useState } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatNumber, formatPercent, formatSimilarity, formatTime } from '../../i18n/format.ts';
import { common, looksLike, people, recognise, terms } from '../../i18n/messages.ts';
import { useRequest } from '../../state/request.ts';
import { hrefOf } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Button } from '../../ui/icon.tsx';
import { EmptyState, ErrorNotice } from '../../ui/notice.tsx';
import { PersonFace } from '../../ui/person-face.tsx';
import { fmrSentence } from '../../ui/similarity.tsx';
import { duplicates } from './texts.ts';

type DuplicatePair = FindDuplicatesAnswer['pairs'][number];

/** Finds users of a gallery who may be the same person, and settles each pair. */
export function Duplicates({ gallery, onChanged }: { gallery: Gallery; onChanged: () => void }) {
  const search = useDuplicates(gallery.facegallery_id);
  const { last, pairs, busy, error } = search;
  return (
    <Card title={duplicates.title} hint={duplicates.hint}>
      {!gallery.keep_crops && <p class="hint">{duplicates.noFaces}</p>}
      <div class="row">
        {busy ? (
          <Button onClick={search.stop}>{common.stop}</Button>
        ) : (
          <Button icon="search" onClick={search.start}>
            {last && !last.complete ? duplicates.resume : duplicates.start}
          </Button>
        )}
        {(busy || last) && <ShownProgress last={last} />}
      </div>
      {error && <ErrorNotice error={error} onRetry={search.start} />}
      {last && <Summary last={last} />}
      <p class="hint" role="status">
        {search.settled}
      </p>
      {last?.complete && pairs.length === 0 && <EmptyState icon="good" title={duplicates.none} text="" />}
      {pairs.map((pair) => (
        <DuplicateCard
          key={pair.users.map(({ user_id }) => user_id).join(' ')}
          gallery={gallery}
          pair={pair}
          onDifferent={() => search.dropPair(pair)}
          onMerged={(userId, report) => {
            search.dropUser(userId, report);
            onChanged();
          }}
        />
      ))}
    </Card>
  );
}

function ShownProgress({ last }: { last: FindDuplicatesAnswer | undefined }) {
  const { progress = 0, people = 0, people_compared: compared = 0 } = last ?? {};
  return (
    <label class="row">
      <progress max={1} value={progress} />
      <span class="hint">
        {duplicates.progress(formatPercent(progress), formatNumber(compared), formatNumber(people))}
      </span>
    </label>
  );
}

function Summary({ last }: { last: FindDuplicatesAnswer }) {
  const { threshold, expected_false_pairs: expected, cohort_people: people, cohort_version } = last;
  const digits = expected < 1 ? 2 : 0;
  return (
    <p class="hint">
      {duplicates.summary(formatSimilarity(threshold), formatNumber(expected, digits))}{' '}
      {people > 0 && duplicates.statistics(formatNumber(people), formatNumber(cohort_version))}
    </p>
  );
}

type User = DuplicatePair['users'][number];

/** Tells that a user has become another one. @param report what is said of it */
type OnMerged = (userId: string, report: string) => void;

/** Two users who may be the same person: they are merged, or marked as different people. */
function DuplicateCard({
  gallery: of,
  pair,
  onMerged,
  onDifferent,
}: {
  gallery: Gallery;
  pair: DuplicatePair;
  onMerged: OnMerged;
  onDifferent: () => void;
}) {
  const gallery = of.facegallery_id;
  const call = useRequest<unknown>();
  const [one, other] = pair.users as [User, User];
  const names = [one, other].map(({ user_id, user_name }) => `${user_name} (${user_id})`) as [string, string];
  async function mark() {
    const users = { user_id: one.user_id, other_user_id: other.user_id };
    const done = await call.run(() => wajah.markDifferent({ facegallery_id: gallery, ...users }));
    if (done !== undefined) onDifferent();
  }
  return (
    <article class="stack duplicate" aria-label={duplicates.pair(...names)}>
      <div class="pair">
        {[one, other].map((user) => (
          <Person key={user.user_id} gallery={of} user={user} />
        ))}
      </div>
      <div class="row between">
        <p>
          {common.similarity} <strong>{formatSimilarity(pair.similarity)}</strong>
          {pair.similarity === 1 && ` · ${looksLike.samePicture}`}
        </p>
        <div class="row">
          {one.suspended_at === null && other.suspended_at === null && (
            <Merge gallery={gallery} users={[one, other]} names={names} onMerged={onMerged} />
          )}
          <Button
            aria-label={duplicates.differentPeopleOf(...names)}
            disabled={call.busy}
            onClick={() => void mark()}
          >
            {duplicates.differentPeople}
          </Button>
        </div>
      </div>
      {pair.similarity < 1 && (
        <details>
          <summary class="small">{recognise.rates}</summary>
          <p class="hint">{fmrSentence(pair.similarity)}</p>
        </details>
      )}
      {call.error && <ErrorNotice error={call.error} />}
    </article>
  );
}

interface MergeProps {
  readonly gallery: string;
  readonly users: readonly [User, User];
  readonly names: readonly [string, string];
  readonly onMerged: OnMerged;
}

/** Makes two users one, after the question which of them stays: at first the one who was enrolled earlier. */
function Merge({ gallery, users: [one, other], names, onMerged }: MergeProps) {
  const [kept, keep] = useState(one.created_at <= other.created_at ? one.user_id : other.user_id);
  const gone = kept === one.user_id ? other : one;
  const request = { facegallery_id: gallery, user_id: kept, other_user_id: gone.user_id };
  return (
    <ConfirmButton
      text={duplicates.merge}
      label={duplicates.mergeOf(...names)}
      title={duplicates.mergeTitle}
      send={() => wajah.mergeFaces(request)}
      onAnswer={({ n_picture }) => onMerged(gone.user_id, duplicates.merged(kept, formatNumber(n_picture)))}
    >
      <SelectField
        label={duplicates.mergeKeep}
        value={kept}
        options={[one, other].map(({ user_id }, at) => [user_id, names[at] ?? user_id])}
        onChange={keep}
      />
      <p>{duplicates.mergeText(`${gone.user_name} (${gone.user_id})`)}</p>
    </ConfirmButton>
  );
}

function Person(props: { gallery: Gallery; user: User }) {
  const { facegallery_id: gallery, keep_crops: faces } = props.gallery;
  const { user_id: userId, user_name: name, created_at: at, suspended_at: suspended } = props.user;
  return (
    <div class="row">
      {faces && <PersonFace gallery={gallery} userId={userId} />}
      <div class="grow">
        <p>
          <a href={hrefOf('galleries', gallery, 'people', userId)}>{name}</a>{' '}
          {suspended !== null && <span class="badge">{terms.suspended}</span>}
        </p>
        <p class="mono">{userId}</p>
        <p class="hint">
          {people.enrolledAt} {formatTime(at)}
        </p>
      </div>
    </div>
  );
}

/** The search for duplicates of a gallery: best pairs first, resumed where it was stopped. */
function useDuplicates(gallery: string) {
  const call = useRequest<unknown>();
  const [pairs, setPairs] = useState<readonly DuplicatePair[]>([]);
  const [last, setLast] = useState<FindDuplicatesAnswer>();
  const [settled, setSettled] = useState('');

  async function search(signal: AbortSignal): Promise<void> {
    const resumed = last && !last.complete ? last.cursor : undefined;
    if (resumed === undefined) setPairs([]);
    setSettled('');
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
    settled,
    busy: call.busy,
    error: call.error,
    start: () => void call.run(search),
    stop: call.clear,
    dropPair(different: DuplicatePair) {
      setPairs((before) => before.filter((pair) => pair !== different));
      setSettled(duplicates.markedDifferent);
    },
    dropUser(userId: string, report: string) {
      setPairs((before) => before.filter(({ users }) => users.every(({ user_id }) => user_id !== userId)));
      setSettled(report);
    },
  };
}

function bestFirst(a: DuplicatePair, b: DuplicatePair): number {
  return b.similarity - a.similarity || b.score - a.score;
}
