import type { Database, SqlValue } from './database/session.ts';
import { eraseInSlices } from './erase.ts';
import { bytesOf, rowMapper, where } from './rows.ts';

/** What a recorded session was, as the operator says. */
export type RecordingLabel = 'bona_fide' | 'attack';

/** A judged session to record. */
export interface NewRecording {
  /** Of the liveness session. */
  readonly id: string;
  readonly clientId: string;
  readonly at: Date;
  /** Keyed digests of the people and galleries that the session belongs to. */
  readonly digests: readonly Uint8Array[];
  /** Sealed. */
  readonly judgement: Uint8Array;
  /** Of the judgement and all parts, sealed. */
  readonly bytes: number;
}

/** A recorded session without its pictures. */
export interface RecordingRecord
  extends Pick<NewRecording, 'id' | 'clientId' | 'at' | 'judgement' | 'bytes'> {
  readonly label: RecordingLabel | null;
  /** Of an attack. */
  readonly species: string | null;
}

/** A piece of the pictures of a session. */
export interface RecordedPart {
  /** 0, 1, 2, … */
  readonly part: number;
  /** Sealed. */
  readonly sealed: Uint8Array;
}

/** Which recordings to erase: those that meet every condition given; none given: all. */
export interface RecordingFilter {
  readonly id?: string | undefined;
  readonly clientId?: string | undefined;
  readonly digest?: Uint8Array | undefined;
}

/** `state` of a recording. */
const state = { unfinished: 0, complete: 1, erased: 2 } as const;

/** Marks the recordings of a client as erased, in the transaction that erases the client. Parameter: client_id. */
export const markRecordingsOfClient = `UPDATE recorded_sessions SET state = ${state.erased} WHERE client_id = $1`;

const recordings = rowMapper<RecordingRecord>(
  {
    id: 'text',
    clientId: 'text',
    at: 'time',
    judgement: 'bytes',
    bytes: 'int',
    label: 'text',
    species: 'text',
  },
  { at: 'recorded_at' },
);

/** Of all recordings together. */
const usedBytes = '(SELECT CAST(coalesce(sum(bytes), 0) AS bigint) FROM recorded_sessions)';

export type RecordingStore = ReturnType<typeof createRecordingStore>;

/**
 * Recorded liveness sessions: pictures in sealed parts, each written and erased in a transaction of its own, because a
 * session has megabytes of them. A recording is listed once it is complete. What is erased is marked first, and is
 * from then on neither listed nor read.
 */
export function createRecordingStore(db: Database) {
  return { ...recordingWriter(db), ...recordingReader(db), ...recordingEraser(db) };
}

function recordingWriter(db: Database) {
  return {
    /**
     * Reserves room and writes the judgement.
     * @param maxBytes bytes of all recordings together
     * @returns `gone`: the client does not exist, was unregistered since, or the session is recorded already
     */
    async begin(recording: NewRecording, maxBytes: number): Promise<'begun' | 'full' | 'gone'> {
      const { id, clientId, at, digests, judgement, bytes } = recording;
      // The lock conflicts with that of an unregistration, and not with the count of a hit.
      const insert = `INSERT INTO recorded_sessions (id, client_id, recorded_at, state, bytes, judgement)
        SELECT $1, client_id, $3, ${state.unfinished}, $4, $5 FROM clients
        WHERE client_id = $2 AND registered_at <= $3 AND ${usedBytes} + $4 <= $6 ${db.dialect.forKeyShare}
        ON CONFLICT DO NOTHING`;
      const written = await db.run(insert, id, clientId, at.getTime(), bytes, judgement, maxBytes);
      if (written === 0) {
        const row = await db.get<{ used: number }>(`SELECT ${usedBytes} AS used`);
        return (row?.used ?? 0) + bytes > maxBytes ? 'full' : 'gone';
      }
      for (const digest of digests)
        await db.run('INSERT INTO recorded_subjects VALUES ($1, $2) ON CONFLICT DO NOTHING', digest, id);
      return 'begun';
    },
    /** @returns false when the recording was erased meanwhile */
    async addPart(id: string, part: number, sealed: Uint8Array): Promise<boolean> {
      const sql = `INSERT INTO recorded_parts (session, part, sealed)
        SELECT id, $2, $3 FROM recorded_sessions WHERE id = $1 AND state = ${state.unfinished}
        ${db.dialect.forShare}`;
      return (await db.run(sql, id, part, sealed)) === 1;
    },
    async complete(id: string): Promise<void> {
      const sql = `UPDATE recorded_sessions SET state = ${state.complete} WHERE id = $1 AND state = ${state.unfinished}`;
      await db.run(sql, id);
    },
    /** @returns false when there is no such recording */
    async label(id: string, label: RecordingLabel, species: string | null): Promise<boolean> {
      const sql = `UPDATE recorded_sessions SET label = $2, species = $3 WHERE id = $1 AND state = ${state.complete}`;
      return (await db.run(sql, id, label, species)) === 1;
    },
  };
}

function recordingReader(db: Database) {
  return {
    /** In order of id, which is the order of time; `after` is exclusive. */
    async list({ after, limit }: { after: string; limit: number }): Promise<RecordingRecord[]> {
      const sql = `SELECT * FROM recorded_sessions WHERE state = ${state.complete} AND id > $1 ORDER BY id LIMIT $2`;
      return (await db.all<object>(sql, after, limit)).map(recordings.read);
    },
    /** Those of one of the digests, in order of id. */
    async listOf(digests: readonly Uint8Array[]): Promise<RecordingRecord[]> {
      const places = digests.map((_, i) => `$${i + 1}`);
      const sql = `SELECT * FROM recorded_sessions WHERE state = ${state.complete} AND id IN
        (SELECT session FROM recorded_subjects WHERE digest IN (${places})) ORDER BY id`;
      return (await db.all<object>(sql, ...digests)).map(recordings.read);
    },
    /** In order; `after` is exclusive. */
    async parts(id: string, { after, limit }: { after: number; limit: number }): Promise<RecordedPart[]> {
      const sql = `SELECT p.part, p.sealed FROM recorded_parts p JOIN recorded_sessions s ON s.id = p.session
        WHERE p.session = $1 AND p.part > $2 AND s.state = ${state.complete} ORDER BY p.part LIMIT $3`;
      const rows = await db.all<RecordedPart>(sql, id, after, limit);
      return rows.map(({ part, sealed }) => ({ part, sealed: bytesOf(sealed) }));
    },
  };
}

function recordingEraser(db: Database) {
  return {
    /** @returns number of recordings */
    async erase({ id, clientId, digest }: RecordingFilter): Promise<number> {
      const values: SqlValue[] = [];
      const which = where(values, {
        'id = ?': id,
        'client_id = ?': clientId,
        'id IN (SELECT session FROM recorded_subjects WHERE digest = ?)': digest,
      });
      const sql = `UPDATE recorded_sessions SET state = ${state.erased} WHERE state <> ${state.erased} AND ${which}`;
      const marked = await db.erase(sql, ...values);
      if (marked > 0) await eraseMarkedRecordings(db);
      return marked;
    },
    /** Erases recordings older than `before`, those that were begun before `unfinished` and not completed, and leftovers. */
    async prune(before: Date, unfinished: Date): Promise<void> {
      const sql = `UPDATE recorded_sessions SET state = ${state.erased}
        WHERE recorded_at < $1 OR (state = ${state.unfinished} AND recorded_at < $2)`;
      await db.erase(sql, before.getTime(), unfinished.getTime());
      await eraseMarkedRecordings(db);
    },
  };
}

/** Erases what is marked, in slices, also what a process that ended has left. */
export async function eraseMarkedRecordings(db: Database): Promise<void> {
  const next = `SELECT id FROM recorded_sessions WHERE state = ${state.erased} LIMIT 1`;
  for (let any = false; ; any = true) {
    const id = (await db.get<{ id: string }>(next))?.id;
    if (id === undefined) {
      if (any) db.purge();
      return;
    }
    await eraseInSlices(db, 'recorded_parts', 'session = $1', id);
    await db.erase('DELETE FROM recorded_subjects WHERE session = $1', id);
    await db.erase('DELETE FROM recorded_sessions WHERE id = $1', id);
  }
}
