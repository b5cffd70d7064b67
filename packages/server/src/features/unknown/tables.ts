import type { Session } from '../../store/database/session.ts';
import type { SealedColumn, Table, Types } from '../../store/database/types.ts';

/** Schema 29. */
export const unknownStep = ({ text, name, int, bytes, sealed, ofGallery }: Types) => `
    -- Hours for which faces that are not identified are kept; null: none are.
    ALTER TABLE galleries ADD COLUMN keep_unknown_hours ${int};
    CREATE TABLE unknown_faces (${ofGallery(
      `unknown_id ${name} NOT NULL,
      template ${bytes} NOT NULL,
      embedding_spec ${text} NOT NULL,
      -- sealed; null: the gallery keeps none
      crop ${bytes},
      first_seen_at ${int} NOT NULL,
      last_seen_at ${int} NOT NULL,
      seen ${int} NOT NULL`,
      'unknown_id',
    )}
    )${sealed};
    CREATE INDEX unknown_faces_by_time ON unknown_faces (gallery, last_seen_at);
`;

/** Nobody's user_id: a person is looked for by a face. In the transaction in which the gallery goes, its rows do. */
export const unknownTables: readonly Table[] = [
  {
    name: 'unknown_faces',
    key: ['gallery', 'unknown_id'],
    owner: 'gallery',
    omit: ['id'],
    person: null,
    atOnce: 'row',
    sealed: ['template', 'crop'],
  },
];

const ofUnknown = { table: 'unknown_faces', name: 'unknown_id', part: '0', ofGallery: true } as const;

/** Under the key of the gallery, bound to the unknown_id. */
export const unknownSealed = {
  unknownTemplate: { ...ofUnknown, column: 'template' },
  unknownCrop: { ...ofUnknown, column: 'crop' },
} as const satisfies Readonly<Record<string, SealedColumn>>;

/** Where faces that are not identified are kept, for an inspection; null: nowhere. */
export async function inspectUnknown(db: Pick<Session, 'get'>) {
  const counted = await db.get<{ galleries: number; people: number }>(
    `SELECT count(*) AS galleries, (SELECT count(*) FROM unknown_faces) AS people FROM galleries
      WHERE keep_unknown_hours IS NOT NULL AND client_id IS NOT NULL`,
  );
  if (!counted || counted.galleries + counted.people === 0) return null;
  const { galleries, people } = counted;
  return {
    id: 'unknown_people',
    sentence: `kept in ${galleries} galleries with keep_unknown_hours, sealed; ${people} stored`,
  };
}
