import { terms } from '../i18n/messages.ts';
import { TextField } from './field.tsx';

/** Consent that enrolled people have given; empty: none. */
export interface ConsentFields {
  readonly consent_reference: string;
  readonly consent_purpose: string;
}

export const noConsent: ConsentFields = { consent_reference: '', consent_purpose: '' };

/** For a gallery that requires a consent: one for all people of an enrolment. */
export function ConsentInput(props: { consent: ConsentFields; onChange: (consent: ConsentFields) => void }) {
  const { consent, onChange } = props;
  return (
    <>
      <TextField
        label={terms.reference}
        value={consent.consent_reference}
        onInput={(consent_reference) => onChange({ ...consent, consent_reference })}
      />
      <TextField
        label={terms.purpose}
        value={consent.consent_purpose}
        onInput={(consent_purpose) => onChange({ ...consent, consent_purpose })}
        optional
      />
    </>
  );
}
