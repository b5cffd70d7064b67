import type { RefusalRow } from './sentence.ts';

/** Refusals about galleries and those who are enrolled in them. */
export const galleryRefusals = {
  galleryNotFound: {
    status: 'galleryNotFound',
    field: 'facegallery_id',
    sentence: 'you have no gallery of this name; list your galleries or create it first',
  },
  userNotFound: {
    status: 'userNotFound',
    field: 'user_id',
    sentence:
      'nobody of this [[user_id|user ID]] is enrolled in the gallery; list its faces or enrol the user first',
  },
  userSuspended: {
    status: 'userSuspended',
    field: 'user_id',
    sentence:
      'this user is suspended{since:phrase?}: stored, and not matched[[; end it with resume-person first]]',
  },
  galleryExists: {
    status: 'galleryExists',
    field: 'facegallery_id',
    sentence: 'you have a gallery of this name already; choose another name or use it as it is',
  },
  galleryDamaged: {
    status: 'denied',
    field: 'facegallery_id',
    sentence:
      'the key of this gallery is damaged, so that nothing in it opens; the operator restores a backup, or its people are enrolled again in a new gallery',
  },
  storedDamaged: {
    status: 'denied',
    sentence:
      'what is stored for this call is damaged and does not open; enrol the user again with replace: true, or take the liveness session again',
  },
  rowDamaged: {
    status: 'denied',
    sentence:
      'what is stored for this call was changed in the database and cannot be read ({place}); the operator puts it right, or restores a backup',
  },
  galleryDeleted: {
    status: 'galleryNotFound',
    field: 'facegallery_id',
    sentence: 'this gallery was deleted',
  },
  galleryQuotaUsedUp: {
    status: 'denied',
    field: 'n_facegallery',
    sentence: 'the number of galleries that this client may own is used up; ask the operator for more',
  },
  retentionWouldErase: {
    status: 'malformed',
    field: 'retention_days',
    sentence:
      'found {days}, but {people:phrase} enrolled longer ago and would be erased within minutes; send erase_expired true if that is meant, or more days',
  },
  cropsForbidden: {
    status: 'denied',
    field: 'keep_crops',
    sentence:
      'the operator of this server keeps no face crops; allowed is false, or nothing (WAJAH_KEEP_FACE_CROPS)',
  },
  galleryPartlyMigrated: {
    status: 'denied',
    field: 'facegallery_id',
    sentence:
      'the templates of this gallery are migrated to the model pack {stored} in part, and are compared when all are; stop the server and run `wajah reembed --to {pack}`, which completes it',
  },
  galleryNotComparable: {
    status: 'denied',
    field: 'facegallery_id',
    sentence:
      'the faces of this gallery were enrolled with the model pack {stored}, the server runs {own}, and their templates cannot be compared; {remedy:phrase} in another gallery',
  },
  sameUserTwice: {
    status: 'malformed',
    field: 'other_user_id',
    sentence: 'found the [[user_id|user ID]]; allowed is another user',
  },
  galleryTooLarge: {
    status: 'denied',
    field: 'facegallery_id',
    sentence:
      'found {people} people, more than fit into the memory for galleries; the operator raises WAJAH_MATCH_MEMORY_MB',
  },
  farAndThreshold: {
    status: 'malformed',
    field: 'far',
    sentence: 'threshold was sent as well; allowed is one of the two',
  },
  galleryEmpty: {
    status: 'notRecognized',
    field: 'facegallery_id',
    sentence: 'nobody is enrolled in this gallery; enrol somebody first',
  },
  nobodyReaches: {
    status: 'notRecognized',
    field: 'image',
    sentence:
      'nobody in the gallery reaches the threshold: the best similarity is {best:similarity}, the threshold {threshold:similarity}; if the person is enrolled, send a clearer picture',
  },
} as const satisfies Record<string, RefusalRow>;

export const galleryPhrases = {
  since: ' since {at:time}',
  onePersonWas: '1 person was',
  peopleWere: '{count} people were',
  migrateElseEnrol:
    'where face crops are kept, stop the server and migrate the templates with `wajah reembed --to {pack}`, else enrol the faces again',
  startMigrateElseEnrol:
    'start the server with that pack, or, where face crops are kept, stop the server and migrate the templates with `wajah reembed --to {pack}`, else enrol the faces again',
} as const satisfies Record<string, string>;
