import type { PersonTerms } from '../../store/person-store.ts';
import type { FaceRecord } from '../../store/store.ts';

/** With the time at which the person is erased. */
type KnownTerms = PersonTerms & { readonly expiry: Date | null };

/** A user in a list; with times where the terms were asked for. */
export function personView({ terms, ...face }: FaceRecord & { readonly terms: KnownTerms | undefined }) {
  if (terms) return { ...timedView(face), ...termsView(terms) };
  return { user_id: face.userId, user_name: face.userName };
}

export function timedView({ userId, userName, createdAt, updatedAt }: FaceRecord) {
  return {
    user_id: userId,
    user_name: userName,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

export function termsView({ consent, expiry, suspendedAt }: KnownTerms) {
  return {
    consent: consent && {
      reference: consent.reference,
      purpose: consent.purpose,
      given_at: consent.givenAt.toISOString(),
      until: consent.until?.toISOString() ?? null,
    },
    expires_at: expiry?.toISOString() ?? null,
    suspended_at: suspendedAt?.toISOString() ?? null,
  };
}
