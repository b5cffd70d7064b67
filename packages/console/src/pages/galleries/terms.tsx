import { useState } from 'preact/hooks';
import type { DescribedPerson } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatDate, formatTime } from '../../i18n/format.ts';
import { common, terms } from '../../i18n/messages.ts';
import { Card, Fact } from '../../ui/card.tsx';
import { DaysField, Form, TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';

interface Props {
  readonly gallery: string;
  readonly person: DescribedPerson;
  readonly onChanged: () => void;
}

/** Consent, end of storage and suspension of a person. */
export function Terms(props: Props) {
  const { consent, expires_at: expires, suspended_at: suspended } = props.person;
  return (
    <Card title={terms.title}>
      {suspended !== null && <Notice tone="warn">{terms.suspendedSince(formatTime(suspended))}</Notice>}
      <dl class="facts">
        <Fact
          name={terms.consent}
          value={consent ? terms.consentText(consent.reference, formatDate(consent.given_at)) : terms.none}
        />
        {consent?.purpose && <Fact name={terms.purpose} value={consent.purpose} />}
        <Fact name={terms.expires} value={expires === null ? terms.never : formatTime(expires)} />
      </dl>
      <TermsForm {...props} />
      <Suspension {...props} />
    </Card>
  );
}

function TermsForm({ gallery, person, onChanged }: Props) {
  const [reference, setReference] = useState('');
  const [purpose, setPurpose] = useState('');
  const [days, setDays] = useState('');
  const consent = reference.trim() === '' ? {} : { consent_reference: reference, consent_purpose: purpose };
  const retention = days === '' ? {} : { retention_days: Number(days) };
  const of = { facegallery_id: gallery, user_id: person.user_id };
  return (
    <Form
      submit={common.save}
      disabled={reference.trim() === '' && days === ''}
      send={() => wajah.updatePerson({ ...of, ...consent, ...retention })}
      onAnswer={onChanged}
    >
      <TextField
        label={terms.reference}
        hint={terms.referenceHint}
        value={reference}
        onInput={setReference}
        optional
      />
      <TextField label={terms.purpose} value={purpose} onInput={setPurpose} optional />
      <DaysField label={terms.days} hint={terms.daysHint} value={days} onInput={setDays} />
    </Form>
  );
}

function Suspension({ gallery, person, onChanged }: Props) {
  const of = { facegallery_id: gallery, user_id: person.user_id };
  const suspended = person.suspended_at !== null;
  return (
    <Form
      submit={suspended ? terms.resume : terms.suspend}
      send={() => (suspended ? wajah.resumePerson(of) : wajah.suspendPerson(of))}
      onAnswer={onChanged}
    >
      <p class="hint">{terms.suspendHint}</p>
    </Form>
  );
}
