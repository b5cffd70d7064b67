import { featureInspections } from '../features/declared.ts';
import { sweptAtName } from '../lib/clock-jump.ts';
import { isEmbeddingSpec } from './calibrations.ts';
import { countCrops } from './crop-store.ts';
import { newestSchema } from './database/schema.ts';
import type { Database } from './database/session.ts';
import { readSpecs } from './gallery-store.ts';
import type { EmbeddingSpecUse } from './ports/galleries.ts';
import { findDamagedRows } from './row-damage.ts';

/** What an inspection finds in a store. */
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
  /** Galleries whose templates `wajah reembed` has replaced in part. */
  readonly partial: readonly EmbeddingSpecUse[];
  /** What is wrong with rows that cannot be read. */
  readonly damagedRows: readonly string[];
  /** What features say of their rows. */
  readonly ofFeatures: readonly { readonly id: string; readonly sentence: string }[];
}

/** What both kinds of stores report to an inspection. */
export interface StoreFacts {
  readonly schema: number;
  /** Version of the program that last migrated it; null: not recorded. */
  readonly migratedBy: string | null;
  /** Why a start does not take the tables; null: it does. */
  readonly foreign: string | null;
  /** Null: there are no tables yet, or the user may not read them. */
  readonly contents: StoreContents | null;
}

type Reader = Pick<Database, 'all' | 'get' | 'dialect'>;

/** Of the schema with `former_spec`. */
const schemaOfPartial = 27;

export async function readContents(db: Reader, schema: number): Promise<StoreContents> {
  const meta = async (key: string) =>
    (await db.get<{ value: string }>('SELECT value FROM meta WHERE key = $1', key))?.value ?? null;
  const newest = await db.get<{ at: number }>('SELECT at FROM audit ORDER BY id DESC LIMIT 1');
  return {
    keyCheck: await meta('master_key_check'),
    formerKeyCheck: await meta('master_key_former'),
    newestRecordAt: newest?.at ?? null,
    sweptAt: new Date(Number(await meta(sweptAtName))).getTime() || null,
    crops: await countCrops(db),
    partial:
      schema < schemaOfPartial ? [] : (await readSpecs(db)).filter(({ formerSpec }) => formerSpec !== null),
    ofFeatures:
      schema < newestSchema
        ? []
        : (await Promise.all(featureInspections.map((inspect) => inspect(db)))).flatMap(
            (found) => found ?? [],
          ),
    damagedRows: (await findDamagedRows(db)).map(({ message }) => message),
  };
}

/** Number and version of the gallery of drawn people as it was made: a change of its faces changes the version. */
export const sampleGalleryMark = 'sample_gallery';

/** Of a gallery, as `sampleGalleryMark` has it. */
export const markOf = ({ id, version }: { readonly id: number; readonly version: number }) =>
  `${id} ${version}`;

/** Embedding specs (JSON) that people are enrolled with; drawn people, who are enrolled anew, are none. */
export async function readEnrolledSpecs(db: Reader): Promise<string[]> {
  const found = await db.all<{ spec: string }>(
    `SELECT DISTINCT embedding_spec AS spec FROM galleries
      WHERE faces > 0 AND embedding_spec IS NOT NULL AND client_id IS NOT NULL
        AND id || ' ' || version NOT IN (SELECT value FROM meta WHERE key = $1)`,
    sampleGalleryMark,
  );
  // A gallery whose spec cannot be read is refused, and no pack is chosen by it.
  return found.map(({ spec }) => spec).filter(isEmbeddingSpec);
}
