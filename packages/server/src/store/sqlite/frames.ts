import type { FrameStore } from '../session-store.ts';
import { frameValues, insertFrame, sqlFrames } from '../sql/frames.ts';
import type { SqliteDatabase } from './connection/database.ts';

export function sqliteFrames(db: SqliteDatabase): FrameStore {
  return {
    ...sqlFrames(db.executor),
    record: (session, frames, at) =>
      db.write(() => {
        const ids = frames.map(
          (frame) => db.get<{ id: number }>(insertFrame, ...frameValues(session, frame, at))!.id,
        );
        return Math.min(...ids);
      }),
  };
}
