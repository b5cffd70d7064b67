import type { Database, Session, SqlValue } from './database/session.ts';
import { detachGalleries, eraseDetached } from './erase.ts';
import { type Blob, bytesOf, dateOf } from './rows.ts';
import type { CohortMode, SealedCohort } from './sealed-store.ts';
import { hasFormerTemplates } from './template-migration-store.ts';

/** A gallery of one client. */
export interface GalleryRecord {
  /** Internal number, never reused. */
  readonly id: number;
  readonly clientId: string;
  readonly galleryId: string;
  /** The gallery's data key, wrapped under the master key; no template opens without it. */
  readonly wrappedKey: Uint8Array;
  /** The former data key, wrapped, while rows that are sealed under it are sealed anew; null: none. */
  readonly formerKey: Uint8Array | null;
  /** Embedding spec (JSON) of its templates; null while none is stored. */
  readonly embeddingSpec: string | null;
  /** Grows by one with each change of its faces. */
  readonly version: number;
  readonly faces: number;
  readonly createdAt: Date;
  /** Minimum similarity of a match, 0…1; null: the server's. */
  readonly threshold: number | null;
  /** Calibration curve (JSON) of its similarities; null: the server's. */
  readonly curve: string | null;
  /** Enrolment and verification need a liveness token. */
  readonly requireLiveness: boolean;
  /** Enrolment needs a consent, of the call or stored. */
  readonly requireConsent: boolean;
  /** Days after the first enrolment after which people are erased; null: no end. */
  readonly retentionDays: number | null;
  /** Former embedding spec and time of the last template migration; null: none. */
  readonly migrated: { readonly from: string; readonly at: Date } | null;
  /** A template migration is switching it: some templates still have the former embedding spec. */
  readonly migrating: boolean;
  /** Statistics that its scores are normalised by; null: none. */
  readonly cohort: SealedCohort | null;
  readonly cohortMode: CohortMode;
}

/** Settings to change; undefined keeps the value. */
export type GallerySettingsUpdate = Partial<
  Pick<
    GalleryRecord,
    'threshold' | 'curve' | 'requireLiveness' | 'cohortMode' | 'requireConsent' | 'retentionDays'
  >
>;

/** Rules that a gallery is created with. */
export type GalleryRules = Partial<
  Pick<GalleryRecord, 'requireLiveness' | 'requireConsent' | 'retentionDays'>
>;

/** Galleries and faces with one embedding spec. */
export interface EmbeddingSpecUse {
  readonly embeddingSpec: string;
  readonly galleries: number;
  readonly faces: number;
}

export interface GalleryStore {
  /** Checks name and quota in one transaction. @param wrapKey gets the new internal number */
  create(
    clientId: string,
    galleryId: string,
    wrapKey: (id: number) => Uint8Array,
    rules?: GalleryRules,
  ): Promise<GalleryRecord | 'exists' | 'quota'>;
  get(clientId: string, galleryId: string): Promise<GalleryRecord | null>;
  list(clientId: string): Promise<GalleryRecord[]>;
  /** @returns false when there is none */
  updateSettings(clientId: string, galleryId: string, tuning: GallerySettingsUpdate): Promise<boolean>;
  /**
   * Replaces the statistics of a gallery by newer ones, so that one version has the same on all servers.
   * @param gallery internal number
   * @param cohort null erases them
   * @returns false when the gallery is gone, is not in the mode `auto`, or has statistics of this version
   */
  storeCohort(gallery: number, cohort: SealedCohort | null): Promise<boolean>;
  /**
   * Replaces the wrapped keys of a gallery. From then on no face that was sealed with other keys is written.
   * @param gallery internal number
   * @param from the wrapped key until now
   * @param to the wrapped key and the former one
   * @returns false when it was not `from` any longer
   */
  replaceKeys(
    gallery: number,
    from: Uint8Array,
    to: Pick<GalleryRecord, 'wrappedKey' | 'formerKey'>,
  ): Promise<boolean>;
  /** The embedding specs of all galleries. */
  embeddingSpecs(): Promise<EmbeddingSpecUse[]>;
  /** Those of the galleries (internal numbers) that no longer exist. */
  findErased(galleries: readonly number[]): Promise<number[]>;
  /** Erases the gallery, its faces and its key. @returns false when there is none */
  remove(clientId: string, galleryId: string): Promise<boolean>;
}

interface GalleryRow {
  readonly id: number;
  readonly client_id: string;
  readonly gallery_id: string;
  readonly wrapped_key: Blob;
  readonly former_key: Blob | null;
  readonly embedding_spec: string | null;
  readonly version: number;
  readonly faces: number;
  readonly created_at: number;
  readonly threshold: number | null;
  readonly curve: string | null;
  readonly require_liveness: number;
  readonly require_consent: number;
  readonly retention_days: number | null;
  readonly former_embedding_spec: string | null;
  readonly migrated_at: number | null;
  readonly cohort_mode: GalleryRecord['cohortMode'];
  /** Null without statistics. */
  readonly cohort: Blob | null;
  readonly cohort_version: number | null;
  readonly cohort_people: number | null;
  readonly migrating: number | boolean;
}

function toGallery(row: GalleryRow): GalleryRecord {
  return {
    id: row.id,
    clientId: row.client_id,
    galleryId: row.gallery_id,
    wrappedKey: bytesOf(row.wrapped_key),
    formerKey: formerKeyOf(row.former_key),
    embeddingSpec: row.embedding_spec,
    version: row.version,
    faces: row.faces,
    createdAt: dateOf(row.created_at),
    threshold: row.threshold,
    curve: row.curve,
    requireLiveness: row.require_liveness !== 0,
    requireConsent: row.require_consent !== 0,
    retentionDays: row.retention_days,
    migrated:
      row.former_embedding_spec === null || row.migrated_at === null
        ? null
        : { from: row.former_embedding_spec, at: dateOf(row.migrated_at) },
    migrating: row.migrating === 1 || row.migrating === true,
    cohort:
      row.cohort === null || row.cohort_version === null || row.cohort_people === null
        ? null
        : { version: row.cohort_version, people: row.cohort_people, sealed: bytesOf(row.cohort) },
    cohortMode: row.cohort_mode,
  };
}

/** The embedded store overwrites a key that it erases with zeros. */
function formerKeyOf(blob: Blob | null): Uint8Array | null {
  const key = blob && bytesOf(blob);
  return key?.some((byte) => byte !== 0) ? key : null;
}

const selectSpecs = `
  SELECT embedding_spec AS "embeddingSpec", count(*) AS galleries, CAST(sum(faces) AS bigint) AS faces FROM galleries
   WHERE embedding_spec IS NOT NULL AND client_id IS NOT NULL GROUP BY embedding_spec ORDER BY embedding_spec`;

/** Parameters: `galleryValues`. */
const insertGallery = `INSERT INTO galleries
  (client_id, gallery_id, created_at, require_liveness, require_consent, retention_days)
  VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`;

function galleryValues(clientId: string, galleryId: string, rules: GalleryRules) {
  const { requireLiveness = false, requireConsent = false, retentionDays = null } = rules;
  const flags = [Number(requireLiveness), Number(requireConsent)] as const;
  return [clientId, galleryId, Date.now(), ...flags, retentionDays] as const;
}

/** Parameters: internal number, former and new wrapped key. */
const updateKey = 'UPDATE gallery_keys SET wrapped_key = $3 WHERE gallery = $1 AND wrapped_key = $2';

/** Parameters: internal number, wrapped key. */
const upsertFormerKey = `INSERT INTO former_gallery_keys VALUES ($1, $2)
  ON CONFLICT (gallery) DO UPDATE SET wrapped_key = excluded.wrapped_key`;

const select = `
  SELECT g.*, k.wrapped_key, f.wrapped_key AS former_key, ${hasFormerTemplates('g')} AS migrating,
      c.version AS cohort_version, c.people AS cohort_people, c.sealed AS cohort
    FROM galleries g JOIN gallery_keys k ON k.gallery = g.id LEFT JOIN former_gallery_keys f ON f.gallery = g.id
    LEFT JOIN gallery_cohorts c ON c.gallery = g.id`;
const named = 'client_id = $1 AND gallery_id = $2';

const upsertCohort = `
  INSERT INTO gallery_cohorts (gallery, version, people, sealed)
    SELECT id, $2, $3, $4 FROM galleries WHERE id = $1 AND client_id IS NOT NULL AND cohort_mode = 'auto'
    ON CONFLICT (gallery) DO UPDATE SET version = excluded.version, people = excluded.people, sealed = excluded.sealed
      WHERE excluded.version > gallery_cohorts.version`;

export function createGalleryStore(db: Database): GalleryStore {
  return {
    create: (clientId, galleryId, wrapKey, rules = {}) =>
      db.transaction((session) => create(session, clientId, galleryId, wrapKey, rules)),
    replaceKeys: async (gallery, from, keys) => {
      const replaced = await db.transaction((session) => replaceKeys(session, gallery, from, keys), {
        gallery,
      });
      if (replaced && keys.formerKey === null) db.purge();
      return replaced;
    },
    findErased: async (galleries) => {
      if (galleries.length === 0) return [];
      const places = galleries.map((_, i) => `$${i + 1}`);
      const sql = `SELECT id FROM galleries WHERE id IN (${places}) AND client_id IS NOT NULL`;
      const present = new Set((await db.all<{ id: number }>(sql, ...galleries)).map(({ id }) => id));
      return galleries.filter((id) => !present.has(id));
    },
    remove: async (clientId, galleryId) => {
      const work = (session: Session) => detachGalleries(session, named, clientId, galleryId);
      const found = await db.transaction(work, { erases: true });
      if (found > 0) await eraseDetached(db);
      return found > 0;
    },
    get: async (clientId, galleryId) => {
      const row = await db.get<GalleryRow>(
        `${select} WHERE client_id = $1 AND gallery_id = $2`,
        clientId,
        galleryId,
      );
      return row ? toGallery(row) : null;
    },
    list: async (clientId) => {
      const sql = `${select} WHERE client_id = $1 ORDER BY gallery_id`;
      return (await db.all<GalleryRow>(sql, clientId)).map(toGallery);
    },
    storeCohort: async (gallery, cohort) => {
      const changed =
        cohort === null
          ? await db.erase('DELETE FROM gallery_cohorts WHERE gallery = $1', gallery)
          : await db.run(upsertCohort, gallery, cohort.version, cohort.people, cohort.sealed);
      return changed === 1;
    },
    embeddingSpecs: () => db.all<EmbeddingSpecUse>(selectSpecs),
    updateSettings: (clientId, galleryId, update) => updateSettings(db, clientId, galleryId, update),
  };
}

async function create(
  session: Session,
  clientId: string,
  galleryId: string,
  wrapKey: (id: number) => Uint8Array,
  rules: GalleryRules,
): Promise<GalleryRecord | 'exists' | 'quota'> {
  // Locks the client's row, so that its galleries are counted and created one at a time.
  const client = await session.get<{ quota_galleries: number }>(
    `SELECT quota_galleries FROM clients WHERE client_id = $1 ${session.dialect.forNoKeyUpdate}`,
    clientId,
  );
  if (await session.get(`SELECT 1 FROM galleries WHERE ${named}`, clientId, galleryId)) return 'exists';
  if (!client || !(await hasRoom(session, clientId, client.quota_galleries))) return 'quota';
  const row = await session.get<{ id: number }>(insertGallery, ...galleryValues(clientId, galleryId, rules));
  if (!row) throw new Error('the database gave the new gallery no number');
  await session.run('INSERT INTO gallery_keys VALUES ($1, $2)', row.id, wrapKey(row.id));
  return toGallery((await session.get<GalleryRow>(`${select} WHERE id = $1`, row.id))!);
}

async function hasRoom(session: Session, clientId: string, quota: number): Promise<boolean> {
  if (quota < 0) return true;
  const sql = 'SELECT count(*) AS count FROM galleries WHERE client_id = $1';
  return ((await session.get<{ count: number }>(sql, clientId))?.count ?? 0) < quota;
}

async function replaceKeys(
  session: Session,
  gallery: number,
  from: Uint8Array,
  { wrappedKey, formerKey }: Pick<GalleryRecord, 'wrappedKey' | 'formerKey'>,
): Promise<boolean> {
  if ((await session.run(updateKey, gallery, from, wrappedKey)) === 0) return false;
  if (formerKey) await session.run(upsertFormerKey, gallery, formerKey);
  else {
    await session.run(session.dialect.eraseKeys('former_gallery_keys', 'gallery = $1'), gallery);
    // A standby that has not applied this yet has faces that the remaining key does not open.
    await session.run('UPDATE galleries SET version = version + 1 WHERE id = $1', gallery);
  }
  return true;
}

async function updateSettings(
  db: Database,
  clientId: string,
  galleryId: string,
  update: GallerySettingsUpdate,
): Promise<boolean> {
  const { threshold, curve, requireLiveness, requireConsent, retentionDays, cohortMode } = update;
  const flag = (value: boolean | undefined) => (value === undefined ? null : Number(value));
  const values: SqlValue[] = [clientId, galleryId, flag(requireLiveness), flag(requireConsent)];
  const changes = ['require_liveness = coalesce($3, require_liveness)'];
  changes.push('require_consent = coalesce($4, require_consent)');
  // Undefined keeps the value, null resets it.
  if (threshold !== undefined) changes.push(`threshold = $${values.push(threshold)}`);
  if (curve !== undefined) changes.push(`curve = $${values.push(curve)}`);
  if (retentionDays !== undefined) changes.push(`retention_days = $${values.push(retentionDays)}`);
  if (cohortMode !== undefined) changes.push(`cohort_mode = $${values.push(cohortMode)}`);
  const sql = `UPDATE galleries SET ${changes.join(', ')} WHERE client_id = $1 AND gallery_id = $2`;
  return (await db.run(sql, ...values)) === 1;
}
