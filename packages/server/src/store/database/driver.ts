import { createRequire } from 'node:module';
import type Database from 'libsql';

/**
 * The driver of the embedded database. With `require`, when one is opened: after a failed import Node 20 reports the error
 * once more, to nobody, and ends the process.
 * @throws Error when its native part is not there for this platform
 */
export const loadDriver = (): typeof Database => createRequire(import.meta.url)('libsql');

/** Opens a database. @param file or its URL @throws the driver's error, with the code of SQLite */
export function openWithDriver(file: string): Database.Database {
  const Driver = loadDriver();
  try {
    return new Driver(file);
  } catch (error) {
    // The driver has no code for a file that cannot be opened, only SQLite's number at the end of its message.
    const { message } = error as Error;
    throw /: 14"\)$/.test(message) ? Object.assign(error as Error, { code: 'SQLITE_CANTOPEN' }) : error;
  }
}
