import type { Table, Types } from '../../store/database/types.ts';

/** Of the first schema, whose table `activity` had the counts. */
export const activitySchema = ({ text, name, int, real, serial, end }: Types) => `
    CREATE TABLE refused_calls (
      id ${serial},
      client_id ${name} NOT NULL REFERENCES clients ON DELETE CASCADE,
      at ${int} NOT NULL,
      route ${text} NOT NULL,
      status ${text} NOT NULL,
      detail ${text},
      -- code of the refusal, and its parameters in JSON; null: it has the sentence only
      error ${text},
      params ${text},
      trx_id ${text} NOT NULL,
      gallery_id ${name},
      user_id ${name},
      similarity ${real},
      spoof_score ${real},
      ms ${int} NOT NULL
    )${end};
    CREATE INDEX refused_calls_of_client ON refused_calls (client_id, id);
    CREATE INDEX refused_calls_by_age ON refused_calls (at);
`;

/** Schema 27: calls are counted by day, and how long they took is not kept. */
export const activityStep = ({ name, int, busy }: Types) => `
    CREATE TABLE call_counts (
      client_id ${name} NOT NULL REFERENCES clients ON DELETE CASCADE,
      -- its beginning, UTC
      day ${int} NOT NULL,
      route ${name} NOT NULL,
      status ${name} NOT NULL,
      count ${int} NOT NULL,
      PRIMARY KEY (client_id, day, route, status)
    )${busy};
    INSERT INTO call_counts (client_id, day, route, status, count)
      SELECT a.client_id, a.start - a.start % 86400000, a.route, a.status, sum(a.count)
        FROM activity a JOIN clients c ON c.client_id = a.client_id
       WHERE a.seconds = 3600 AND a.count BETWEEN 1 AND 1000000000000 AND c.registered_at IS NOT NULL
       GROUP BY 1, 2, 3, 4;
    DROP TABLE activity;
    ALTER TABLE refused_calls DROP COLUMN ms;
`;

const ofClient = { owner: 'client' } as const;

export const activityTables: readonly Table[] = [
  { name: 'call_counts', ...ofClient, person: null, key: ['client_id', 'day', 'route', 'status'] },
  { name: 'refused_calls', ...ofClient, key: ['id'], counter: 'id', person: ['user_id'] },
];
