import type { PersonTerms } from '../../store/person-store.ts';
import type { SessionPerson } from '../../store/session-store.ts';
import type { ServiceDependencies } from '../dependencies.ts';

/** Whose person: a client, and the user_id that it gave. */
export interface PersonName {
  readonly clientId: string;
  readonly userId: string;
}

export type PeopleParts = Pick<
  ServiceDependencies,
  'store' | 'vault' | 'matcher' | 'recordings' | 'sessionVault'
> & { readonly events: Pick<ServiceDependencies['events'], 'forget' | 'webhookRow' | 'webhookWritten'> };
export type Statistics = Pick<ServiceDependencies['cohorts'], 'faceErased'>;

/** With what is told of a change; null: a process without an engine. */
export type Parts = PeopleParts & { readonly cohorts: Statistics | null };

/** A person as sessions name them: by user_id, or as their subject. */
export function sessionPerson(
  { sessionVault }: Pick<PeopleParts, 'sessionVault'>,
  { clientId, userId }: PersonName,
): SessionPerson {
  return { clientId, userId, subject: sessionVault.digestSubject(clientId, ['subject', userId]) };
}

/** Terms of a person, and when the person is erased. */
export type KnownTerms = PersonTerms & { readonly expiry: Date | null };
