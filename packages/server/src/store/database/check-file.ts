// Checks a database beside the server that serves it, at low priority, and prints `ok` or the first fault.
import { setPriority } from 'node:os';
import { findDamage } from './integrity.ts';
import { SqliteDatabase } from './sqlite.ts';

const [file = ''] = process.argv.slice(2);
setPriority(19);
process.stdout.write(damageOf(file) ?? 'ok');

function damageOf(path: string): string | null {
  try {
    const db = new SqliteDatabase(path, undefined, 'read');
    return findDamage(db);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    // Other errors say nothing about the content of the file.
    return String(code).startsWith('SQLITE_CORRUPT') ? String(message) : null;
  }
}
