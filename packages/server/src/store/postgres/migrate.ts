import { OperatorError } from '../../errors.ts';
import { version } from '../../version.ts';
import type { Migration } from '../migration.ts';
import { localMetaKeys } from '../tables.ts';
import { newerSchemaError } from '../upgrade/newer-schema.ts';
import type { PostgresDatabase, PgSession as Session } from './connection/database.ts';
import { initial } from './migrations/0001-initial.ts';
import { livenessSessions } from './migrations/0002-liveness-sessions.ts';
import { faceCrops } from './migrations/0003-face-crops.ts';
import { activity } from './migrations/0004-activity.ts';
import { recordedSessions } from './migrations/0005-recorded-sessions.ts';
import { sessionSubjects } from './migrations/0006-session-subjects.ts';
import { sessionLights } from './migrations/0007-session-lights.ts';
import { sealedFrames } from './migrations/0008-sealed-frames.ts';
import { erasedFrames } from './migrations/0009-erased-frames.ts';
import { auditChain } from './migrations/0010-audit-chain.ts';
import { formerGalleryKeys } from './migrations/0011-former-gallery-keys.ts';
import { galleryCohorts } from './migrations/0012-gallery-cohorts.ts';
import { differentPeople } from './migrations/0013-different-people.ts';
import { galleryScores } from './migrations/from-0014/0014-gallery-scores.ts';
import { webhooks } from './migrations/from-0014/0015-webhooks.ts';
import { personTerms } from './migrations/from-0014/0016-person-terms.ts';
import { facePictures } from './migrations/from-0014/0017-face-pictures.ts';

/** In order, numbered from 1 without gaps. */
export const migrations: readonly Migration[] = [
  initial,
  livenessSessions,
  faceCrops,
  activity,
  recordedSessions,
  sessionSubjects,
  sessionLights,
  sealedFrames,
  erasedFrames,
  auditChain,
  formerGalleryKeys,
  galleryCohorts,
  differentPeople,
  galleryScores,
  webhooks,
  personTerms,
  facePictures,
];

/** Advisory lock of migrations: one server migrates at a time. Random. */
const lockKey = 7_290_411_853;

/** Tables may be large, and other servers may be migrating. */
const migrationTimeoutMs = 10 * 60 * 1000;

/**
 * Brings the schema that comes first in the search path to the newest version, all steps in one transaction. Servers
 * that start at once wait for each other.
 * @throws OperatorError when the tables are another program's, or written by a newer version of this one
 */
export async function migrate(db: PostgresDatabase, steps: readonly Migration[] = migrations): Promise<void> {
  // First without a lock, so that a server without the right to alter tables can start.
  const newest = steps.at(-1)?.number ?? 0;
  if ((await schemaNumber(db)) === newest) return;
  await db.transaction(
    async (session) => {
      await session.run('SELECT pg_advisory_xact_lock($1)', lockKey);
      const from = await schemaNumber(session);
      if (from > newest) throw newerSchemaError(from, newest, await migratedBy(session));
      if (from === 0) await create(session);
      for (const step of steps.filter(({ number }) => number > from)) await apply(session, step);
    },
    { timeoutMs: migrationTimeoutMs },
  );
}

/** @returns 0 where there is none */
export async function schemaNumber(session: Session): Promise<number> {
  const found = await session.get<{ there: boolean }>(
    "SELECT to_regclass('wajah_migrations') IS NOT NULL AS there",
  );
  if (!found?.there) return 0;
  const done = await session.get<{ number: number }>(
    'SELECT coalesce(max(number), 0)::bigint AS number FROM wajah_migrations',
  );
  return done?.number ?? 0;
}

/** @throws OperatorError when a newer version of this program has written the database */
export async function requireKnownSchema(session: Session): Promise<void> {
  const [found, newest] = [await schemaNumber(session), migrations.length];
  if (found > newest) throw newerSchemaError(found, newest, await migratedBy(session));
}

/** @returns the version of the program that last migrated the database; null: not recorded */
export async function migratedBy(session: Session): Promise<string | null> {
  const sql = 'SELECT value FROM meta WHERE key = $1';
  return (await session.get<{ value: string }>(sql, localMetaKeys.migratedBy))?.value ?? null;
}

async function create(session: Session): Promise<void> {
  const tables = await session.get<{ count: number }>(
    "SELECT count(*) AS count FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'wajah_migrations'",
  );
  if (tables && tables.count > 0) {
    throw new OperatorError(
      'the database holds tables of another program in the schema that this user writes to; give Wajah a database of its own',
    );
  }
  await session.run(
    'CREATE TABLE IF NOT EXISTS wajah_migrations (number bigint PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL)',
  );
}

async function apply(session: Session, step: Migration): Promise<void> {
  // Without parameters, so that it may hold several statements.
  await session.script(step.sql);
  await session.run('INSERT INTO wajah_migrations VALUES ($1, $2, $3)', step.number, step.name, Date.now());
  // For the message of a program that does not know this schema.
  const put = 'INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
  await session.run(put, localMetaKeys.migratedBy, version);
}
