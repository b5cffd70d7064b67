import { Refusal } from '../../errors.ts';
import { dayMs, minuteMs } from '../../lib/time.ts';
import type { GalleryRecord } from '../../store/ports/galleries.ts';
import type { Consent, PersonTerms, TermsUpdate } from '../../store/ports/people.ts';

/** Consent and retention in a request. */
export interface TermsFields {
  readonly consentReference?: string | undefined;
  readonly consentPurpose?: string | undefined;
  readonly consentGivenAt?: string | undefined;
  readonly consentUntil?: string | undefined;
  readonly retentionDays?: number | null | undefined;
}

/** Clocks of clients may be ahead by so much. */
const clockSkewMs = 5 * minuteMs;

/**
 * What a request changes. A consent is one thing: with a reference the whole stored one is replaced, without one it is
 * kept.
 * @throws Refusal `malformed`
 */
export function termsOf(fields: TermsFields, now = new Date()): TermsUpdate {
  const { retentionDays: days } = fields;
  const expiresAt = typeof days === 'number' ? new Date(now.getTime() + days * dayMs) : days;
  return { consent: consentOf(fields, now), expiresAt };
}

function consentOf(fields: TermsFields, now: Date): Consent | undefined {
  const { consentReference: reference, consentPurpose: purpose, consentGivenAt, consentUntil } = fields;
  if (reference === undefined) {
    requireNothingElse(fields);
    return undefined;
  }
  const givenAt = consentGivenAt === undefined ? now : new Date(consentGivenAt);
  const until = consentUntil === undefined ? null : new Date(consentUntil);
  if (givenAt.getTime() > now.getTime() + clockSkewMs) {
    throw new Refusal('consentInFuture', { at: givenAt.toISOString() });
  }
  if (until && until <= now) {
    throw new Refusal('consentPassed', { at: until.toISOString() });
  }
  return { reference, purpose: purpose ?? null, givenAt, until };
}

function requireNothingElse({ consentPurpose, consentGivenAt, consentUntil }: TermsFields): void {
  const given = Object.entries({
    consent_purpose: consentPurpose,
    consent_given_at: consentGivenAt,
    consent_until: consentUntil,
  }).find(([, value]) => value !== undefined);
  if (!given) return;
  throw new Refusal('consentIncomplete', { field: given[0] });
}

/** Whether a gallery requires a consent, and neither call nor store has a valid one. */
function lacksConsent(
  { requireConsent: required }: Pick<GalleryRecord, 'requireConsent'>,
  given: TermsUpdate,
  stored: PersonTerms | null,
): boolean {
  const kept = stored?.consent;
  const isKept = kept != null && (kept.until === null || kept.until > new Date());
  return required && !given.consent && !isKept;
}

/**
 * @param stored of the person who is enrolled already; null: nobody is
 * @throws Refusal `consentMissing` where the gallery requires a consent, and neither call nor store has a valid one
 */
export function requireConsent(
  { requireConsent: required }: Pick<GalleryRecord, 'requireConsent'>,
  given: TermsUpdate,
  stored: PersonTerms | null,
): void {
  if (!lacksConsent({ requireConsent: required }, given, stored)) return;
  const ended = stored?.consent?.until;
  throw ended ? new Refusal('consentEnded', { at: ended.toISOString() }) : new Refusal('consentMissing');
}
