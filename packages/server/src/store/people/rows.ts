import { type Consent, noTerms, type PersonTerms, type TermsUpdate } from './person-store.ts';

/** A row of `person_terms`. Times are milliseconds since 1970. */
export interface TermsRow {
  readonly user_id: string;
  readonly consent_reference: string | null;
  readonly consent_purpose: string | null;
  readonly consent_given_at: number | null;
  readonly consent_until: number | null;
  readonly expires_at: number | null;
  readonly suspended_at: number | null;
}

export const selectTerms = 'SELECT * FROM person_terms WHERE gallery = $1 AND user_id = $2';
export const deleteTerms = 'DELETE FROM person_terms WHERE gallery = $1 AND user_id = $2';
/** Internal number of the gallery, user_id, the new user_id. */
export const moveTerms = 'UPDATE person_terms SET user_id = $3 WHERE gallery = $1 AND user_id = $2';
export const insertTerms = `INSERT INTO person_terms (gallery, user_id, consent_reference, consent_purpose,
  consent_given_at, consent_until, expires_at, suspended_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Users of a gallery who are not matched. Parameter: its internal number. */
export const suspendedUsers =
  'SELECT user_id FROM person_terms WHERE gallery = $1 AND suspended_at IS NOT NULL';

export function toTerms(row: TermsRow | undefined): PersonTerms {
  if (!row) return noTerms;
  return {
    consent: consentOf(row),
    expiresAt: dateOrNull(row.expires_at),
    suspendedAt: dateOrNull(row.suspended_at),
  };
}

function consentOf(row: TermsRow): Consent | null {
  const { consent_reference: reference, consent_purpose: purpose, consent_given_at: givenAt } = row;
  if (reference === null || givenAt === null) return null;
  return { reference, purpose, givenAt: new Date(givenAt), until: dateOrNull(row.consent_until) };
}

/** Values of `insertTerms` after gallery and user_id; null: nothing is left to be recorded. */
export function changedTerms(
  row: TermsRow | undefined,
  update: TermsUpdate & { readonly suspendedAt?: Date | null },
) {
  const before = toTerms(row);
  const given = Object.entries(update).filter(([, value]) => value !== undefined);
  const { consent, expiresAt, suspendedAt }: PersonTerms = { ...before, ...Object.fromEntries(given) };
  if (!consent && !expiresAt && !suspendedAt) return null;
  return [
    consent?.reference ?? null,
    consent?.purpose ?? null,
    consent?.givenAt.getTime() ?? null,
    consent?.until?.getTime() ?? null,
    expiresAt?.getTime() ?? null,
    suspendedAt?.getTime() ?? null,
  ] as const;
}

function dateOrNull(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
