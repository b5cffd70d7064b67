import type { Database, Session, SqlValue } from './database/session.ts';
import { eraseInSlices } from './erase.ts';
import type { DifferentPeopleStore, SubjectStore } from './ports/people.ts';
import type { CropStore, PictureRecord, PictureStore, UnnamedPictures } from './ports/pictures.ts';
import { type Blob, bytesOf, countOf, rowMapper, where } from './rows.ts';

export function createCropStore(db: Database): CropStore {
  return {
    async get(gallery, userId) {
      const sql = 'SELECT crop FROM face_crops WHERE gallery = $1 AND user_id = $2 ORDER BY place';
      return (await db.all<{ crop: Blob }>(sql, gallery, userId)).map(({ crop }) => bytesOf(crop));
    },
    async newest(gallery, userId) {
      const sql =
        'SELECT crop FROM face_crops WHERE gallery = $1 AND user_id = $2 ORDER BY place DESC LIMIT 1';
      const row = await db.get<{ crop: Blob }>(sql, gallery, userId);
      return row ? bytesOf(row.crop) : null;
    },
    async owners(gallery, first, last) {
      const sql =
        'SELECT DISTINCT user_id FROM face_crops WHERE gallery = $1 AND user_id >= $2 AND user_id <= $3';
      const found = await db.all<{ user_id: string }>(sql, gallery, first, last);
      return new Set(found.map(({ user_id: userId }) => userId));
    },
    async erase(galleries) {
      let erased = 0;
      for (const gallery of galleries)
        erased += await eraseInSlices(db, 'face_crops', 'gallery = $1', gallery);
      if (erased > 0) db.purge();
      return erased;
    },
    count: () => countCrops(db),
  };
}

export function countCrops(db: Pick<Session, 'get'>): Promise<number> {
  return countOf(db, 'SELECT count(*) AS count FROM face_crops');
}

/** Inside the transaction that writes the face. */
export async function writeCrops(
  session: Session,
  gallery: number,
  userId: string,
  crops: readonly Uint8Array[],
): Promise<void> {
  for (const crop of crops) {
    await session.run(
      `INSERT INTO face_crops (gallery, user_id, place, crop)
       SELECT CAST($1 AS bigint), CAST($2 AS text), coalesce(max(place) + 1, 0), $3
         FROM face_crops WHERE gallery = $1 AND user_id = $2`,
      gallery,
      userId,
      crop,
    );
  }
}

export function createDifferentPeopleStore(db: Database): DifferentPeopleStore {
  // Neither is erased until the mark is written.
  const insert = `
    INSERT INTO different_people (gallery, user_a, user_b)
      SELECT a.gallery, a.user_id, b.user_id FROM faces a JOIN faces b ON b.gallery = a.gallery
       WHERE a.gallery = $1 AND a.user_id = $2 AND b.user_id = $3 ${db.dialect.forKeyShare}
      ON CONFLICT DO NOTHING`;
  const mark = 'FROM different_people WHERE gallery = $1 AND user_a = $2 AND user_b = $3';
  return {
    mark: async (gallery, users) => void (await db.run(insert, gallery, ...users.toSorted())),
    unmark: async (gallery, users) => void (await db.erase(`DELETE ${mark}`, gallery, ...users.toSorted())),
    isMarked: async (gallery, users) =>
      (await db.get(`SELECT 1 AS found ${mark}`, gallery, ...users.toSorted())) !== undefined,
    async listOf(gallery, userId) {
      const sql = `SELECT user_b AS other FROM different_people WHERE gallery = $1 AND user_a = $2
        UNION SELECT user_a AS other FROM different_people WHERE gallery = $1 AND user_b = $2 ORDER BY other`;
      return (await db.all<{ other: string }>(sql, gallery, userId)).map(({ other }) => other);
    },
  };
}

const pictures = rowMapper<PictureRecord>('face_pictures', {
  pictureId: 'text',
  userId: 'text',
  place: 'int',
});

/** Replaces the ids of a person's pictures from a place on. */
export async function writePictures(
  session: Session,
  gallery: number,
  userId: string,
  first: number,
  ids: readonly string[],
): Promise<void> {
  const beyond = 'DELETE FROM face_pictures WHERE gallery = $1 AND user_id = $2 AND place >= $3';
  await session.run(beyond, gallery, userId, first);
  const insert =
    'INSERT INTO face_pictures (gallery, user_id, place, picture_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING';
  for (const [at, id] of ids.entries()) await session.run(insert, gallery, userId, first + at, id);
}

export function createPictureStore(db: Database): PictureStore {
  const from = 'FROM face_pictures WHERE gallery = $1';
  return {
    assign: (gallery, faces) => db.transaction((session) => assign(session, gallery, faces), { gallery }),
    get: (gallery, pictureId) => pictures.get(db, `SELECT * ${from} AND picture_id = $2`, gallery, pictureId),
    count(gallery, userId) {
      const values: SqlValue[] = [gallery];
      const ofUser = where(values, { 'user_id = ?': userId });
      return countOf(db, `SELECT count(*) AS count ${from} AND ${ofUser}`, ...values);
    },
    async page(gallery, { userId, offset, limit }) {
      const values: SqlValue[] = [gallery, limit, offset];
      const ofUser = where(values, { 'user_id = ?': userId });
      const sql = `SELECT * ${from} AND ${ofUser} ORDER BY user_id, place LIMIT $2 OFFSET $3`;
      return pictures.all(db, sql, ...values);
    },
  };
}

const assigned = { gallery: 'bigint', user_id: 'text', seq: 'bigint', ids: 'bigint' } as const;
const named = { gallery: 'bigint', user_id: 'text', seq: 'bigint', place: 'bigint', id: 'text' } as const;
const current = 'faces f WHERE f.gallery = n.gallery AND f.user_id = n.user_id AND f.seq = n.seq';

async function assign(session: Session, gallery: number, faces: readonly UnnamedPictures[]): Promise<void> {
  await session.runAll(
    `DELETE FROM face_pictures WHERE gallery IN (SELECT n.gallery FROM :rows)
        AND user_id IN (SELECT n.user_id FROM :rows WHERE EXISTS (SELECT 1 FROM ${current}))
        AND place >= (SELECT n.ids FROM :rows WHERE n.user_id = face_pictures.user_id)`,
    assigned,
    faces.map(({ userId, seq, ids }) => [gallery, userId, seq, ids.length]),
  );
  await session.runAll(
    `INSERT INTO face_pictures (gallery, user_id, place, picture_id)
       SELECT n.gallery, n.user_id, n.place, n.id FROM :rows WHERE EXISTS (SELECT 1 FROM ${current})
       ON CONFLICT DO NOTHING`,
    named,
    faces.flatMap(({ userId, seq, ids }) => ids.map((id, place) => [gallery, userId, seq, place, id])),
  );
}

export function createSubjectStore(db: Database): SubjectStore {
  // The gallery is not erased until the name is written.
  const insert = `
    INSERT INTO named_subjects (gallery, user_id)
      SELECT id, CAST($2 AS text) FROM galleries WHERE id = $1 AND client_id IS NOT NULL ${db.dialect.forKeyShare}
      ON CONFLICT DO NOTHING`;
  return {
    add: async (gallery, userId) => (await db.run(insert, gallery, userId)) === 1,
    async list(gallery) {
      const sql = 'SELECT user_id FROM named_subjects WHERE gallery = $1 ORDER BY user_id';
      return (await db.all<{ user_id: string }>(sql, gallery)).map(({ user_id: userId }) => userId);
    },
    async remove(gallery, userId) {
      const sql = 'DELETE FROM named_subjects WHERE gallery = $1 AND user_id = $2';
      return (await db.erase(sql, gallery, userId)) > 0;
    },
  };
}
