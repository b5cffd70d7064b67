import { maskDatabaseUrl } from './database-url.ts';
import { databaseUrl, integer } from './kinds.ts';
import { define } from './setting.ts';

const none = { says: 'none', value: null };

/** Where the store is, when it is not the data directory. */
export const databaseSettings = {
  databaseUrl: define({
    name: 'WAJAH_DATABASE_URL',
    group: 'Database',
    fallback: { says: 'none: the embedded database of the data directory', value: null },
    ...databaseUrl('WAJAH_DATABASE_URL'),
    secret: maskDatabaseUrl,
    about: 'PostgreSQL that several servers share. Needs WAJAH_SECRET_KEY, the same for all of them.',
  }),
  databaseReadUrl: define({
    name: 'WAJAH_DATABASE_READ_URL',
    group: 'Database',
    fallback: none,
    ...databaseUrl('WAJAH_DATABASE_READ_URL'),
    secret: maskDatabaseUrl,
    about: 'A standby that galleries are loaded from while it is not behind; else the primary is asked.',
  }),
  databasePool: define({
    name: 'WAJAH_DATABASE_POOL',
    group: 'Database',
    fallback: '10',
    ...integer(1, 1000),
    about:
      'Connections that one server holds at most, to each of the two; two more while large galleries are loaded.',
  }),
  databaseTimeout: define({
    name: 'WAJAH_DATABASE_TIMEOUT_MS',
    group: 'Database',
    fallback: '5000',
    ...integer(100, 600_000),
    about:
      'Milliseconds after which a statement, or the wait for a connection, is given up and answered 503.',
  }),
  auditDays: define({
    name: 'WAJAH_AUDIT_DAYS',
    group: 'Database',
    fallback: '365',
    ...integer(0, 36_500),
    about: 'Days that records of the audit trail are kept, in either database; 0 keeps them for ever.',
  }),
};
