import { useState } from 'preact/hooks';
import type { DescribedPerson } from '../../api/types.ts';
import { wajah } from '../../api/wajah.ts';
import { formatDate, formatTime } from '../../i18n/format.ts';
import { common, terms } from '../../i18n/messages.ts';
import { useRequest } from '../../state/request.ts';
import { Fact } from '../../ui/facts.tsx';
import { Field, TextField } from '../../ui/field.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';

interface Props {
  readonly gallery: string;
  readonly person: DescribedPerson;
  readonly onChanged: () => void;
}

/** Consent, end of storage and suspension of a person. */
export function Terms(props: Props) {
  const { consent, expires_at: expires, suspended_at: suspended } = props.person;
  return (
    <section class="card" aria-labelledby="terms">
      <h2 id="terms">{terms.title}</h2>
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
    </section>
  );
}

function TermsForm({ gallery, person, onChanged }: Props) {
  const [reference, setReference] = useState('');
  const [purpose, setPurpose] = useState('');
  const [days, setDays] = useState('');
  const call = useRequest<unknown>();
  async function submit(event: Event) {
    event.preventDefault();
    const consent = reference.trim() === '' ? {} : { consent_reference: reference, consent_purpose: purpose };
    const retention = days === '' ? {} : { retention_days: Number(days) };
    const of = { facegallery_id: gallery, user_id: person.user_id };
    if ((await call.run(() => wajah.updatePerson({ ...of, ...consent, ...retention }))) !== undefined)
      onChanged();
  }
  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      <TextField
        label={terms.reference}
        hint={terms.referenceHint}
        value={reference}
        onInput={setReference}
        optional
      />
      <TextField label={terms.purpose} value={purpose} onInput={setPurpose} optional />
      <DaysField label={terms.days} hint={terms.daysHint} value={days} onInput={setDays} />
      {call.error && <ErrorNotice error={call.error} />}
      <button type="submit" class="button" disabled={call.busy || (reference.trim() === '' && days === '')}>
        {common.save}
      </button>
    </form>
  );
}

function Suspension({ gallery, person, onChanged }: Props) {
  const call = useRequest<unknown>();
  const of = { facegallery_id: gallery, user_id: person.user_id };
  const suspended = person.suspended_at !== null;
  async function change() {
    const done = await call.run(() => (suspended ? wajah.resumePerson(of) : wajah.suspendPerson(of)));
    if (done !== undefined) onChanged();
  }
  return (
    <div class="stack tight">
      <p class="hint">{terms.suspendHint}</p>
      {call.error && <ErrorNotice error={call.error} />}
      <button type="button" class="button" disabled={call.busy} onClick={() => void change()}>
        {suspended ? terms.resume : terms.suspend}
      </button>
    </div>
  );
}

/** A number of days, or nothing. */
export function DaysField(props: {
  label: string;
  hint: string;
  value: string;
  onInput: (value: string) => void;
}) {
  return (
    <Field
      label={props.label}
      hint={props.hint}
      control={(ids) => (
        <input
          {...ids}
          type="number"
          min="1"
          max="36500"
          step="1"
          inputmode="numeric"
          value={props.value}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
    />
  );
}
