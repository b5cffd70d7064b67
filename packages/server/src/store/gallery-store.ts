import { type FeatureGallerySettings, featureGallerySettings } from '../features/declared.ts';
import { snakeCaseOf } from '../lib/snake-case.ts';
import type { Database, Session, SqlValue } from './database/session.ts';
import { detachGalleries, eraseDetached } from './erase.ts';
import type {
  EmbeddingSpecUse,
  GalleryRecord,
  GalleryRules,
  GallerySettingsUpdate,
  GalleryStore,
  SealedCohort,
} from './ports/galleries.ts';
import { countOf, orNull, rowMapper } from './rows.ts';

const cohorts = rowMapper<SealedCohort>(
  'gallery_cohorts',
  { version: 'int', people: 'int', sealed: 'bytes' },
  { version: 'cohort_version', people: 'cohort_people', sealed: 'cohort' },
);
/** Settings of features, with their columns. */
export const featureSettings = Object.keys(featureGallerySettings).map(
  (name) => [name as keyof FeatureGallerySettings, snakeCaseOf(name)] as const,
);

const galleries = rowMapper<GalleryRecord>(
  'galleries',
  {
    id: 'int',
    clientId: 'text',
    galleryId: 'text',
    wrappedKey: 'bytes',
    embeddingSpec: 'text',
    version: 'int',
    faces: 'int',
    createdAt: 'time',
    threshold: 'real',
    curve: 'text',
    requireLiveness: 'flag',
    requireConsent: 'flag',
    retentionDays: 'int',
    keepCrops: 'flag',
    formerSpec: 'text',
    cohort: orNull(cohorts, 'cohort'),
    cohortMode: 'text',
    ...featureGallerySettings,
  },
  {},
  {
    version: (version) => version >= 0,
    threshold: (threshold) => threshold === null || (threshold >= 0 && threshold <= 1),
    retentionDays: (days) => days === null || days > 0,
    ...Object.fromEntries(
      featureSettings.map(([name]) => [name, (value: number | null) => value === null || value > 0]),
    ),
  },
);

/** No gallery has a version near it: somebody has written a face with such a one. */
export const unsafeSeq = 2 ** 52;
/** Highest seq of a face of the gallery $1. */
export const newestFace = `coalesce((SELECT max(seq) FROM faces WHERE gallery = $1 AND seq < ${unsafeSeq}), 0)`;
/** Of the gallery $1, also when somebody has set its version below that of a face. */
export const nextVersion = `CASE WHEN version < ${newestFace} THEN ${newestFace} ELSE version END + 1`;

const selectSpecs = `
  SELECT embedding_spec AS "embeddingSpec", former_spec AS "formerSpec", count(*) AS galleries,
      CAST(sum(faces) AS bigint) AS faces FROM galleries
   WHERE embedding_spec IS NOT NULL AND client_id IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`;

export const readSpecs = (db: Pick<Database, 'all'>) => db.all<EmbeddingSpecUse>(selectSpecs);

const insertGallery = `INSERT INTO galleries
  (client_id, gallery_id, created_at, require_liveness, require_consent, retention_days, keep_crops,
    ${featureSettings.map(([, column]) => column)})
  VALUES ($1, $2, $3, $4, $5, $6, $7, ${featureSettings.map((_, at) => `$${at + 8}`)}) RETURNING id`;

const select = `
  SELECT g.*, k.wrapped_key,  c.version AS cohort_version, c.people AS cohort_people, c.sealed AS cohort
    FROM galleries g JOIN gallery_keys k ON k.gallery = g.id
    LEFT JOIN gallery_cohorts c ON c.gallery = g.id`;
const named = 'client_id = $1 AND gallery_id = $2';

const upsertCohort = `
  INSERT INTO gallery_cohorts (gallery, version, people, sealed)
    SELECT id, $2, $3, $4 FROM galleries WHERE id = $1 AND client_id IS NOT NULL AND cohort_mode = 'auto'
    ON CONFLICT (gallery) DO UPDATE SET version = excluded.version, people = excluded.people, sealed = excluded.sealed
      WHERE excluded.version > gallery_cohorts.version`;

/** Undefined keeps the value, null resets it. */
const settings: readonly (readonly [name: keyof GallerySettingsUpdate, column: string])[] = [
  ['threshold', 'threshold'],
  ['curve', 'curve'],
  ['requireLiveness', 'require_liveness'],
  ['requireConsent', 'require_consent'],
  ['retentionDays', 'retention_days'],
  ['keepCrops', 'keep_crops'],
  ['cohortMode', 'cohort_mode'],
  ...featureSettings,
];

export function createGalleryStore(db: Database): GalleryStore {
  return {
    ...numberedGalleries(db),
    create: (clientId, galleryId, wrapKey, rules = {}) =>
      db.transaction((session) => create(session, clientId, galleryId, wrapKey, rules)),
    get: (clientId, galleryId) => galleries.get(db, `${select} WHERE ${named}`, clientId, galleryId),
    async list(clientId, { after = '', limit = Number.MAX_SAFE_INTEGER } = {}) {
      const sql = `${select} WHERE client_id = $1 AND gallery_id > $2 ORDER BY gallery_id LIMIT $3`;
      return galleries.all(db, sql, clientId, after, limit);
    },
    async updateSettings(clientId, galleryId, update) {
      const values: SqlValue[] = [clientId, galleryId];
      const changes = ['version = version'];
      for (const [name, column] of settings) {
        const value = update[name];
        if (value === undefined) continue;
        changes.push(`${column} = $${values.push(typeof value === 'boolean' ? flagOf(value) : value)}`);
      }
      return (await db.run(`UPDATE galleries SET ${changes} WHERE ${named}`, ...values)) === 1;
    },
    async remove(clientId, galleryId) {
      const work = (session: Session) => detachGalleries(session, named, clientId, galleryId);
      const found = await db.transaction(work, { erases: true });
      if (found > 0) await eraseDetached(db);
      return found > 0;
    },
  };
}

/** Galleries by their internal numbers. */
function numberedGalleries(db: Database) {
  return {
    calibrated: () =>
      galleries.all(db, `${select} WHERE curve IS NOT NULL AND client_id IS NOT NULL ORDER BY g.id`),
    embeddingSpecs: () => readSpecs(db),
    async findErased(ids) {
      if (ids.length === 0) return [];
      const places = ids.map((_, i) => `$${i + 1}`);
      const sql = `SELECT id FROM galleries WHERE id IN (${places}) AND client_id IS NOT NULL`;
      const present = new Set((await db.all<{ id: number }>(sql, ...ids)).map(({ id }) => id));
      return ids.filter((id) => !present.has(id));
    },
    async storeCohort(gallery, cohort) {
      const changed =
        cohort === null
          ? await db.erase('DELETE FROM gallery_cohorts WHERE gallery = $1', gallery)
          : await db.run(upsertCohort, gallery, ...cohorts.values(cohort));
      return changed === 1;
    },
    async replaceKey(gallery, wrappedKey) {
      await db.run('UPDATE gallery_keys SET wrapped_key = $2 WHERE gallery = $1', gallery, wrappedKey);
    },
  } satisfies Partial<GalleryStore>;
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
  const { requireLiveness = false, requireConsent = false, retentionDays = null, keepCrops = null } = rules;
  const flags = [Number(requireLiveness), Number(requireConsent)] as const;
  const further = featureSettings.map(([name]) => rules[name] ?? null);
  const values = [
    clientId,
    galleryId,
    Date.now(),
    ...flags,
    retentionDays,
    flagOf(keepCrops),
    ...further,
  ] as const;
  const row = await session.get<{ id: number }>(insertGallery, ...values);
  if (!row) throw new Error('the database gave the new gallery no number');
  await session.run('INSERT INTO gallery_keys VALUES ($1, $2)', row.id, wrapKey(row.id));
  return galleries.read((await session.get<object>(`${select} WHERE id = $1`, row.id))!);
}

const flagOf = (value: boolean | null) => (value === null ? null : Number(value));

async function hasRoom(session: Session, clientId: string, quota: number): Promise<boolean> {
  if (quota < 0) return true;
  const sql = 'SELECT count(*) AS count FROM galleries WHERE client_id = $1';
  return (await countOf(session, sql, clientId)) < quota;
}
