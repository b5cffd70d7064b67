import type { PostgresOptions } from '../../options.ts';
import { openConnections } from '../open.ts';
import { postgresFaces } from './faces.ts';

/** Slices of one gallery are read one after the other; this allows two galleries at a time. */
const connections = 2;

/** Reads over connections separate from the store's. */
export function postgresReader(options: PostgresOptions) {
  const { db, replica } = openConnections({ ...options, connections });
  const { slice, get, list } = postgresFaces(db, replica);
  return {
    slice,
    get,
    list,
    close: async () => void (await Promise.all([db.close(), replica?.close()])),
  };
}
