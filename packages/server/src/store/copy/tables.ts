import { OperatorError } from '../../errors.ts';

/** A table to copy. Both stores have it, with the same columns. */
export interface CopiedTable {
  readonly name: string;
  /** Unique; the order in which rows are read. */
  readonly key: readonly string[];
  /** Only these rows: a condition that both databases understand. */
  readonly where?: string;
  /** Column with a sequence; its last value is copied too, so that numbers are never reused. */
  readonly counter?: string;
  /** Columns that only one of the stores has. */
  readonly omit?: readonly string[];
}

/** Meta values of one store that are not copied. */
export const localMetaKeys = {
  copying: 'copying',
  migratedBy: 'migrated_by',
  signingKey: 'signing_key',
  writeTest: 'write_probe',
} as const;

/**
 * Tables of one store that are not copied: recorded sessions expire within days, and a second copy of the pictures
 * would have to be erased apart; `wajah sessions export` copies them on purpose. Which frames were erased matters only
 * to running servers.
 */
export const localTables = [
  'recorded_sessions',
  'recorded_subjects',
  'recorded_parts',
  'erased_frames',
] as const;

/** In an order that satisfies foreign keys. */
export const copiedTables: readonly CopiedTable[] = [
  { name: 'clients', key: ['client_id'] },
  { name: 'galleries', key: ['id'], counter: 'id' },
  // The embedded store keeps the rows of erased keys, filled with zeros.
  { name: 'gallery_keys', key: ['gallery'], where: 'gallery IN (SELECT id FROM galleries)' },
  { name: 'former_gallery_keys', key: ['gallery'], where: 'gallery IN (SELECT id FROM galleries)' },
  { name: 'gallery_cohorts', key: ['gallery'], where: 'gallery IN (SELECT id FROM galleries)' },
  { name: 'faces', key: ['gallery', 'seq'], omit: ['id'] },
  { name: 'face_crops', key: ['gallery', 'user_id', 'place'], omit: ['id'] },
  { name: 'next_templates', key: ['gallery', 'user_id'], omit: ['id'] },
  { name: 'different_people', key: ['gallery', 'user_a', 'user_b'], omit: ['id'] },
  { name: 'person_terms', key: ['gallery', 'user_id'], omit: ['id'] },
  { name: 'face_pictures', key: ['gallery', 'user_id', 'place'], omit: ['id'] },
  { name: 'named_subjects', key: ['gallery', 'user_id'], omit: ['id'] },
  { name: 'gallery_scores', key: ['gallery', 'day', 'comparison', 'bin'], omit: ['id'] },
  { name: 'api_tokens', key: ['id'] },
  { name: 'revoked_jwts', key: ['jti'] },
  { name: 'webhook_endpoints', key: ['id'] },
  { name: 'webhook_deliveries', key: ['id'], counter: 'id' },
  { name: 'liveness_sessions', key: ['id'] },
  { name: 'liveness_frames', key: ['id'], counter: 'id' },
  {
    name: 'activity',
    key: ['client_id', 'seconds', 'start', 'route', 'measure', 'outcome', 'bin'],
  },
  { name: 'refused_calls', key: ['id'], counter: 'id' },
  {
    name: 'meta',
    key: ['key'],
    where: `key NOT IN (${Object.values(localMetaKeys).map((name) => `'${name}'`)})`,
  },
  { name: 'audit', key: ['id'], counter: 'id' },
  { name: 'audit_ends', key: ['name'] },
];

/**
 * Refuses to serve a store with an incomplete copy.
 * @param copying its meta value of `localMetaKeys.copying`
 * @throws OperatorError
 */
export function requireCompleteCopy(copying: string | null | undefined): void {
  if (copying === null || copying === undefined) return;
  throw new OperatorError(
    `it holds part of a copy of ${copying}; finish that with \`wajah migrate-store\`, or empty it`,
  );
}
