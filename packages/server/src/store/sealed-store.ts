import type { Database, SqlValue } from './database/session.ts';
import { bytesOf, where } from './rows.ts';

/** What is sealed under the key of a gallery. */
export const galleryKinds = ['nextTemplate', 'template', 'crop', 'cohort'] as const;
/** What is sealed under keys that are derived from the master key. */
export const masterKinds = ['frameShapes', 'webhookSecret'] as const;

export type GalleryKind = (typeof galleryKinds)[number];
export type MasterKind = (typeof masterKinds)[number];
export type SealedKind = GalleryKind | MasterKind;

/** A place in the order of the rows of a kind. */
export interface SealedPlace {
  /** user_id of a gallery's faces, number of a gallery with statistics, otherwise the id of the session. */
  readonly name: string;
  /** Number of the crop, of the remembered session; otherwise 0. */
  readonly part: number;
}

/** A sealed value. */
export interface SealedRow extends SealedPlace {
  readonly sealed: Uint8Array;
  /** Client of a webhook; otherwise empty. */
  readonly clientId: string;
}

/** Before the first row. */
export const firstPlace: SealedPlace = { name: '', part: -1 };

/** `auto`: the statistics follow the gallery; `frozen`: they stay as they are; `off`: scores are not normalised. */
export type CohortMode = 'auto' | 'frozen' | 'off';

/** Sealed statistics of a gallery's people. */
export interface SealedCohort {
  /** The gallery's version that they are of, or an older one. */
  readonly version: number;
  /** People measured. */
  readonly people: number;
  readonly sealed: Uint8Array;
}

/** Where the values of a kind are. */
interface Column {
  readonly table: string;
  readonly column: string;
  /** SQL expressions of name, part and client_id. */
  readonly name: string;
  readonly part: string;
  readonly clientId?: string;
  readonly ofGallery?: true;
}

const frames = { table: 'liveness_frames', name: 'session', part: 'id' } as const;

export const sealedColumns: Readonly<Record<SealedKind, Column>> = {
  nextTemplate: { table: 'next_templates', column: 'template', name: 'user_id', part: '0', ofGallery: true },
  template: { table: 'faces', column: 'template', name: 'user_id', part: '0', ofGallery: true },
  crop: { table: 'face_crops', column: 'crop', name: 'user_id', part: 'place', ofGallery: true },
  cohort: {
    table: 'gallery_cohorts',
    column: 'sealed',
    name: 'CAST(gallery AS text)',
    part: '0',
    ofGallery: true,
  },
  frameShapes: { ...frames, column: 'shapes' },
  webhookSecret: {
    table: 'webhook_endpoints',
    column: 'secret',
    name: 'id',
    part: '0',
    clientId: 'client_id',
  },
};

/** Sealed values of all kinds, to seal them under another key. */
export function createSealedStore(db: Database) {
  return {
    /**
     * In order; `after` is exclusive.
     * @param gallery internal number; ignored for kinds of no gallery
     */
    async next(kind: SealedKind, gallery: number, after: SealedPlace, limit: number): Promise<SealedRow[]> {
      const of = sealedColumns[kind];
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
    async replace(kind: SealedKind, gallery: number, row: SealedPlace, sealed: Uint8Array): Promise<void> {
      const of = sealedColumns[kind];
      const values: SqlValue[] = [sealed];
      const inGallery = where(values, { 'gallery = ?': of.ofGallery && gallery });
      const place = orderOf(of).map(
        (column) => `${column} = $${values.push(column === of.name ? row.name : row.part)}`,
      );
      const which = [inGallery, ...place].join(' AND ');
      await db.run(`UPDATE ${of.table} SET ${of.column} = $1 WHERE ${which}`, ...values);
    },
    /** Erases a face crop of a gallery. */
    async eraseCrop(gallery: number, { name, part }: SealedPlace): Promise<void> {
      const which = 'gallery = $1 AND user_id = $2 AND place = $3';
      await db.erase(`DELETE FROM face_crops WHERE ${which}`, gallery, name, part);
      db.purge();
    },
    /** Erases the templates and frames of passed sessions: a liveness token is bound to their sealed bytes. */
    eraseSessionTemplates: () =>
      db.erase('UPDATE liveness_sessions SET template = NULL, frame = NULL WHERE template IS NOT NULL'),
  };
}

/** Columns that name a row: the id of a frame alone, or name and part. */
function orderOf({ table, name, part }: Column): string[] {
  if (table === frames.table) return [part];
  return part === '0' ? [name] : [name, part];
}
