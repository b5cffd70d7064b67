// Writes where the log of a database can still grow, but its file cannot, as on a disk with hardly any room; then cuts
// the log, waits until that is tried again, and closes. Prints what it has done.
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { SqliteDatabase } from '../../dist/store/database/sqlite.js';

const [file] = process.argv.slice(2);
const database = new SqliteDatabase(file);
await database.write(() => database.run('INSERT INTO rows VALUES (?)', new Uint8Array(200_000)));
writeSync(1, 'written\n');
database.purge();
writeSync(1, 'purged\n');
await pause(6000);
await database.write(() => database.run('INSERT INTO rows VALUES (?)', new Uint8Array(10)));
database.close();
writeSync(1, 'closed\n');
