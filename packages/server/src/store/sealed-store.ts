import { featureGallerySealed, featureSealed } from '../features/declared.ts';
import type { Database, SqlValue } from './database/session.ts';
import type { DerivedColumn, SealedColumn } from './database/types.ts';
import type { SealedPlace, SealedRow, SealedStore } from './ports/sealed.ts';
import { bytesOf, where } from './rows.ts';

/** Before the first row. */
export const firstPlace: SealedPlace = { name: '', part: -1 };

const frames = { table: 'liveness_frames', name: 'session', part: 'id' } as const;

/** What is sealed under the key of a gallery, in the order in which it is sealed anew. */
export const galleryColumns = {
  template: { table: 'faces', column: 'template', name: 'user_id', part: '0', ofGallery: true },
  crop: { table: 'face_crops', column: 'crop', name: 'user_id', part: 'place', ofGallery: true },
  cohort: {
    table: 'gallery_cohorts',
    column: 'sealed',
    name: 'CAST(gallery AS text)',
    part: '0',
    ofGallery: true,
  },
  ...featureGallerySealed,
} as const satisfies Readonly<Record<string, SealedColumn>>;

/** What is sealed under keys that are derived from the master key. */
export const derivedColumns = {
  frameShapes: {
    ...frames,
    column: 'shapes',
    purpose: 'wajah remembered frames',
    context: ({ name }) => ['frames', name],
  },
  ...featureSealed,
} as const satisfies Readonly<Record<string, DerivedColumn>>;

export function createSealedStore(db: Database): SealedStore {
  return {
    async next(of, gallery, after, limit) {
      const order = orderOf(of);
      const values: SqlValue[] = [limit];
      const inGallery = where(values, { 'gallery = ?': of.ofGallery && gallery });
      const place = order.map((column) => `$${values.push(column === of.name ? after.name : after.part)}`);
      const sql = `SELECT ${of.name} AS name, ${of.part} AS part, ${of.column} AS sealed,
        coalesce(${of.clientId ?? "''"}, '') AS "clientId" FROM ${of.table}
        WHERE ${of.column} IS NOT NULL AND ${inGallery} AND (${order}) > (${place}) ORDER BY ${order} LIMIT $1`;
      const rows = await db.all<SealedRow>(sql, ...values);
      return rows.map((row) => ({ ...row, sealed: bytesOf(row.sealed) }));
    },
    async replace(of, gallery, row, sealed) {
      const values: SqlValue[] = [sealed];
      const inGallery = where(values, { 'gallery = ?': of.ofGallery && gallery });
      const place = orderOf(of).map(
        (column) => `${column} = $${values.push(column === of.name ? row.name : row.part)}`,
      );
      const which = [inGallery, ...place].join(' AND ');
      await db.run(`UPDATE ${of.table} SET ${of.column} = $1 WHERE ${which}`, ...values);
    },
    async eraseCrop(gallery, { name, part }) {
      const which = 'gallery = $1 AND user_id = $2 AND place = $3';
      await db.erase(`DELETE FROM face_crops WHERE ${which}`, gallery, name, part);
      db.purge();
    },
    eraseSessionTemplates: () =>
      db.erase('UPDATE liveness_sessions SET template = NULL, frame = NULL WHERE template IS NOT NULL'),
  };
}

/** Columns that name a row: the id of a frame alone, or name and part. */
function orderOf({ table, name, part }: SealedColumn): string[] {
  if (table === frames.table) return [part];
  return part === '0' ? [name] : [name, part];
}
