import type { Migration } from '../../../migration.ts';

/** Consent, retention and suspension of people. */
export const personTerms: Migration = {
  number: 16,
  name: 'person terms',
  sql: `
    CREATE TABLE person_terms (
      gallery bigint NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      consent_reference text,
      consent_purpose text,
      consent_given_at bigint,
      consent_until bigint,
      -- end of the person's own retention; null: that of the gallery
      expires_at bigint,
      suspended_at bigint,
      PRIMARY KEY (gallery, user_id)
    );
    CREATE INDEX person_terms_by_expiry ON person_terms (expires_at) WHERE expires_at IS NOT NULL;
    CREATE INDEX person_terms_by_consent ON person_terms (consent_until) WHERE consent_until IS NOT NULL;
    CREATE INDEX suspended_people ON person_terms (gallery, user_id) WHERE suspended_at IS NOT NULL;
    CREATE INDEX faces_by_age ON faces (gallery, created_at);
    ALTER TABLE galleries ADD COLUMN require_consent bigint NOT NULL DEFAULT 0;
    ALTER TABLE galleries ADD COLUMN retention_days bigint;
  `,
};
