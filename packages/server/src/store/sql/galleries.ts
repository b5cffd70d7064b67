import { type GalleryRow, toGallery } from '../rows.ts';
import type { EmbeddingSpecUse, GalleryRecord, GalleryRules, GalleryStore } from '../store.ts';
import type { SqlExecutor, SqlValue } from './executor.ts';

const selectSpecs = `
  SELECT contract AS "embeddingSpec", count(*) AS galleries, CAST(sum(faces) AS bigint) AS faces FROM galleries
   WHERE contract IS NOT NULL AND client_id IS NOT NULL GROUP BY contract ORDER BY contract`;

/** Parameters: `galleryValues`. */
export const insertGallery = `INSERT INTO galleries
  (client_id, gallery_id, created_at, require_liveness, require_consent, retention_days)
  VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`;

export function galleryValues(clientId: string, galleryId: string, rules: GalleryRules) {
  const { requireLiveness = false, requireConsent = false, retentionDays = null } = rules;
  const flags = [Number(requireLiveness), Number(requireConsent)] as const;
  return [clientId, galleryId, Date.now(), ...flags, retentionDays] as const;
}

/** Parameters: internal number, former and new wrapped key. */
export const updateKey = 'UPDATE gallery_keys SET wrapped_key = $3 WHERE gallery = $1 AND wrapped_key = $2';

/** Parameters: internal number, wrapped key. */
export const upsertFormerKey = `INSERT INTO former_gallery_keys VALUES ($1, $2)
  ON CONFLICT (gallery) DO UPDATE SET wrapped_key = excluded.wrapped_key`;

/** Columns and join of the statistics in the select of a `GalleryRow`, of galleries `g`. */
export const cohortColumns = 'c.version AS cohort_version, c.people AS cohort_people, c.sealed AS cohort';
export const cohortJoin = 'LEFT JOIN gallery_cohorts c ON c.gallery = g.id';

const upsertCohort = `
  INSERT INTO gallery_cohorts (gallery, version, people, sealed)
    SELECT id, $2, $3, $4 FROM galleries WHERE id = $1 AND client_id IS NOT NULL AND cohort_mode = 'auto'
    ON CONFLICT (gallery) DO UPDATE SET version = excluded.version, people = excluded.people, sealed = excluded.sealed
      WHERE excluded.version > gallery_cohorts.version`;

/** @param select rows of galleries, `GalleryRow`, without a condition */
export function sqlGalleries(
  db: SqlExecutor,
  select: string,
): Pick<GalleryStore, 'get' | 'list' | 'embeddingSpecs' | 'updateSettings' | 'storeCohort'> {
  return {
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
    updateSettings: async (clientId, galleryId, update) => {
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
    },
  };
}

/** @throws Error when the gallery that was just created is not there */
export function createdGallery(row: GalleryRow | undefined): GalleryRecord {
  if (!row) throw new Error('the database does not hold the new gallery');
  return toGallery(row);
}
