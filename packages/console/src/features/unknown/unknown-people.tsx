import type { ListUnknownAnswer } from '@wajah/client';
import { useState } from 'preact/hooks';
import type { Gallery } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatNumber, formatTime } from '../../i18n/format.ts';
import { enrolment } from '../../i18n/messages.ts';
import { hrefOf } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { ConsentInput, consentFields, newConsent } from '../../ui/consent-input.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Check, CountField, Form, TextField, useFields } from '../../ui/field.tsx';
import { PagedList, usePages } from '../../ui/list.tsx';
import { addressOf } from '../../ui/person-face.tsx';
import { unknown } from './texts.ts';

type Person = ListUnknownAnswer['unknown'][number];

export interface UnknownProps {
  readonly gallery: Gallery;
  readonly onChanged: () => void;
}

const pageLength = 20;

/** People who were seen and not identified: the setting, and each with a button that assigns the face. */
export function UnknownPeople({ gallery, onChanged }: UnknownProps) {
  const { facegallery_id, keep_unknown_hours: hours, keep_crops: crops } = gallery;
  const [version, setVersion] = useState(0);
  const read = async (cursor: string | undefined, limit: number, signal: AbortSignal) => {
    const page = { facegallery_id, limit, ...(cursor !== undefined && { cursor }) };
    const { unknown: people, next_cursor } = await wajah.listUnknown(page, { signal });
    return [people, next_cursor] as const;
  };
  const pages = usePages({ key: facegallery_id, version: `${version} ${hours}`, length: pageLength, read });
  const [assigned, setAssigned] = useState<string>();
  const onSettled = (userId?: string) => {
    setAssigned(userId);
    setVersion(version + 1);
    onChanged();
  };
  return (
    <Card title={unknown.title} hint={unknown.hint}>
      <Hours gallery={gallery} onChanged={onChanged} />
      {assigned !== undefined && (
        <p role="status">
          <a href={hrefOf('galleries', facegallery_id, 'people', assigned)}>{enrolment.openPerson}</a>
        </p>
      )}
      {hours !== null && !crops && <p class="hint">{unknown.noFaces}</p>}
      {hours !== null && (
        <PagedList
          pages={pages}
          look="stack"
          empty={unknown.none}
          entry={(person) => (
            <Entry key={person.unknown_id} gallery={gallery} person={person} onSettled={onSettled} />
          )}
        />
      )}
    </Card>
  );
}

function Hours({ gallery: { facegallery_id, keep_unknown_hours: kept }, onChanged }: UnknownProps) {
  const [hours, setHours] = useState(String(kept ?? ''));
  const keep_unknown_hours = hours.trim() === '' ? null : Number(hours);
  return (
    <Form
      submit={unknown.save}
      disabled={keep_unknown_hours === kept}
      send={(signal) => wajah.updateGallery({ facegallery_id, keep_unknown_hours }, { signal })}
      onAnswer={onChanged}
    >
      <CountField label={unknown.hours} hint={unknown.hoursHint} max="720" value={hours} onInput={setHours} />
    </Form>
  );
}

interface EntryProps {
  readonly gallery: Gallery;
  readonly person: Person;
  /** @param userId who it is; undefined: forgotten */
  readonly onSettled: (userId?: string) => void;
}

function Entry({ gallery, person, onSettled }: EntryProps) {
  const { facegallery_id } = gallery;
  const { unknown_id, image, n_seen, first_seen_at, last_seen_at, expires_at } = person;
  const [address, time] = [addressOf(image), formatTime(last_seen_at)];
  return (
    <li class="row">
      {address && (
        <span class="person-face">
          <img src={address} alt="" />
        </span>
      )}
      <div class="grow">
        <p>{unknown.seen(formatNumber(n_seen), time)}</p>
        <p class="hint">{unknown.since(formatTime(first_seen_at), formatTime(expires_at))}</p>
      </div>
      <Assign gallery={gallery} person={person} onSettled={onSettled} />
      <ConfirmButton
        text={unknown.forget}
        label={unknown.forgetOf(time)}
        send={(signal) => wajah.forgetUnknown({ facegallery_id, unknown_id }, { signal })}
        onAnswer={() => onSettled()}
      >
        <p>{unknown.forgetText}</p>
      </ConfirmButton>
    </li>
  );
}

/** Asks who it is, and for a consent where the gallery requires one. */
function Assign({ gallery, person: { unknown_id, last_seen_at }, onSettled }: EntryProps) {
  const { facegallery_id, require_consent } = gallery;
  const { values, field, check } = useFields({ userId: '', userName: '', force: false });
  const consent = useFields(newConsent());
  const send = (signal: AbortSignal) => {
    const { userId: user_id, userName: user_name, force: force_register } = values;
    const given = require_consent ? consentFields(consent.values) : {};
    const fields = { facegallery_id, unknown_id, user_id, user_name, force_register, ...given };
    return wajah.assignUnknown(fields, { signal });
  };
  return (
    <ConfirmButton
      text={unknown.assign}
      label={unknown.assignOf(formatTime(last_seen_at))}
      title={unknown.assignTitle}
      look="main"
      send={send}
      onAnswer={() => onSettled(values.userId)}
    >
      <p>{unknown.assignText}</p>
      <TextField label={unknown.userId} identifier {...field('userId')} />
      <TextField label={unknown.userName} {...field('userName')} />
      <Check label={unknown.force} {...check('force')} />
      {require_consent && <ConsentInput field={consent.field} optional />}
    </ConfirmButton>
  );
}
