import { sweptAtName } from '../lib/clock-jump.ts';
import { countCrops } from './crop-store.ts';
import type { Database } from './database/session.ts';

/** What a store contains, for `wajah doctor`. */
export interface StoreContents {
  /** Digest of the master key (see `keyDigest`); null: none stored. */
  readonly keyCheck: string | null;
  /** Of the master key that was replaced last, see `recordMasterKey`; null: none. */
  readonly formerKeyCheck: string | null;
  /** Time of the newest audit record, milliseconds since 1970; null: none. */
  readonly newestRecordAt: number | null;
  /** Time of the last sweep for people whose time has ended, milliseconds since 1970; null: none. */
  readonly sweptAt: number | null;
  /** Number of stored face crops. */
  readonly crops: number;
}

/** What both kinds of stores report to `wajah doctor`. */
export interface StoreFacts {
  readonly schema: number;
  /** Version of the program that last migrated it; null: not recorded. */
  readonly migratedBy: string | null;
  /** Why a start does not take the tables; null: it does. */
  readonly foreign: string | null;
  /** Null: there are no tables yet, or the user may not read them. */
  readonly contents: StoreContents | null;
}

type Reader = Pick<Database, 'all' | 'get'>;

export async function readContents(db: Reader): Promise<StoreContents> {
  const meta = async (key: string) =>
    (await db.get<{ value: string }>('SELECT value FROM meta WHERE key = $1', key))?.value ?? null;
  const newest = await db.get<{ at: number }>('SELECT at FROM audit ORDER BY id DESC LIMIT 1');
  return {
    keyCheck: await meta('master_key_check'),
    formerKeyCheck: await meta('master_key_former'),
    newestRecordAt: newest?.at ?? null,
    sweptAt: Number(await meta(sweptAtName)) || null,
    crops: await countCrops(db),
  };
}

/** Number and version of the gallery of drawn people as it was made: a change of its faces changes the version. */
export const sampleGalleryMark = 'sample_gallery';

/** Of a gallery, as `sampleGalleryMark` has it. */
export const markOf = ({ id, version }: { readonly id: number; readonly version: number }) =>
  `${id} ${version}`;

/** What people of galleries are enrolled with, as embedding specs (JSON). */
export interface EnrolledSpec {
  readonly spec: string;
  /** That `wajah reembed` prepares; null: none. */
  readonly next: string | null;
}

/** What people are enrolled with; drawn people, who are enrolled anew, are none. */
export function readEnrolledSpecs(db: Reader): Promise<EnrolledSpec[]> {
  return db.all<EnrolledSpec>(
    `SELECT DISTINCT embedding_spec AS spec, next_embedding_spec AS next FROM galleries
      WHERE faces > 0 AND embedding_spec IS NOT NULL AND client_id IS NOT NULL
        AND id || ' ' || version NOT IN (SELECT value FROM meta WHERE key = $1)`,
    sampleGalleryMark,
  );
}
