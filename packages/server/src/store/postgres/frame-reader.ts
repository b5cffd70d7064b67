import type { PostgresOptions } from '../options.ts';
import type { FrameReader } from '../session-store.ts';
import { sqlFrames } from '../sql/frames.ts';
import { openConnections } from './open.ts';

/** Connections of a thread that reads page by page, and searches meanwhile. */
const connections = 2;

/** Reads the primary: a frame that another server has just recorded must be found. */
export function postgresFrameReader(options: PostgresOptions): FrameReader {
  const { db } = openConnections({ ...options, readUrl: null, connections });
  return { ...sqlFrames(db), close: () => db.close() };
}
