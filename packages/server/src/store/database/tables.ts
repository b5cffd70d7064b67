import { featureTables } from '../../features/declared.ts';
import type { Table } from './types.ts';

/** Meta values of one store that are not copied. */
export const localMetaKeys = {
  migratedBy: 'migrated_by',
  signInLink: 'sign_in_link',
  signingKey: 'signing_key',
  writeTest: 'write_probe',
} as const;

/** Of the meta values that say which processes use a database; they are not copied either. */
export const leasePrefix = 'process:';

const userId = ['user_id'] as const;
const ofGallery = { owner: 'gallery', omit: ['id'] } as const;
const ofClient = { owner: 'client', key: ['id'] } as const;
const byGallery = { owner: 'gallery', key: ['gallery'], person: null } as const;

/**
 * All tables, in an order that satisfies foreign keys. What is written only while there is a face stands behind faces, in
 * the order in which it is erased. Which frames were erased matters only to running servers, and has no table here.
 */
export const tables: readonly Table[] = [
  { name: 'clients', key: ['client_id'], owner: 'account' },
  { name: 'galleries', key: ['id'], owner: 'client', person: null, counter: 'id' },
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
  {
    name: 'different_people',
    key: ['gallery', 'user_a', 'user_b'],
    ...ofGallery,
    person: ['user_a', 'user_b'],
  },
  { name: 'person_terms', key: ['gallery', 'user_id'], ...ofGallery, person: userId },
  { name: 'face_pictures', key: ['gallery', 'user_id', 'place'], ...ofGallery, person: userId },
  { name: 'named_subjects', key: ['gallery', 'user_id'], ...ofGallery, person: userId },
  { name: 'gallery_scores', key: ['gallery', 'day', 'comparison', 'bin'], ...ofGallery, person: null },
  { name: 'api_tokens', key: ['id'], owner: 'account', atOnce: 'token' },
  { name: 'revoked_jwts', key: ['jti'], owner: null },
  ...featureTables.list,
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
    name: 'meta',
    owner: null,
    key: ['key'],
    where: `key NOT IN (${Object.values(localMetaKeys).map((name) => `'${name}'`)}) AND key NOT LIKE '${leasePrefix}%'`,
  },
  { name: 'model_packs', key: ['id'], owner: null },
  { name: 'model_pack_files', key: ['pack', 'file', 'part'], owner: null },
  { name: 'audit', key: ['id'], owner: null, counter: 'id' },
  { name: 'audit_ends', key: ['name'], owner: null },
];
