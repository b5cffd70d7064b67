import { messages } from '../../../i18n/messages.ts';
import { hrefOf } from '../../../state/route.ts';
import { IconButton, Tag } from '../../../ui/icon.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { TakenFace } from './taken-face.tsx';
import type { Enrolee } from './use-enrolment.ts';

interface Props {
  readonly gallery: string;
  readonly enrolee: Enrolee;
  readonly onChange: (changes: { userName?: string; userId?: string }) => void;
  readonly onDrop: () => void;
}

/** A picture with its name and ID to edit, and the result of its enrolment. */
export function EnroleeRow({ gallery, enrolee, onChange, onDrop }: Props) {
  const { picture, userName, userId, state, taken, error } = enrolee;
  const { enrolment } = messages.value;
  const settled = state === 'working' || state === 'enrolled';
  const line = (label: string, value: string, onInput: (text: string) => void, look = '') => (
    <label class="cell">
      <span class="label">{label}</span>
      <input
        type="text"
        class={look}
        aria-label={`${label}, ${picture.name}`}
        maxLength={120}
        disabled={settled}
        value={value}
        title={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
  return (
    <li>
      <TakenFace picture={picture} taken={taken} />
      {line(enrolment.userName, userName, (text) => onChange({ userName: text }))}
      {line(enrolment.userId, userId, (text) => onChange({ userId: text }), 'mono')}
      <div class="row between">
        <Result gallery={gallery} enrolee={enrolee} />
        {!settled && <IconButton icon="close" label={enrolment.dropRow(picture.name)} onClick={onDrop} />}
      </div>
      {error && <ErrorNotice error={error} />}
      {enrolee.duplicateOf !== undefined && (
        <a class="wide small" href={hrefOf('galleries', gallery, 'people', enrolee.duplicateOf)}>
          {enrolment.otherPerson(enrolee.duplicateOf)}
        </a>
      )}
    </li>
  );
}

function Result({ gallery, enrolee: { state, taken, userId } }: Pick<Props, 'gallery' | 'enrolee'>) {
  const { enrolment } = messages.value;
  switch (state) {
    case 'waiting':
      return <span class="tag">{enrolment.waiting}</span>;
    case 'working':
      return (
        <span class="tag">
          <span class="spinner" aria-hidden="true" />
          {enrolment.working}
        </span>
      );
    case 'enrolled':
      return (
        <div class="stack tight small">
          <Tag tone="good">{enrolment.enrolled}</Tag>
          {taken && <span class={taken.found > 1 ? '' : 'muted'}>{enrolment.taken(taken.found)}</span>}
          <a href={hrefOf('galleries', gallery, 'people', userId.trim())}>{enrolment.openPerson}</a>
        </div>
      );
    case 'failed':
      return <Tag tone="bad">{enrolment.failed}</Tag>;
  }
}
