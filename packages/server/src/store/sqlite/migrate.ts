import { OperatorError } from '../../errors.ts';
import { version } from '../../version.ts';
import type { Migration } from '../migration.ts';
import { localMetaKeys } from '../tables.ts';
import { newerSchemaError } from '../upgrade/newer-schema.ts';
import type { SqliteDatabase } from './connection/database.ts';
import { initial } from './migrations/0001-initial.ts';
import { operatingPoints } from './migrations/0002-operating-points.ts';
import { livenessSessions } from './migrations/0003-liveness-sessions.ts';
import { faceCrops } from './migrations/0004-face-crops.ts';
import { activity } from './migrations/0005-activity.ts';
import { recordedSessions } from './migrations/0006-recorded-sessions.ts';
import { sessionSubjects } from './migrations/0007-session-subjects.ts';
import { sessionLights } from './migrations/0008-session-lights.ts';
import { sealedFrames } from './migrations/0009-sealed-frames.ts';
import { erasedFrames } from './migrations/0010-erased-frames.ts';
import { auditChain } from './migrations/0011-audit-chain.ts';
import { formerGalleryKeys } from './migrations/0012-former-gallery-keys.ts';
import { galleryCohorts } from './migrations/0013-gallery-cohorts.ts';
import { differentPeople } from './migrations/from-0014/0014-different-people.ts';
import { galleryScores } from './migrations/from-0014/0015-gallery-scores.ts';
import { webhooks } from './migrations/from-0014/0016-webhooks.ts';
import { personTerms } from './migrations/from-0014/0017-person-terms.ts';
import { facePictures } from './migrations/from-0014/0018-face-pictures.ts';

/** In order, numbered from 1 without gaps. */
export const migrations: readonly Migration[] = [
  initial,
  operatingPoints,
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

/**
 * Brings the database to the newest schema, each step in a transaction of its own together with its record.
 * @throws OperatorError when the file is another program's, or written by a newer version of this one
 */
export function migrate(db: SqliteDatabase, steps: readonly Migration[] = migrations): void {
  requireOurs(db);
  db.script(`CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT`);
  requireKnownSchema(db, steps.at(-1)?.number ?? 0);
  const from = schemaNumber(db);
  for (const step of steps.filter((candidate) => candidate.number > from)) apply(db, step);
}

/** @throws OperatorError when a newer version of this program has written the database */
export function requireKnownSchema(db: SqliteDatabase, newest = migrations.length): void {
  const found = schemaNumber(db);
  if (found > newest) throw newerSchemaError(found, newest, migratedBy(db));
}

/** @returns 0 where there is none */
export function schemaNumber(db: SqliteDatabase): number {
  if (!hasTable(db, 'migrations')) return 0;
  const done = db.get<{ number: number }>('SELECT coalesce(max(number), 0) AS number FROM migrations');
  return done?.number ?? 0;
}

/** @returns the version of the program that last migrated the database; null: not recorded */
export function migratedBy(db: SqliteDatabase): string | null {
  if (!hasTable(db, 'meta')) return null;
  const sql = 'SELECT value FROM meta WHERE key = ?';
  return db.get<{ value: string }>(sql, localMetaKeys.migratedBy)?.value ?? null;
}

export function hasTable(db: SqliteDatabase, name: string): boolean {
  return db.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name) !== undefined;
}

function apply(db: SqliteDatabase, step: Migration): void {
  db.transaction(() => {
    db.script(step.sql);
    db.run('INSERT INTO migrations VALUES (?, ?, ?)', step.number, step.name, Date.now());
    // For the message of a program that does not know this schema.
    if (hasTable(db, 'meta'))
      db.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', localMetaKeys.migratedBy, version);
  });
}

function requireOurs(db: SqliteDatabase): void {
  const tables = db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  if (tables.length === 0 || tables.some(({ name }) => name === 'migrations')) return;
  throw new OperatorError(
    'the database holds tables of another program; choose another directory or move the file away',
  );
}
