import { z } from 'zod';
import { optionalCount, optionalInstant, optionalName, resettableCount } from '../fields.ts';

/** Most characters of the reference and of the purpose of a consent. */
const maxText = 200;
/** A hundred years. */
const maxDays = 36_500;

const consentFields = {
  consent_reference: optionalName(
    'Extension: where you find the consent of the person, such as the number of a form. With it the whole stored ' +
      'consent is replaced; without it the stored one is kept.',
    maxText,
  ),
  consent_purpose: optionalName(
    'Extension: for what the person agreed to be recognised. With `consent_reference` only.',
    maxText,
  ),
  consent_given_at: optionalInstant(
    'Extension: when the consent was given, ISO 8601. Default: now. With `consent_reference` only.',
  ),
  consent_until: optionalInstant(
    'Extension: when the consent ends, ISO 8601: the person is then erased from the gallery. With `consent_reference` only.',
  ),
};

/** Of an enrolment. */
export const termsFields = {
  ...consentFields,
  retention_days: optionalCount(
    "Extension: days from now after which the person is erased, instead of the gallery's. Default: what is stored is kept.",
    1,
    maxDays,
  ),
};

/** Of an enrolled person. */
export const changedTermsFields = {
  ...consentFields,
  retention_days: resettableCount(
    "Days from now after which the person is erased, instead of the gallery's; null: the gallery's.",
    1,
    maxDays,
  ),
};

export const galleryRetention = { least: 1, most: maxDays } as const;

/** Consent, retention and suspension of a person, in answers. */
export const termsAnswer = {
  consent: z
    .object({
      reference: z.string(),
      purpose: z.string().nullable(),
      given_at: z.string().meta({ description: 'ISO 8601.' }),
      until: z.string().nullable().meta({ description: 'ISO 8601; null: not limited.' }),
    })
    .nullable()
    .meta({ description: 'Consent of the person; null: none is stored.' }),
  expires_at: z.string().nullable().meta({
    description:
      "When the person is erased, ISO 8601: the end of the person's own retention, else of the gallery's, or of the consent, if that is earlier; null: never.",
  }),
  suspended_at: z
    .string()
    .nullable()
    .meta({ description: 'Since when the person is stored and not matched, ISO 8601; null: matched.' }),
};

export const exampleTerms = {
  consent: {
    reference: 'HR-2026-0113',
    purpose: 'entry to the office',
    given_at: '2026-01-31T12:00:00.000Z',
    until: null,
  },
  expires_at: '2027-01-31T12:00:00.000Z',
  suspended_at: null,
};
