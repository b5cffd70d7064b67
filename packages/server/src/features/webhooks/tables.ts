import type { DerivedColumn, Table, Types } from '../../store/database/types.ts';

/** Of the first schema. */
export const webhookSchema = ({ text, name, int, bytes, serial, end }: Types) => `
    CREATE TABLE webhook_endpoints (
      id ${name} PRIMARY KEY,
      client_id ${name} NOT NULL REFERENCES clients ON DELETE CASCADE,
      url ${text} NOT NULL,
      -- names with a comma around each; empty: all
      types ${text} NOT NULL,
      -- sealed
      secret ${bytes} NOT NULL,
      enabled ${int} NOT NULL,
      disabled_reason ${text},
      created_at ${int} NOT NULL,
      dropped ${int} NOT NULL
    )${end};
    CREATE INDEX webhook_endpoints_by_client ON webhook_endpoints (client_id);
    -- Payloads name user_id.
    CREATE TABLE webhook_deliveries (
      id ${serial},
      endpoint ${name} NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
      client_id ${name} NOT NULL,
      type ${text} NOT NULL,
      event_id ${name} NOT NULL,
      gallery_id ${name},
      user_id ${name},
      payload ${text} NOT NULL,
      created_at ${int} NOT NULL,
      -- pending, delivered or dead
      state ${name} NOT NULL,
      attempts ${int} NOT NULL,
      -- when it is sent next or its lease ends; of a delivery that is done, when that was
      next_at ${int} NOT NULL,
      error ${text}
    )${end};
    CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint, state, next_at);
    CREATE INDEX webhook_deliveries_by_user ON webhook_deliveries (client_id, gallery_id, user_id);
    CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_id);
`;

const ofClient = { owner: 'client', key: ['id'] } as const;

export const webhookTables: readonly Table[] = [
  { name: 'webhook_endpoints', ...ofClient, person: null, sealed: ['secret'] },
  { name: 'webhook_deliveries', ...ofClient, counter: 'id', person: ['user_id'] },
];

export const webhookSealed = {
  webhookSecret: {
    table: 'webhook_endpoints',
    column: 'secret',
    name: 'id',
    part: '0',
    clientId: 'client_id',
    purpose: 'wajah webhook secrets',
    context: ({ clientId, name }) => ['webhook', clientId, name],
  },
} as const satisfies Readonly<Record<string, DerivedColumn>>;
