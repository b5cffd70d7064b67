import type { DerivedColumn, Table, Types } from '../../store/database/types.ts';

/** Schema 28. */
export const openidStep = ({ text, name, int, bytes, busy, end }: Types) => `
    CREATE TABLE openid_apps (
      id ${name} PRIMARY KEY,
      client_id ${name} NOT NULL REFERENCES clients ON DELETE CASCADE,
      gallery_id ${name} NOT NULL,
      -- JSON
      redirect_uris ${text} NOT NULL,
      -- sealed; null: the app is public
      secret ${bytes},
      -- whether a person is identified without a login_hint
      identify ${int} NOT NULL,
      id_token_alg ${name} NOT NULL,
      created_at ${int} NOT NULL
    )${end};
    CREATE INDEX openid_apps_by_client ON openid_apps (client_id);
    -- Sign-ins under way, codes, grants and access tokens.
    CREATE TABLE openid_states (
      -- SHA-256 of kind and id: neither a code nor a token can be read from it
      id ${name} PRIMARY KEY,
      client_id ${name} NOT NULL REFERENCES clients ON DELETE CASCADE,
      app ${name} NOT NULL REFERENCES openid_apps ON DELETE CASCADE,
      gallery_id ${name} NOT NULL,
      -- null: the person is not known yet
      user_id ${name},
      -- SHA-256 of the grant that it ends with
      grant_id ${name},
      -- sealed
      payload ${bytes} NOT NULL,
      expires_at ${int} NOT NULL,
      consumed_at ${int}
    )${busy};
    CREATE INDEX openid_states_by_user ON openid_states (client_id, gallery_id, user_id);
    CREATE INDEX openid_states_by_app ON openid_states (app);
    CREATE INDEX openid_states_by_grant ON openid_states (grant_id) WHERE grant_id IS NOT NULL;
    CREATE INDEX openid_states_by_expiry ON openid_states (expires_at);
    -- Sealed private keys, a JWK Set.
    CREATE TABLE openid_keys (id ${name} PRIMARY KEY, keys ${bytes} NOT NULL)${end};
`;

const ofClient = { owner: 'client', key: ['id'] } as const;

export const openidTables: readonly Table[] = [
  { name: 'openid_apps', ...ofClient, person: null, atOnce: 'row', sealed: ['secret'] },
  { name: 'openid_states', ...ofClient, person: ['user_id'], sealed: ['payload'] },
  { name: 'openid_keys', owner: null, key: ['id'], sealed: ['keys'] },
];

export const openidSealed = {
  openidSecret: {
    table: 'openid_apps',
    column: 'secret',
    name: 'id',
    part: '0',
    clientId: 'client_id',
    purpose: 'wajah openid secrets',
    context: ({ clientId, name }) => ['openid app', clientId, name],
  },
  openidPayload: {
    table: 'openid_states',
    column: 'payload',
    name: 'id',
    part: '0',
    clientId: 'client_id',
    purpose: 'wajah openid states',
    context: ({ clientId, name }) => ['openid state', clientId, name],
  },
  openidKeys: {
    table: 'openid_keys',
    column: 'keys',
    name: 'id',
    part: '0',
    purpose: 'wajah openid keys',
    context: ({ name }) => ['openid keys', name],
  },
} as const satisfies Readonly<Record<string, DerivedColumn>>;
