import type { RefusalRow, SentenceRow } from './sentence.ts';

/** Refusals about galleries and those who are enrolled in them. */
export const galleryRefusals = {
  galleryNotFound: {
    status: 'galleryNotFound',
    en: 'facegallery_id: you have no gallery of this name; list your galleries or create it first',
    id: 'facegallery_id: Anda tidak memiliki galeri dengan nama ini; lihat daftar galeri atau buat dulu',
  },
  userNotFound: {
    status: 'userNotFound',
    en: 'user_id: nobody of this user_id is enrolled in the gallery; list its faces or enrol the user first',
    id: 'user_id: tidak ada orang dengan user_id ini di galeri; lihat daftar wajahnya atau daftarkan orangnya dulu',
  },
  userSuspended: {
    status: 'userSuspended',
    en: 'user_id: this user is suspended{since:phrase?}: stored, and not matched; end it with resume-person first',
    id: 'user_id: orang ini ditangguhkan{since:phrase?}: disimpan, dan tidak dicocokkan; akhiri dengan resume-person dulu',
  },
} as const satisfies Record<string, RefusalRow>;

export const galleryPhrases = {
  since: { en: ' since {at}', id: ' sejak {at}' },
} as const satisfies Record<string, SentenceRow>;
