import type {
  NewRecording,
  RecordedPart,
  RecordingFilter,
  RecordingLabel,
  RecordingRecord,
  RecordingStore,
} from '../recording-store.ts';
import { bytesOf } from '../rows.ts';
import type { SqlExecutor, SqlValue } from './executor.ts';

/** What differs between the databases. */
export interface RecordingDatabase {
  /** Whether rows must be locked against a concurrent erasure, inside a statement that writes. */
  readonly rowLocks: boolean;
  /** Completes an erasure on disk. */
  purge(): void;
}

/** Parts erased by one statement: half a MiB, which SQLite overwrites with zeros. */
const slice = 4;

/** `state` of a recording. */
const state = { unfinished: 0, complete: 1, erased: 2 } as const;

/** Marks the recordings of a client as erased, in the transaction that erases the client. Parameter: client_id. */
export const markRecordingsOfClient = `UPDATE recorded_sessions SET state = ${state.erased} WHERE client_id = $1`;

export function sqlRecordings(db: SqlExecutor, { rowLocks, purge }: RecordingDatabase): RecordingStore {
  return {
    begin: (recording, maxBytes) => begin(db, rowLocks, recording, maxBytes),
    addPart: async (id, part, sealed) => {
      const sql = `INSERT INTO recorded_parts (session, part, sealed)
        SELECT id, $2, $3 FROM recorded_sessions WHERE id = $1 AND state = ${state.unfinished}
        ${rowLocks ? 'FOR SHARE' : ''}`;
      return (await db.run(sql, id, part, sealed)) === 1;
    },
    complete: async (id) => {
      const sql = `UPDATE recorded_sessions SET state = ${state.complete} WHERE id = $1 AND state = ${state.unfinished}`;
      await db.run(sql, id);
    },
    list: async ({ after, limit }) => {
      const sql = `SELECT * FROM recorded_sessions WHERE state = ${state.complete} AND id > $1 ORDER BY id LIMIT $2`;
      return (await db.all<RecordingRow>(sql, after, limit)).map(toRecording);
    },
    listOf: async (digests) => {
      const places = digests.map((_, i) => `$${i + 1}`);
      const sql = `SELECT * FROM recorded_sessions WHERE state = ${state.complete} AND id IN
        (SELECT session FROM recorded_subjects WHERE digest IN (${places})) ORDER BY id`;
      return (await db.all<RecordingRow>(sql, ...digests)).map(toRecording);
    },
    parts: async (id, { after, limit }) => {
      const sql = `SELECT p.part, p.sealed FROM recorded_parts p JOIN recorded_sessions s ON s.id = p.session
        WHERE p.session = $1 AND p.part > $2 AND s.state = ${state.complete} ORDER BY p.part LIMIT $3`;
      const rows = await db.all<RecordedPart>(sql, id, after, limit);
      return rows.map(({ part, sealed }) => ({ part, sealed: bytesOf(sealed) }));
    },
    label: async (id, label, species) => {
      const sql = `UPDATE recorded_sessions SET label = $2, species = $3 WHERE id = $1 AND state = ${state.complete}`;
      return (await db.run(sql, id, label, species)) === 1;
    },
    erase: async (filter) => {
      const marked = await mark(db, filter);
      if (marked > 0) await eraseMarkedRecordings(db, purge);
      return marked;
    },
    prune: async (before, unfinished) => {
      const sql = `UPDATE recorded_sessions SET state = ${state.erased}
        WHERE recorded_at < $1 OR (state = ${state.unfinished} AND recorded_at < $2)`;
      await db.erase(sql, before.getTime(), unfinished.getTime());
      await eraseMarkedRecordings(db, purge);
    },
  };
}

async function begin(
  db: SqlExecutor,
  rowLocks: boolean,
  { id, clientId, at, digests, judgement, bytes }: NewRecording,
  maxBytes: number,
) {
  const used = '(SELECT CAST(coalesce(sum(bytes), 0) AS bigint) FROM recorded_sessions)';
  // Conflicts with the lock of an unregistration, and not with the count of a hit.
  const lock = rowLocks ? 'FOR KEY SHARE' : '';
  const written = await db.run(
    `INSERT INTO recorded_sessions (id, client_id, recorded_at, state, bytes, judgement)
     SELECT $1, client_id, $3, ${state.unfinished}, $4, $5 FROM clients
     WHERE client_id = $2 AND registered_at <= $3 AND ${used} + $4 <= $6 ${lock} ON CONFLICT DO NOTHING`,
    id,
    clientId,
    at.getTime(),
    bytes,
    judgement,
    maxBytes,
  );
  if (written === 0) {
    const row = await db.get<{ used: number }>(`SELECT ${used} AS used`);
    return (row?.used ?? 0) + bytes > maxBytes ? ('full' as const) : ('gone' as const);
  }
  for (const digest of digests) {
    await db.run('INSERT INTO recorded_subjects VALUES ($1, $2) ON CONFLICT DO NOTHING', digest, id);
  }
  return 'begun' as const;
}

function mark(db: SqlExecutor, { id, clientId, digest }: RecordingFilter): Promise<number> {
  const values: SqlValue[] = [];
  const conditions = [`state <> ${state.erased}`];
  const add = (condition: (place: string) => string, value: SqlValue | undefined) => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  add((place) => `id = ${place}`, id);
  add((place) => `client_id = ${place}`, clientId);
  add((place) => `id IN (SELECT session FROM recorded_subjects WHERE digest = ${place})`, digest);
  const sql = `UPDATE recorded_sessions SET state = ${state.erased} WHERE ${conditions.join(' AND ')}`;
  return db.erase(sql, ...values);
}

/** Erases what is marked, in slices, also what a process that ended has left. */
export async function eraseMarkedRecordings(db: SqlExecutor, purge: () => void): Promise<void> {
  const next = `SELECT id FROM recorded_sessions WHERE state = ${state.erased} LIMIT 1`;
  const erasePart = `DELETE FROM recorded_parts WHERE session = $1 AND part IN
    (SELECT part FROM recorded_parts WHERE session = $1 LIMIT ${slice})`;
  for (let any = false; ; any = true) {
    const id = (await db.get<{ id: string }>(next))?.id;
    if (id === undefined) {
      if (any) purge();
      return;
    }
    while ((await db.erase(erasePart, id)) === slice);
    await db.erase('DELETE FROM recorded_subjects WHERE session = $1', id);
    await db.erase('DELETE FROM recorded_sessions WHERE id = $1', id);
  }
}

interface RecordingRow {
  readonly id: string;
  readonly client_id: string;
  readonly recorded_at: number;
  readonly bytes: number;
  readonly judgement: ArrayBuffer | Uint8Array;
  readonly label: RecordingLabel | null;
  readonly species: string | null;
}

function toRecording(row: RecordingRow): RecordingRecord {
  return {
    id: row.id,
    clientId: row.client_id,
    at: new Date(row.recorded_at),
    bytes: row.bytes,
    judgement: bytesOf(row.judgement),
    label: row.label,
    species: row.species,
  };
}
