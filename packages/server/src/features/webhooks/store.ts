import { webhookTypes } from '@wajah/contract/features/webhooks';
import { DamagedRow } from '../../errors.ts';
import type { Database, Session, SqlValue } from '../../store/database/session.ts';
import { isJson, rowMapper } from '../../store/rows.ts';
import type {
  DeliveryState,
  OutboxEvent,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookStore,
  WebhookType,
} from './ports.ts';

const endpoints = rowMapper<WebhookEndpoint>('webhook_endpoints', {
  id: 'text',
  clientId: 'text',
  url: 'text',
  types: ({ id, types }) => typesOf(types as string, id as string),
  secret: 'bytes',
  enabled: 'flag',
  disabledReason: 'text',
  createdAt: 'time',
  dropped: 'int',
});

function typesOf(text: string, id: string): WebhookType[] | null {
  if (text === '') return null;
  const types = text.split(',').filter(Boolean) as WebhookType[];
  if (types.every((type) => webhookTypes.includes(type))) return types;
  throw new DamagedRow('webhook_endpoints.types', `id ${id}`);
}

/** All: empty. Else with a comma around each. */
const typesText = (types: readonly WebhookType[] | null) => (types === null ? '' : `,${types.join(',')},`);

const states: readonly string[] = ['pending', 'delivered', 'dead'] satisfies DeliveryState[];

const deliveries = rowMapper<WebhookDelivery>(
  'webhook_deliveries',
  {
    id: 'int',
    endpoint: 'text',
    eventId: 'text',
    type: 'text',
    payload: 'text',
    createdAt: 'time',
    state: 'text',
    attempts: 'int',
    nextAt: 'time',
    error: 'text',
  },
  {},
  // Of an event that is done, it is empty.
  { state: (state) => states.includes(state), payload: (payload) => payload === '' || isJson(payload) },
);

/** Tells that a person is erased, and is not erased with the person. */
const erasure: WebhookType = 'face.erased';

/** Endpoints e of client $1 that want events of type $2. The types of an endpoint have a comma around each. */
const wanting = `e.client_id = $1 AND e.enabled = 1 AND (e.types = '' OR e.types LIKE '%,' || $2 || ',%')`;

/** For the transaction of an event; its parameters are those of `outboxValues`. */
const insertDeliveries = `
  INSERT INTO webhook_deliveries
    (endpoint, client_id, type, event_id, gallery_id, user_id, payload, created_at, next_at, state, attempts)
  SELECT e.id, e.client_id, $2, $3, $4, $5, $6, CAST($7 AS bigint), CAST($7 AS bigint), 'pending', 0
    FROM webhook_endpoints e WHERE ${wanting} AND CAST($8 AS bigint) > (SELECT count(*) FROM (
      SELECT 1 FROM webhook_deliveries d WHERE d.endpoint = e.id AND d.state = 'pending' LIMIT CAST($8 AS bigint)) w)`;

function outboxValues({
  clientId,
  type,
  id,
  galleryId,
  userId,
  payload,
  at,
  limit,
}: OutboxEvent): SqlValue[] {
  return [clientId, type, id, galleryId, userId, payload, at.getTime(), limit];
}

/** After `insertDeliveries`: client_id, type, event_id. */
const countDropped = `
  UPDATE webhook_endpoints SET dropped = dropped + 1 WHERE id IN (SELECT e.id FROM webhook_endpoints e
    WHERE ${wanting} AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint = e.id AND d.event_id = $3))`;

async function writeEvent(session: Session, event: OutboxEvent): Promise<void> {
  await session.run(insertDeliveries, ...outboxValues(event));
  await session.run(countDropped, event.clientId, event.type, event.id);
}

export function createWebhookStore(db: Database): WebhookStore {
  return {
    ...endpointStore(db),
    ...outbox(db),
    ...deliveryReader(db),
    alongside: (event) => (session) => writeEvent(session, event),
    append: (events) =>
      db.transaction(async (session) => {
        for (const event of events) await writeEvent(session, event);
      }),
  };
}

function endpointStore(db: Database) {
  return {
    async add(endpoint, most) {
      const { id, clientId, url, types, secret, createdAt } = endpoint;
      if (!(await db.get('SELECT 1 FROM clients WHERE client_id = $1', clientId))) return 'gone';
      const sql = `INSERT INTO webhook_endpoints (id, client_id, url, types, secret, enabled, created_at, dropped)
        SELECT $1, c.client_id, $3, $4, $5, 1, CAST($6 AS bigint), 0 FROM clients c WHERE c.client_id = $2
          AND (SELECT count(*) FROM webhook_endpoints e WHERE e.client_id = $2) < CAST($7 AS bigint)`;
      const added = await db.run(sql, id, clientId, url, typesText(types), secret, createdAt.getTime(), most);
      return added === 1 ? 'added' : 'full';
    },
    find: (id) => endpoints.get(db, 'SELECT * FROM webhook_endpoints WHERE id = $1', id),
    async list(clientId) {
      const sql = 'SELECT * FROM webhook_endpoints WHERE client_id = $1 ORDER BY created_at, id';
      return endpoints.all(db, sql, clientId);
    },
    setSecret: async (id, secret) =>
      (await db.run('UPDATE webhook_endpoints SET secret = $2 WHERE id = $1', id, secret)) === 1,
    async disable(id, reason) {
      await db.run(
        'UPDATE webhook_endpoints SET enabled = 0, disabled_reason = $2 WHERE id = $1',
        id,
        reason,
      );
    },
    async update(id, { url, types }) {
      const sql = `UPDATE webhook_endpoints SET url = coalesce($2, url), types = coalesce($3, types), enabled = 1,
        disabled_reason = NULL WHERE id = $1`;
      await db.run(sql, id, url ?? null, types ? typesText(types) : null);
    },
    async remove(id) {
      await db.erase('DELETE FROM webhook_deliveries WHERE endpoint = $1', id);
      return (await db.erase('DELETE FROM webhook_endpoints WHERE id = $1', id)) === 1;
    },
    async enabled(now) {
      const sql = `SELECT e.*, CASE WHEN EXISTS (SELECT 1 FROM webhook_deliveries d
          WHERE d.endpoint = e.id AND d.state = 'pending' AND d.next_at <= $1) THEN 1 ELSE 0 END AS due
        FROM webhook_endpoints e WHERE e.enabled = 1`;
      const rows = await db.all<{ due: number }>(sql, now.getTime());
      return rows.map((row) => ({ ...endpoints.read(row), due: row.due === 1 }));
    },
  } satisfies Partial<WebhookStore>;
}

function outbox(db: Database) {
  return {
    async lease(endpoint, now, until) {
      const sql = `UPDATE webhook_deliveries SET next_at = $3 WHERE id = (SELECT id FROM webhook_deliveries
          WHERE endpoint = $1 AND state = 'pending' AND next_at <= $2 ORDER BY id LIMIT 1 ${db.dialect.skipLocked})
        RETURNING *`;
      const row = await db.returning<object>(sql, endpoint, now.getTime(), until.getTime());
      return row ? deliveries.read(row) : null;
    },
    async settle({ id, nextAt: lease }, now, next, error) {
      const state = next ? 'pending' : error === null ? 'delivered' : 'dead';
      const whom = next ? '' : ", user_id = NULL, payload = ''";
      const sql = `UPDATE webhook_deliveries SET state = $3, next_at = $4, error = $5, attempts = attempts + $6${whom}
        WHERE id = $1 AND next_at = $2 AND state = 'pending'`;
      const failed = error === null ? 0 : 1;
      await db.run(sql, id, lease.getTime(), state, (next ?? now).getTime(), error, failed);
    },
    forget(clientId, userId) {
      const sql = 'DELETE FROM webhook_deliveries WHERE client_id = $1 AND user_id = $2 AND type <> $3';
      return db.erase(sql, clientId, userId, erasure);
    },
    async prune(before) {
      await db.erase('DELETE FROM webhook_deliveries WHERE created_at < $1', before.getTime());
    },
  } satisfies Partial<WebhookStore>;
}

function deliveryReader(db: Database) {
  return {
    async deliveries(endpoint, state, limit) {
      const sql = `SELECT * FROM webhook_deliveries WHERE endpoint = $1 AND state = coalesce($2, state)
        ORDER BY id DESC LIMIT $3`;
      return deliveries.all(db, sql, endpoint, state, limit);
    },
    async listOf(clientId, userId) {
      const sql = 'SELECT * FROM webhook_deliveries WHERE client_id = $1 AND user_id = $2 ORDER BY id';
      return deliveries.all(db, sql, clientId, userId);
    },
    async use() {
      const sql = `SELECT state, count(*) AS count, min(created_at) AS oldest FROM webhook_deliveries
        WHERE state <> 'delivered' GROUP BY state`;
      const rows = await db.all<{ state: string; count: number; oldest: number }>(sql);
      const of = (state: string) => rows.find((row) => row.state === state);
      const oldest = of('pending')?.oldest;
      const lost = await db.get<{ dropped: number }>(
        'SELECT CAST(coalesce(sum(dropped), 0) AS bigint) AS dropped FROM webhook_endpoints',
      );
      return {
        pending: of('pending')?.count ?? 0,
        dead: of('dead')?.count ?? 0,
        oldest: oldest === undefined ? null : new Date(oldest),
        dropped: lost?.dropped ?? 0,
      };
    },
  } satisfies Partial<WebhookStore>;
}
