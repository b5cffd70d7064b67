import { type FrameRow, type SessionRow, toEarlierSession, toFrame } from '../rows.ts';
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
import type { PostgresDatabase } from './connection/database.ts';

export function postgresSessions(db: PostgresDatabase): SessionStore {
  return {
    ...sqlSessions(db),
    open: (history, decide) =>
      db.transaction(async (session) => {
        // A subject without sessions has no row to lock.
        const key = `wajah session ${history.clientId} ${Buffer.from(history.subject ?? []).toString('hex')}`;
        await session.run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', key);
        const rows = await session.all<SessionRow>(selectHistory(history), ...historyValues(history));
        const decision = decide(rows.map(toEarlierSession));
        if (decision.create) await session.run(insertSession, ...sessionValues(decision.create));
        return decision;
      }),
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
