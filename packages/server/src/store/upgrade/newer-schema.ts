import { OperatorError } from '../../errors.ts';
import { version } from '../../version.ts';

/**
 * @param found schema of the store
 * @param newest the newest schema that this program supports
 * @param migratedBy version of the program that migrated the store; null: an earlier one that did not record it
 * @returns what was found, and which version to start
 */
export function newerSchemaText(found: number, newest: number, migratedBy: string | null): string {
  const [origin, remedy] =
    migratedBy === null
      ? ['a newer version', 'start the version that migrated it']
      : [`version ${migratedBy}`, `start version ${migratedBy} or newer`];
  return `schema ${found}, which ${origin} of Wajah wrote; this is version ${version}, which supports schemas up to ${newest}: ${remedy}, or restore a backup from before the upgrade`;
}

/** @see newerSchemaText */
export function newerSchemaError(...found: Parameters<typeof newerSchemaText>): OperatorError {
  return new OperatorError(`the database has ${newerSchemaText(...found)}`);
}
