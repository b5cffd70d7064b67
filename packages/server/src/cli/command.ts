import { InvalidArgumentError } from 'commander';
import type { AdminOperations } from '../admin/operations.ts';
import type { Environment } from '../config/config.ts';
import type { DoctorFinding } from '../doctor/findings.ts';
import type { AuditReader } from '../operator/audit.ts';
import type { BackupOperations } from '../operator/backup.ts';
import type { ImportOperations } from '../operator/import/operations.ts';
import type { ModelOperations } from '../operator/models.ts';
import type { ExportOperations } from '../operator/people-file/export-people.ts';
import type { RecordingReader } from '../operator/recordings.ts';
import type { StorageOperations } from '../operator/storage.ts';
import type { TemplateMigrator } from '../operator/template-migration.ts';
import type { UpgradeOperations } from '../operator/upgrade.ts';
import type { Terminal } from './terminal.ts';

/** What the commands work with. Modules that load a large library are imported by the command that needs them. */
export interface CommandDeps {
  readonly terminal: Terminal;
  /** Where settings are read from; by default the environment of the process. */
  readonly env?: Environment | undefined;
  /** Runs admin operations in the process that owns the data directory: the running server, or this one. */
  admin<T>(work: (operations: AdminOperations) => Promise<T>): Promise<T>;
  models(): Promise<ModelOperations>;
  storage(): Promise<StorageOperations>;
  /** Writes, verifies and restores backups. */
  backups(): Promise<BackupOperations>;
  exports(): Promise<ExportOperations>;
  /** Enrols many people. */
  imports(): Promise<ImportOperations>;
  /** Upgrades the schema of the store. */
  upgrades(): Promise<UpgradeOperations>;
  /** Loads a pack to migrate templates to. */
  migrator(pack: string): Promise<TemplateMigrator>;
  /** Opens recorded sessions with the master key. */
  recordings(): Promise<RecordingReader>;
  /** Checks the audit trail with the master key. */
  audit(): Promise<AuditReader>;
  doctor(): Promise<DoctorFinding[]>;
  /** Serves until SIGINT or SIGTERM. */
  serve(): Promise<void>;
}

/** A parser of an argument that is one of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): (given: string) => Word {
  return (given) => {
    const found = words.find((word) => word === given);
    if (found !== undefined) return found;
    const listed = words.length > 2 ? `one of ${words.join(', ')}` : words.join(' or ');
    throw new InvalidArgumentError(`Allowed: ${listed}.`);
  };
}

/** A parser of a whole number. @param note on `min` for the error message */
export function wholeNumber(min: number, max: number, note = ''): (given: string) => number {
  return (given) => {
    const value = Number(given);
    if (/^-?\d+$/.test(given) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Allowed: a whole number from ${min}${note} to ${max}.`);
  };
}
