import type { Table, Types } from '../../store/database/types.ts';

/** Schema 30. Rows of people are never updated, but written anew. */
export const expectedStep = ({ text, name, int, end, ofGallery }: Types) => `
    CREATE TABLE expected_people (${ofGallery(
      `user_id ${name} NOT NULL,
      user_name ${text} NOT NULL`,
      'user_id',
    )}
    )${end};
    -- The latest enrolment link of each person.
    CREATE TABLE expected_links (${ofGallery(
      `user_id ${name} NOT NULL,
      session_id ${name} NOT NULL,
      expires_at ${int} NOT NULL,
      -- that the enrolment is given
      consent_reference ${text},
      consent_purpose ${text},
      consent_given_at ${int},
      consent_until ${int},
      -- why nobody was enrolled; null: nothing has failed
      failed ${text}`,
      'user_id',
    )}
    )${end};
    CREATE UNIQUE INDEX expected_links_by_session ON expected_links (session_id);
`;

const ofPerson = {
  key: ['gallery', 'user_id'],
  owner: 'gallery',
  omit: ['id'],
  person: ['user_id'],
} as const;

/** A row is erased with the person, the gallery and the client. */
export const expectedTables: readonly Table[] = [
  { name: 'expected_people', ...ofPerson },
  { name: 'expected_links', ...ofPerson, link: 'session_id' },
];
