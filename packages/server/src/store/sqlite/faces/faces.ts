import { suspendedUsers } from '../../people/rows.ts';
import { type SealedRow, toSealedFace } from '../../rows.ts';
import { isMatched, sqlFaces } from '../../sql/faces.ts';
import type { FaceStore } from '../../store.ts';
import type { SqliteDatabase } from '../connection/database.ts';
import { enrol } from './enrol.ts';
import { rewrite } from './pictures.ts';
import { removeFace } from './remove.ts';

/** While a gallery is switched, faces with a pending template still have the former embedding spec. */
const spec = `CASE WHEN g.contract = g.next_contract AND EXISTS (SELECT 1 FROM next_templates n
  WHERE n.gallery = f.gallery AND n.user_id = f.user_id) THEN g.former_contract ELSE g.contract END`;

export function sqliteFaces(db: SqliteDatabase): FaceStore {
  return {
    ...sqlFaces(db.executor, spec),
    enrol: (gallery, face, replace, version) => enrol(db, gallery, face, replace, version),
    slice: async (gallery, after, limit) => {
      const state = db.get<{ version: number; faces: number }>(
        `SELECT version, faces - (SELECT count(*) FROM (${suspendedUsers})) AS faces FROM galleries
         WHERE id = $1 AND client_id IS NOT NULL`,
        gallery,
      );
      if (!state) return null;
      const rows = db.all<SealedRow>(
        `SELECT user_id, user_name, template, seq FROM faces
         WHERE gallery = $1 AND seq > $2 ${isMatched} ORDER BY seq LIMIT $3`,
        gallery,
        after,
        limit,
      );
      return { version: state.version, faces: rows.map(toSealedFace), total: state.faces };
    },
    rewrite: (gallery, change, version) => rewrite(db, gallery, change, version),
    remove: async (gallery, userId, how) => {
      const version = await db.write(() => removeFace(db, gallery, userId, how), { erases: true });
      if (version !== false) db.purge();
      return version;
    },
  };
}
