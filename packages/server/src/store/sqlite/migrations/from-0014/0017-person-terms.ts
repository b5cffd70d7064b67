import type { Migration } from '../../../migration.ts';

/**
 * Consent, retention and suspension of people. Rows are written anew and never updated, as those of faces: their texts
 * change their length.
 */
export const personTerms: Migration = {
  number: 17,
  name: 'person terms',
  sql: `
    CREATE TABLE person_terms (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      gallery INTEGER NOT NULL REFERENCES galleries ON DELETE CASCADE,
      user_id TEXT NOT NULL,
      consent_reference TEXT,
      consent_purpose TEXT,
      consent_given_at INTEGER,
      consent_until INTEGER,
      -- end of the person's own retention; null: that of the gallery
      expires_at INTEGER,
      suspended_at INTEGER,
      UNIQUE (gallery, user_id)
    ) STRICT;
    CREATE INDEX person_terms_by_expiry ON person_terms (expires_at) WHERE expires_at IS NOT NULL;
    CREATE INDEX person_terms_by_consent ON person_terms (consent_until) WHERE consent_until IS NOT NULL;
    CREATE INDEX suspended_people ON person_terms (gallery, user_id) WHERE suspended_at IS NOT NULL;
    CREATE INDEX faces_by_age ON faces (gallery, created_at);
    ALTER TABLE galleries ADD COLUMN require_consent INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE galleries ADD COLUMN retention_days INTEGER;
  `,
};
