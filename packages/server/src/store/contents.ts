import { readNearQuota } from './client-store.ts';
import { countCrops } from './crop-store.ts';
import type { Database } from './database/session.ts';
import type { QuotaUse } from './ports.ts';

/** Galleries and faces with one embedding spec. */
interface SpecUse {
  /** JSON. */
  readonly embeddingSpec: string;
  readonly galleries: number;
  readonly faces: number;
  /** Faces of the largest of them. */
  readonly largest: number;
}

/** What a store contains, for `wajah doctor`. */
export interface StoreContents {
  /** Digest of the master key (see `keyDigest`); null: none stored. */
  readonly keyCheck: string | null;
  /** Of the master key that was replaced last, see `recordMasterKey`; null: none. */
  readonly formerKeyCheck: string | null;
  /** Calibration of the whole server (JSON); null: the pack's. */
  readonly calibration: string | null;
  /** Time of the newest audit record, milliseconds since 1970; null: none. */
  readonly newestRecordAt: number | null;
  readonly specs: readonly SpecUse[];
  readonly crops: number;
  readonly nearQuota: readonly QuotaUse[];
}

type Reader = Pick<Database, 'all' | 'get'>;

export async function readContents(db: Reader): Promise<StoreContents> {
  const meta = async (key: string) =>
    (await db.get<{ value: string }>('SELECT value FROM meta WHERE key = $1', key))?.value ?? null;
  const newest = await db.get<{ at: number }>('SELECT at FROM audit ORDER BY id DESC LIMIT 1');
  return {
    keyCheck: await meta('master_key_check'),
    formerKeyCheck: await meta('master_key_former'),
    calibration: await meta('calibration'),
    newestRecordAt: newest?.at ?? null,
    specs: await db.all<SpecUse>(
      `SELECT embedding_spec AS "embeddingSpec", count(*) AS galleries, CAST(sum(faces) AS bigint) AS faces,
        max(faces) AS largest FROM galleries WHERE embedding_spec IS NOT NULL AND faces > 0 GROUP BY embedding_spec`,
    ),
    crops: await countCrops(db),
    nearQuota: await readNearQuota(db),
  };
}
