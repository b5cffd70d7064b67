import type { LimitStore } from '../memory-limits.ts';
import type { PostgresDatabase } from './connection/database.ts';

/** Number of increments after which expired counters are deleted. */
const sweepEvery = 1000;

/** Uses the clock of the database, so that clock skew between servers has no effect. */
export function postgresLimits(db: PostgresDatabase): LimitStore {
  let counted = 0;
  return {
    increment: async (key, limit, windowMs) => {
      if (++counted % sweepEvery === 0) await db.run('DELETE FROM limits WHERE ends_at < now()');
      const row = await db.get<{ count: number; wait: number }>(
        `INSERT INTO limits AS l VALUES ($1, 1, now() + $3 * interval '1 ms')
         ON CONFLICT (key) DO UPDATE SET
           count = CASE WHEN l.ends_at <= now() THEN 1 ELSE least(l.count + 1, $2 + 1) END,
           ends_at = CASE WHEN l.ends_at <= now() THEN excluded.ends_at ELSE l.ends_at END
         RETURNING count, (extract(epoch FROM ends_at - now()) * 1000)::bigint AS wait`,
        key,
        limit,
        windowMs,
      );
      if (!row) throw new Error('the database returned no counter');
      return { count: row.count, waitMs: Math.max(0, row.wait) };
    },
    decrement: async (key, by) => {
      if (by === undefined) await db.run('DELETE FROM limits WHERE key = $1', key);
      else await db.run('UPDATE limits SET count = greatest(count - $2, 0) WHERE key = $1', key, by);
    },
  };
}
