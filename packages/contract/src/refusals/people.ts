import type { RefusalRow } from './sentence.ts';

/** Refusals of consent, retention and the rights of a person. */
export const peopleRefusals = {
  consentInFuture: {
    status: 'malformed',
    field: 'consent_given_at',
    sentence: 'found {at:time}, which is in the future; allowed is a time until now',
  },
  consentPassed: {
    status: 'malformed',
    field: 'consent_until',
    sentence: 'found {at:time}, which has passed; allowed is a time after now',
  },
  consentIncomplete: {
    status: 'malformed',
    field: 'consent_reference',
    sentence: 'found nothing, and {field}; a consent is sent as a whole, with its reference',
  },
  consentEnded: {
    status: 'consentMissing',
    field: 'consent_reference',
    sentence: 'this gallery requires a consent, and the stored one ended at {at:time}; send the new one',
  },
  consentMissing: {
    status: 'consentMissing',
    field: 'consent_reference',
    sentence: 'this gallery requires a consent; send where you find it, and consent_purpose',
  },
  picturesScopeMissing: {
    status: 'denied',
    field: 'pictures',
    sentence: 'the token lacks the scope pictures; send a token that has it, or export without pictures',
  },
} as const satisfies Record<string, RefusalRow>;
