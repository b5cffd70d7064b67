import { bytesOf, type FrameRow, type SessionRow, toEarlierSession, toFrame } from '../rows.ts';
import type { SessionStore } from '../session-store.ts';
import {
  eraseTemplate,
  frameValues,
  historyValues,
  insertFrame,
  insertSession,
  pruneSessions,
  selectEarlierFrames,
  selectHistory,
  selectTemplate,
  sessionValues,
  sqlSessions,
} from '../sql/sessions.ts';
import type { SqliteDatabase } from './connection/database.ts';

export function sqliteSessions(db: SqliteDatabase): SessionStore {
  return {
    ...sqlSessions(db.executor),
    open: (history, decide) =>
      db.write(() => {
        const rows = db.all<SessionRow>(selectHistory(history), ...historyValues(history));
        const decision = decide(rows.map(toEarlierSession));
        if (decision.create) db.run(insertSession, ...sessionValues(decision.create));
        return decision;
      }),
    recordFrames: (clientId, id, frames, since) =>
      db.write(() => {
        const earlier = db.all<FrameRow>(selectEarlierFrames, clientId, since.getTime(), id);
        for (const frame of frames) db.run(insertFrame, ...frameValues(clientId, id, frame));
        return earlier.map(toFrame);
      }),
    consumeTemplate: async (clientId, id, at) => {
      const row = await db.write(() => {
        const found = db.get<{ template: ArrayBuffer }>(selectTemplate, id, clientId, at.getTime());
        if (found) db.run(eraseTemplate, id);
        return found;
      });
      if (!row) return null;
      db.purge();
      return bytesOf(row.template);
    },
    prune: async (now, before) => {
      if (await pruneSessions(db.executor, now, before)) db.purge();
    },
  };
}
