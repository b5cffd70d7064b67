import { useState } from 'preact/hooks';
import type { DuplicatePair } from '../../../api/types.ts';
import { wajah } from '../../../api/wajah.ts';
import { roundTo2Digits } from '../../../draw/similarity-scale.ts';
import { formatNumber, formatTime } from '../../../i18n/format.ts';
import { messages } from '../../../i18n/messages.ts';
import { hrefOf } from '../../../state/route.ts';
import { useRequest } from '../../../state/use-request.ts';
import { IconButton } from '../../../ui/icon.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { ErasePeople } from '../people/erase-people.tsx';
import { FaceCrop } from '../people/face-crop.tsx';

type User = DuplicatePair['users'][number];

interface Props {
  readonly gallery: string;
  readonly pair: DuplicatePair;
  readonly onDeleted: (userId: string) => void;
  readonly onDifferent: () => void;
}

/** Two users who may be the same person: one of them is deleted, or they are marked as different people. */
export function DuplicateCard({ gallery, pair, onDeleted, onDifferent }: Props) {
  const call = useRequest<unknown>();
  const { galleries } = messages.value;
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
          {galleries.twiceSimilarity} <strong>{formatNumber(pair.similarity, 4)}</strong>
          {' · '}
          {pair.similarity === 1 ? galleries.samePicture : rateText(pair.false_match_rate)}
        </p>
        <button
          type="button"
          class="button"
          aria-label={galleries.differentPeopleOf(...names)}
          disabled={call.busy}
          onClick={() => void mark()}
        >
          {galleries.differentPeople}
        </button>
      </div>
      {call.error && <ErrorNotice error={call.error} />}
    </article>
  );
}

function rateText(rate: number): string {
  const { galleries } = messages.value;
  return `${galleries.twiceRate} ${galleries.twiceRateText(formatNumber(roundTo2Digits(1 / rate)))}`;
}

function Person(props: { gallery: string; user: User; onDeleted: (userId: string) => void }) {
  const { gallery, onDeleted } = props;
  const { user_id: userId, user_name: name, created_at: at } = props.user;
  const [erasing, setErasing] = useState(false);
  const { people } = messages.value;
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
