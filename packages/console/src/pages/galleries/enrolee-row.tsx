import { messages } from '../../i18n/messages.ts';
import { IconButton, Tag } from '../../ui/icon.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import type { Enrolee } from './use-enrolment.ts';

interface Props {
  readonly enrolee: Enrolee;
  readonly onChange: (changes: { userName?: string; userId?: string }) => void;
  readonly onDrop: () => void;
}

/** A picture with its name and ID to edit, and the state of its enrolment. */
export function EnroleeRow({ enrolee, onChange, onDrop }: Props) {
  const { picture, userName, userId, state, error } = enrolee;
  const { galleries } = messages.value;
  const settled = state === 'working' || state === 'enrolled';
  return (
    <li>
      <img class="crop" src={picture.url} alt={picture.name} />
      <input
        type="text"
        aria-label={`${galleries.userName}, ${picture.name}`}
        maxLength={120}
        disabled={settled}
        value={userName}
        onInput={(event) => onChange({ userName: event.currentTarget.value })}
      />
      <input
        type="text"
        class="mono"
        aria-label={`${galleries.userId}, ${picture.name}`}
        maxLength={120}
        disabled={settled}
        value={userId}
        onInput={(event) => onChange({ userId: event.currentTarget.value })}
      />
      <div class="row">
        <StateTag state={state} />
        {!settled && <IconButton icon="close" label={galleries.dropRow(picture.name)} onClick={onDrop} />}
      </div>
      {error && <ErrorNotice error={error} />}
    </li>
  );
}

function StateTag({ state }: { state: Enrolee['state'] }) {
  const { galleries } = messages.value;
  switch (state) {
    case 'waiting':
      return <span class="tag">{galleries.waiting}</span>;
    case 'working':
      return (
        <span class="tag">
          <span class="spinner" aria-hidden="true" />
          {galleries.working}
        </span>
      );
    case 'enrolled':
      return <Tag tone="good">{galleries.enrolled}</Tag>;
    case 'failed':
      return <Tag tone="bad">{galleries.failed}</Tag>;
  }
}
