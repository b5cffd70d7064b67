/** A table, and what the store does with its rows. Both databases have it, with the same columns but for `omit`. */
export interface Table {
  readonly name: string;
  /** Unique; the order in which rows are read. */
  readonly key: readonly string[];
  /**
   * With what its rows are erased: a gallery (column `gallery`), a client that is unregistered or removed or only one
   * whose account is removed (`client_id`); null: the table is of the installation.
   */
  readonly owner: 'gallery' | 'client' | 'account' | null;
  /** Columns with a user_id: a row is erased with that person. A table of a client has `gallery_id` beside it. */
  readonly person?: readonly string[];
  /** Sealed columns. */
  readonly sealed?: readonly string[];
  /** Rows of a gallery that are erased in the transaction that detaches it; keys are overwritten. */
  readonly atOnce?: 'key' | 'row';
  /** Rows that the embedded store erases in one transaction; default: 500. */
  readonly slice?: number;
  /** In the embedded store the key is the place of a row. */
  readonly withoutRowid?: true;
  /** Of these rows only there are copies: a condition that both databases understand. */
  readonly where?: string;
  /** Column with a sequence; its last value is copied too, so that numbers are never reused. */
  readonly counter?: string;
  /** Columns that only one of the stores has. */
  readonly omit?: readonly string[];
}

/** Meta values of one store that are not copied. */
export const localMetaKeys = {
  migratedBy: 'migrated_by',
  signInLink: 'sign_in_link',
  signingKey: 'signing_key',
  writeTest: 'write_probe',
} as const;

const userId = ['user_id'] as const;
const ofGallery = { owner: 'gallery', omit: ['id'] } as const;
const ofClient = { owner: 'client', key: ['id'] } as const;
const byGallery = { owner: 'gallery', key: ['gallery'] } as const;

/**
 * All tables, in an order that satisfies foreign keys. What is written only while there is a face stands behind faces, in
 * the order in which it is erased. Which frames were erased matters only to running servers, and has no table here.
 */
export const tables: readonly Table[] = [
  { name: 'clients', key: ['client_id'], owner: 'account' },
  { name: 'galleries', key: ['id'], owner: 'client', counter: 'id' },
  { name: 'gallery_keys', ...byGallery, atOnce: 'key' },
  { name: 'gallery_cohorts', ...byGallery, atOnce: 'row', sealed: ['sealed'] },
  { name: 'faces', key: ['gallery', 'seq'], ...ofGallery, person: userId, sealed: ['template'] },
  {
    name: 'face_crops',
    slice: 100,
    key: ['gallery', 'user_id', 'place'],
    ...ofGallery,
    person: userId,
    sealed: ['crop'],
  },
  { name: 'next_templates', key: ['gallery', 'user_id'], ...ofGallery, person: userId, sealed: ['template'] },
  {
    name: 'different_people',
    key: ['gallery', 'user_a', 'user_b'],
    ...ofGallery,
    person: ['user_a', 'user_b'],
  },
  { name: 'person_terms', key: ['gallery', 'user_id'], ...ofGallery, person: userId },
  { name: 'face_pictures', key: ['gallery', 'user_id', 'place'], ...ofGallery, person: userId },
  { name: 'named_subjects', key: ['gallery', 'user_id'], ...ofGallery, person: userId },
  { name: 'gallery_scores', key: ['gallery', 'day', 'comparison', 'bin'], ...ofGallery },
  { name: 'api_tokens', key: ['id'], owner: 'account' },
  { name: 'revoked_jwts', key: ['jti'], owner: null },
  { name: 'webhook_endpoints', ...ofClient, sealed: ['secret'] },
  { name: 'webhook_deliveries', ...ofClient, counter: 'id', person: userId },
  { name: 'liveness_sessions', ...ofClient, person: userId, sealed: ['template', 'frame'] },
  {
    name: 'liveness_frames',
    slice: 50,
    ...ofClient,
    counter: 'id',
    person: userId,
    sealed: ['shapes'],
  },
  {
    name: 'activity',
    withoutRowid: true,
    owner: 'client',
    key: ['client_id', 'seconds', 'start', 'route', 'status', 'latency'],
  },
  { name: 'refused_calls', ...ofClient, counter: 'id', person: userId },
  {
    name: 'meta',
    owner: null,
    key: ['key'],
    where: `key NOT IN (${Object.values(localMetaKeys).map((name) => `'${name}'`)})`,
  },
  { name: 'audit', key: ['id'], owner: null, counter: 'id' },
  { name: 'audit_ends', key: ['name'], owner: null },
];
