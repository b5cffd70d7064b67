import { type FrameRow, toFrame } from '../rows.ts';
import {
  eraseTemplate,
  frameValues,
  insertFrame,
  pruneSessions,
  selectEarlierFrames,
  selectTemplate,
  sqlSessions,
} from '../sql/sessions.ts';
import type { SessionStore } from '../store.ts';
import type { PostgresDatabase } from './connection/database.ts';

export function postgresSessions(db: PostgresDatabase): SessionStore {
  return {
    ...sqlSessions(db),
    recordFrames: (clientId, id, frames, since) =>
      db.transaction(async (session) => {
        // Locks the client's row, so that its sessions record their frames one after the other.
        await session.get('SELECT 1 FROM clients WHERE client_id = $1 FOR NO KEY UPDATE', clientId);
        const earlier = await session.all<FrameRow>(selectEarlierFrames, clientId, since.getTime(), id);
        for (const frame of frames) await session.run(insertFrame, ...frameValues(clientId, id, frame));
        return earlier.map(toFrame);
      }),
    consumeTemplate: (clientId, id, at) =>
      db.transaction(async (session) => {
        const sql = `${selectTemplate} FOR UPDATE`;
        const row = await session.get<{ template: Uint8Array }>(sql, id, clientId, at.getTime());
        if (row) await session.run(eraseTemplate, id);
        return row?.template ?? null;
      }),
    prune: async (now, before) => void (await pruneSessions(db, now, before)),
  };
}
