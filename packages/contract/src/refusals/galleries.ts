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
    en: 'user_id: this user is suspended{since:phrase?}: stored, and not matched[[; end it with resume-person first]]',
    id: 'user_id: orang ini ditangguhkan{since:phrase?}: disimpan, dan tidak dicocokkan[[; akhiri dengan resume-person dulu]]',
  },
  galleryExists: {
    status: 'galleryExists',
    en: 'facegallery_id: you have a gallery of this name already; choose another name or use it as it is',
    id: 'facegallery_id: Anda sudah memiliki galeri dengan nama ini; pilih nama lain atau pakai galeri itu',
  },
  galleryDamaged: {
    status: 'denied',
    en: 'facegallery_id: the key of this gallery is damaged, so that nothing in it opens; the operator restores a backup, or its people are enrolled again in a new gallery',
    id: 'facegallery_id: kunci galeri ini rusak, sehingga tidak ada isinya yang dapat dibuka; operator memulihkan cadangan, atau orang-orangnya didaftarkan lagi di galeri baru',
  },
  storedDamaged: {
    status: 'denied',
    en: 'what is stored for this call is damaged and does not open; enrol the user again with replace: true, or take the liveness session again',
    id: 'yang tersimpan untuk panggilan ini rusak dan tidak dapat dibuka; daftarkan orangnya lagi dengan replace: true, atau ulangi sesi liveness',
  },
  galleryDeleted: {
    status: 'galleryNotFound',
    en: 'facegallery_id: this gallery was deleted',
    id: 'facegallery_id: galeri ini sudah dihapus',
  },
  galleryQuotaUsedUp: {
    status: 'denied',
    en: 'n_facegallery: the number of galleries that this client may own is used up; ask the operator for more',
    id: 'n_facegallery: kuota galeri klien ini habis; minta tambahan kepada operator',
  },
  retentionWouldErase: {
    status: 'malformed',
    en: 'retention_days: found {days}, but {people:phrase} enrolled longer ago and would be erased within minutes; send erase_expired true if that is meant, or more days',
    id: 'retention_days: ditemukan {days}, padahal {people:phrase} sudah terdaftar lebih lama dan akan dihapus dalam hitungan menit; kirim erase_expired true bila itu yang dimaksud, atau hari yang lebih banyak',
  },
  cropsForbidden: {
    status: 'denied',
    en: 'keep_crops: the operator of this server keeps no face crops; allowed is false, or nothing (WAJAH_KEEP_FACE_CROPS)',
    id: 'keep_crops: operator server ini tidak menyimpan potongan wajah; yang diizinkan false, atau kosong (WAJAH_KEEP_FACE_CROPS)',
  },
  galleryJustMigrated: {
    status: 'busy',
    en: 'facegallery_id: this gallery was just migrated to the model pack {pack}, which this server does not run yet; try again, another server may answer',
    id: 'facegallery_id: galeri ini baru dipindahkan ke paket model {pack}, yang belum dijalankan server ini; coba lagi, mungkin server lain yang menjawab',
  },
  galleryNotComparable: {
    status: 'denied',
    en: 'facegallery_id: the faces of this gallery were enrolled with the model pack {stored}, the server runs {own}, and their templates cannot be compared; {remedy:phrase} in another gallery',
    id: 'facegallery_id: wajah galeri ini didaftarkan dengan paket model {stored}, server memakai {own}, dan templatnya tidak dapat dibandingkan; {remedy:phrase} di galeri lain',
  },
  sameUserTwice: {
    status: 'malformed',
    en: 'other_user_id: found the user_id; allowed is another user',
    id: 'other_user_id: sama dengan user_id; yang diizinkan ialah orang lain',
  },
  markedUserNotFound: {
    status: 'userNotFound',
    en: '{field}: nobody of this user_id is enrolled in the gallery',
    id: '{field}: tidak ada orang dengan user_id ini di galeri',
  },
  pairsCursor: {
    status: 'malformed',
    en: 'cursor: {problem:phrase}; send that of the previous page, or none to begin with the first',
    id: 'cursor: {problem:phrase}; kirim yang dari halaman sebelumnya, atau kosongkan untuk mulai dari yang pertama',
  },
  galleryTooLarge: {
    status: 'denied',
    en: 'facegallery_id: found {people} people, more than fit into the memory for galleries; the operator raises WAJAH_MATCH_MEMORY_MB',
    id: 'facegallery_id: ada {people} orang, lebih dari yang muat di memori untuk galeri; operator menaikkan WAJAH_MATCH_MEMORY_MB',
  },
  farAndThreshold: {
    status: 'malformed',
    en: 'far: threshold was sent as well; allowed is one of the two',
    id: 'far: threshold juga dikirim; yang diizinkan hanya salah satunya',
  },
  galleryEmpty: {
    status: 'notRecognized',
    en: 'facegallery_id: nobody is enrolled in this gallery; enrol somebody first',
    id: 'facegallery_id: belum ada orang yang terdaftar di galeri ini; daftarkan seseorang dulu',
  },
  nobodyReaches: {
    status: 'notRecognized',
    en: 'image: nobody in the gallery reaches the threshold: the best similarity is {best:similarity}, the threshold {threshold:similarity}; if the person is enrolled, send a clearer picture',
    id: 'image: tidak ada orang di galeri yang mencapai ambang: kemiripan terbaik {best:similarity}, ambang {threshold:similarity}; bila orangnya terdaftar, kirim gambar yang lebih jelas',
  },
} as const satisfies Record<string, RefusalRow>;

export const galleryPhrases = {
  since: { en: ' since {at}', id: ' sejak {at}' },
  onePersonWas: { en: '1 person was', id: '1 orang' },
  peopleWere: { en: '{count} people were', id: '{count} orang' },
  migrateElseEnrol: {
    en: 'where face crops are kept, migrate the templates with `wajah reembed --to {pack}`, else enrol the faces again',
    id: 'bila potongan wajah disimpan, pindahkan templatnya dengan `wajah reembed --to {pack}`, bila tidak daftarkan lagi wajahnya',
  },
  startMigrateElseEnrol: {
    en: 'start the server with that pack, or, where face crops are kept, migrate the templates with `wajah reembed --to {pack}`, else enrol the faces again',
    id: 'jalankan server dengan paket itu, atau, bila potongan wajah disimpan, pindahkan templatnya dengan `wajah reembed --to {pack}`, bila tidak daftarkan lagi wajahnya',
  },
  noPairsCursor: { en: 'it is no cursor of find-duplicates', id: 'bukan cursor dari find-duplicates' },
  cursorOfAnotherGallery: { en: 'it is of another gallery', id: 'cursor ini milik galeri lain' },
} as const satisfies Record<string, SentenceRow>;
