import type { FaceReader } from '../../face-reader.ts';
import { openConnections, type PostgresOptions } from '../open.ts';
import { postgresFaces } from './faces.ts';

/** Slices of one gallery are read one after the other; two galleries at a time. */
const connections = 2;

/** Connections beside those of the store. */
export function postgresReader(options: PostgresOptions): FaceReader {
  const { db, copy } = openConnections({ ...options, connections });
  const { slice, get, list } = postgresFaces(db, copy);
  return {
    slice,
    get,
    list,
    close: async () => void (await Promise.all([db.close(), copy?.close()])),
  };
}
