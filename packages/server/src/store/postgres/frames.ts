import type { FrameStore } from '../session-store.ts';
import { frameValues, insertFrame, sqlFrames } from '../sql/frames.ts';
import type { PostgresDatabase } from './connection/database.ts';

/** Advisory lock of recording. Random. */
const lockKey = 7_290_411_854;

export function postgresFrames(db: PostgresDatabase): FrameStore {
  return {
    ...sqlFrames(db),
    record: (session, frames, at) =>
      db.transaction(async (transaction) => {
        // Ids are drawn before a commit: without the lock, a smaller one could become visible after a larger one.
        await transaction.run('SELECT pg_advisory_xact_lock($1)', lockKey);
        const ids: number[] = [];
        for (const frame of frames) {
          const row = await transaction.get<{ id: number }>(insertFrame, ...frameValues(session, frame, at));
          ids.push(row!.id);
        }
        return Math.min(...ids);
      }),
  };
}
