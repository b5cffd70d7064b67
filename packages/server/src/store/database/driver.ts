import { createRequire } from 'node:module';

/**
 * Loads the native part of the driver. With `require`: after a failed import Node 20 reports the error once more, to
 * nobody, and ends the process.
 * @throws Error when it is not there for this platform
 */
export function requireDriver(): void {
  createRequire(import.meta.url)('libsql');
}
