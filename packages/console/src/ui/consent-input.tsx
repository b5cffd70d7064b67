import { dayText } from '../i18n/format.ts';
import { terms } from '../i18n/messages.ts';
import { InputField, TextField, type useFields } from './field.tsx';
import { Notice } from './notice.tsx';

/** What is typed of a consent; days as `2026-01-31`, in the browser's time zone. */
type Consent = Readonly<Record<'reference' | 'purpose' | 'given' | 'until', string>>;

/** None yet: it is given today. */
export const newConsent = (): Consent => ({
  reference: '',
  purpose: '',
  given: dayText(new Date()),
  until: '',
});

const momentOf = (day: string, time: string) => new Date(`${day}T${time}`).toISOString();

/** The fields of a call; none without a reference. */
export function consentFields({ reference, purpose, given, until }: Consent) {
  if (reference.trim() === '') return {};
  const isToday = given === '' || given === dayText(new Date());
  return {
    consent_reference: reference,
    consent_purpose: purpose,
    ...(!isToday && { consent_given_at: momentOf(given, '00:00') }),
    ...(until !== '' && { consent_until: momentOf(until, '23:59:59') }),
  };
}

/** Whether something of a consent is typed, and nothing that says where it is found. */
export const lacksReference = ({ reference, purpose, given, until }: Consent) =>
  reference.trim() === '' && (purpose !== '' || until !== '' || given !== dayText(new Date()));

/** A consent, and the days until the person is erased, of whoever is stored; none yet. */
export const newTerms = () => ({ ...newConsent(), days: '' });

/** The fields of a call that changes them; none where nothing is typed. */
export function termsFields({ days, ...consent }: ReturnType<typeof newTerms>) {
  return { ...consentFields(consent), ...(days !== '' && { retention_days: Number(days) }) };
}

/** A consent, of a person or of all people of an enrolment. @param props.optional a stored one may stay */
export function ConsentInput(props: {
  field: ReturnType<typeof useFields<Consent>>['field'];
  optional?: boolean;
}) {
  const { field, optional = false } = props;
  const today = dayText(new Date());
  const typed = (name: keyof Consent) => field(name).value;
  const [reference, purpose] = [typed('reference'), typed('purpose')];
  const lacks =
    optional && lacksReference({ reference, purpose, given: typed('given'), until: typed('until') });
  return (
    <>
      <TextField
        label={terms.reference}
        hint={optional ? terms.referenceHint : undefined}
        optional={optional && !lacks}
        {...field('reference')}
      />
      <InputField label={terms.given} type="date" max={today} required {...field('given')} />
      <TextField label={terms.purpose} optional {...field('purpose')} />
      <InputField label={terms.until} hint={terms.untilHint} type="date" min={today} {...field('until')} />
      <div role="status">{lacks && <Notice tone="warn">{terms.referenceMissing}</Notice>}</div>
    </>
  );
}
