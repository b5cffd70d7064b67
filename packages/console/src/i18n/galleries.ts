import { translated } from './translated.ts';

export const galleries = translated({
  lead: [
    'A gallery holds the templates of enrolled people. Each client has access to its own galleries only.',
    'Galeri berisi templat orang yang terdaftar. Setiap klien hanya melihat galerinya sendiri.',
  ],
  pack: ['Model pack', 'Paket model'],
  drawn: ['Drawn people to try things with.', 'Orang gambar buatan untuk mencoba.'],
  first: [
    'Made with this client, for its first people.',
    'Dibuat bersama klien ini, untuk orang pertamanya.',
  ],
  faces: ['faces kept', 'wajah disimpan'],
  facesNone: ['no faces kept', 'wajah tidak disimpan'],
  otherPack: ['Enrolled with another pack', 'Didaftarkan dengan paket lain'],
  requiresLiveness: ['Liveness required', 'Wajib liveness'],
  create: ['New gallery', 'Galeri baru'],
  createButton: ['Create', 'Buat'],
  createHint: [
    '1 to 120 characters, for example office or school@2026.',
    '1 sampai 120 karakter, misalnya kantor atau sekolah@2026.',
  ],
  requireLiveness: ['Require a liveness token', 'Wajibkan token liveness'],
  requireLivenessHint: [
    'Enrolment and verification need the token of a passed liveness session.',
    'Pendaftaran dan verifikasi memerlukan token sesi liveness yang lulus.',
  ],
  keepCrops: ['Keep a picture of each face', 'Simpan gambar setiap wajah'],
  keepCropsHint: [
    'People are shown with their faces, and mistakes are seen. The crops are encrypted, are erased with the person, and each look at them is recorded. Without them only templates are kept: numbers to compare a face by. Tell the people concerned.',
    'Orang ditampilkan dengan wajahnya, sehingga kekeliruan terlihat. Potongan wajah dienkripsi, dihapus bersama orangnya, dan setiap akses dicatat. Tanpa itu hanya templat yang disimpan: angka untuk membandingkan wajah. Beri tahu orang yang bersangkutan.',
  ],
  keepFaces: ['Keep faces from now on', 'Simpan wajah mulai sekarang'],
  noFaces: [
    'This gallery keeps no faces: people are shown by their names, and a doubtful one has nothing to be compared with.',
    'Galeri ini tidak menyimpan wajah: orang ditampilkan dengan namanya, dan yang meragukan tidak dapat dibandingkan.',
  ],
  noFacesForbidden: [
    'The operator of this server allows none (WAJAH_KEEP_FACE_CROPS=false).',
    'Operator server ini tidak mengizinkannya (WAJAH_KEEP_FACE_CROPS=false).',
  ],
  dropCrops: [
    'The pictures that this gallery keeps are erased at once and cannot be restored. The people stay enrolled.',
    'Gambar yang disimpan galeri ini langsung dihapus dan tidak dapat dipulihkan. Orangnya tetap terdaftar.',
  ],
  empty: ['No galleries', 'Belum ada galeri'],
  emptyText: [
    'Create a gallery, then enrol people from pictures or with the camera.',
    'Buat galeri, lalu daftarkan orang dari gambar atau dengan kamera.',
  ],
  open: ['Open {name}', 'Buka {name}'],
  back: ['All galleries', 'Semua galeri'],
  deleteGallery: ['Delete gallery', 'Hapus galeri'],
  deleteTitle: ['Delete the gallery “{name}”?', 'Hapus galeri “{name}”?'],
  deleteText: [
    'All its templates ({people}) are deleted immediately and cannot be restored. Type the name of the gallery to confirm.',
    'Semua templatnya ({people}) langsung dihapus dan tidak dapat dipulihkan. Ketik nama galeri untuk mengonfirmasi.',
  ],
  views: ['Parts of the gallery', 'Bagian galeri'],
  viewPeople: ['People ({count})', 'Orang ({count})'],
  view_duplicates: ['Duplicates', 'Duplikat'],
  view_thresholds: ['Thresholds', 'Ambang'],
  notFound: ['This gallery does not exist', 'Galeri ini tidak ada'],
  notFoundText: [
    'It may have been deleted, or it belongs to another client.',
    'Mungkin sudah dihapus, atau milik klien lain.',
  ],
  view_settings: ['Settings', 'Pengaturan'],
  threshold: ['Threshold of this gallery', 'Ambang galeri ini'],
  thresholdHint: [
    'Minimum similarity score of a match, 0 to 1. Empty: the threshold of the server. The tab Thresholds shows what a value means.',
    'Skor kemiripan minimum agar dua wajah dianggap cocok, 0 sampai 1. Kosong: ambang server. Tab Ambang menunjukkan arti suatu nilai.',
  ],
  thresholdOne: [
    'Only a picture that is enrolled reaches 1: nobody is recognised in another one.',
    'Hanya gambar yang terdaftar itu sendiri yang mencapai 1: tidak seorang pun dikenali di gambar lain.',
  ],
  inForce: [
    'Thresholds: verification {verify}, identification {identify}.',
    'Ambang: verifikasi {verify}, identifikasi {identify}.',
  ],
  twice: ['People who look alike', 'Orang yang mirip'],
  twiceHint: [
    'Compares all pairs of this gallery. A pair may be one person who is enrolled twice, or two people who look alike: compare them before you merge. Each step of about a second counts as one call.',
    'Membandingkan semua pasangan di galeri ini. Sebuah pasangan bisa jadi satu orang yang terdaftar dua kali, atau dua orang yang mirip: bandingkan sebelum menggabungkan. Setiap langkah sekitar satu detik dihitung sebagai satu panggilan.',
  ],
  twiceNoFaces: [
    'This gallery keeps no faces, so that names and IDs are all there is to compare here.',
    'Galeri ini tidak menyimpan wajah, sehingga di sini hanya nama dan ID yang dapat dibandingkan.',
  ],
  twiceStart: ['Compare all pairs', 'Bandingkan semua pasangan'],
  twiceContinue: ['Continue', 'Lanjutkan'],
  twiceProgress: [
    '{share} of the pairs, {done} of {people} people',
    '{share} pasangan, {done} dari {people} orang',
  ],
  twiceNone: ['No pair reaches the threshold', 'Tidak ada pasangan yang mencapai ambang'],
  twiceSummary: [
    'Similarity {threshold} or more. About {expected} pairs of different people are expected among all pairs.',
    'Kemiripan {threshold} atau lebih. Di antara semua pasangan diperkirakan ada sekitar {expected} pasangan orang yang berbeda.',
  ],
  twiceStatistics: [
    'Similarities are normalised by {people} people, version {version}.',
    'Kemiripan dinormalkan oleh {people} orang, versi {version}.',
  ],
  twicePair: ['{one} and {other}', '{one} dan {other}'],
  merge: ['Merge', 'Gabungkan'],
  mergeOf: ['Merge {one} and {other}', 'Gabungkan {one} dan {other}'],
  mergeTitle: ['Merge into one person?', 'Gabungkan menjadi satu orang?'],
  mergeKeep: ['Name and ID that stay', 'Nama dan ID yang tetap'],
  mergeText: [
    'All pictures of both belong to this person then. {other} is gone, with its consent and retention; this cannot be undone.',
    'Semua gambar keduanya menjadi milik orang ini. {other} tidak ada lagi, beserta persetujuan dan retensinya; ini tidak dapat dibatalkan.',
  ],
  merged: ['Merged. Pictures of {userId} now: {count}.', 'Digabungkan. Gambar {userId} sekarang: {count}.'],
  differentPeople: ['Different people', 'Orang yang berbeda'],
  differentPeopleOf: [
    'Mark {one} and {other} as different people',
    'Tandai {one} dan {other} sebagai orang yang berbeda',
  ],
  markedDifferent: [
    'Marked as different people. The pair is not shown again.',
    'Ditandai sebagai orang yang berbeda. Pasangan ini tidak ditampilkan lagi.',
  ],
});

export const enrolment = translated({
  title: ['Enrol people', 'Daftarkan orang'],
  hint: [
    'Name and ID come from the file name, with a number before the name as the ID, or from a CSV file beside the pictures: user_id, user_name, file.',
    'Nama dan ID diambil dari nama berkas, dengan angka di depan nama sebagai ID, atau dari berkas CSV di samping gambar: user_id, user_name, file.',
  ],
  run: [
    (count: number) => (count === 1 ? 'Enrol 1 person' : `Enrol ${count} people`),
    (count: number) => `Daftarkan ${count} orang`,
  ],
  running: ['Enrolling {done} of {all} …', 'Mendaftarkan {done} dari {all} …'],
  table: [
    'Pictures with name and ID from the CSV file: {count}.',
    'Gambar dengan nama dan ID dari berkas CSV: {count}.',
  ],
  tableMissing: [
    'Named in the CSV file, and not among the pictures: {files}.',
    'Disebut di berkas CSV, tetapi tidak ada di antara gambar: {files}.',
  ],
  tableUnlisted: [
    'Not named in the CSV file, so that name and ID are left to you: {files}.',
    'Tidak disebut di berkas CSV, sehingga nama dan ID Anda yang mengisi: {files}.',
  ],
  tableRefused: [
    'Not used, since a spreadsheet has damaged the ID, or it has several names: {ids}.',
    'Tidak dipakai, karena ID rusak oleh program lembar kerja, atau memiliki beberapa nama: {ids}.',
  ],
  tableBad: [
    'The CSV file cannot be read. Its first line needs the columns {columns}.',
    'Berkas CSV tidak dapat dibaca. Baris pertamanya memerlukan kolom {columns}.',
  ],
  alike: ['Looks like somebody who is enrolled', 'Mirip orang yang terdaftar'],
  userEnrolled: ['ID is enrolled already', 'ID sudah terdaftar'],
  before: ['Enrolled before with this picture', 'Sudah terdaftar dengan gambar ini'],
  renamed: ['Replaced, and named anew', 'Diganti, dengan nama lain'],
  several: ['Enrolled from a picture of several faces', 'Terdaftar dari gambar dengan beberapa wajah'],
  chosenFace: ['The face that was chosen', 'Wajah yang dipilih'],
  pixels: ['{size} pixels', '{size} piksel'],
  range: ['{least} to {most}', '{least} sampai {most}'],
  sizes: [
    'Pixels of these faces: {range}; the rule asks for {minimum}.',
    'Piksel wajah-wajah ini: {range}; aturannya meminta {minimum}.',
  ],
  waiting: ['Waiting', 'Menunggu'],
  unnamed: ['Name or ID is missing', 'Nama atau ID belum ada'],
  working: ['Working …', 'Diproses …'],
  enrolled: ['Enrolled', 'Terdaftar'],
  failed: ['Refused', 'Ditolak'],
  taken: [
    (found: number) => (found === 1 ? 'The only face' : `Largest of ${found} faces`),
    (found: number) => (found === 1 ? 'Satu-satunya wajah' : `Terbesar dari ${found} wajah`),
  ],
  takenOf: [
    '{name}, with a box around the face that was taken',
    '{name}, dengan kotak pada wajah yang dipakai',
  ],
  enlarge: ['Show {name} large', 'Tampilkan {name} besar'],
  anyway: [
    (count: number) => (count === 1 ? 'Enrol anyway' : `Enrol all ${count} anyway`),
    (count: number) => (count === 1 ? 'Tetap daftarkan' : `Tetap daftarkan ${count} orang ini`),
  ],
  replaceThis: ['Replace all pictures of that person', 'Ganti semua gambar orang itu'],
  chooseFace: ['Choose the face', 'Pilih wajahnya'],
  openPerson: ['Open the person', 'Buka orang ini'],
  summary: ['{good} enrolled, {bad} refused.', '{good} terdaftar, {bad} ditolak.'],
  clear: ['Clear the list', 'Kosongkan daftar'],
  dropRow: ['Remove {name} from the list', 'Hapus {name} dari daftar'],
  options: ['Options', 'Opsi'],
  duplicates: [
    'Ask before a face is enrolled that looks like somebody else’s',
    'Tanyakan dulu bila wajahnya mirip wajah orang lain',
  ],
  singleFace: ['Refuse pictures with more than one face', 'Tolak gambar dengan lebih dari satu wajah'],
  replace: ['Replace pictures and name of IDs that exist', 'Ganti gambar dan nama dari ID yang sudah ada'],
  force: ['Enrol faces below {size} pixels too', 'Daftarkan juga wajah di bawah {size} piksel'],
  size: [
    'Each face needs {size} pixels from the eyebrows to the chin. The mode Measure of Recognise shows the same limit as the rule Size.',
    'Setiap wajah perlu {size} piksel dari alis ke dagu. Mode Ukur di Kenali menunjukkan batas yang sama sebagai aturan Ukuran.',
  ],
  drawnOnly: [
    'This gallery is of drawn people to try things with. Enrol real people in another one; delete this one when you need it no more.',
    'Galeri ini berisi orang gambar buatan untuk mencoba. Daftarkan orang sungguhan di galeri lain; hapus galeri ini bila tidak diperlukan lagi.',
  ],
  needsProof: [
    'This gallery requires a liveness token and refuses plain pictures. Enrol on the page Liveness.',
    'Galeri ini mewajibkan token liveness dan menolak gambar biasa. Daftarkan di halaman Liveness.',
  ],
});

export const people = translated({
  title: ['People', 'Orang'],
  search: ['Search by name or ID', 'Cari nama atau ID'],
  none: ['Nobody is enrolled', 'Belum ada yang terdaftar'],
  noneText: [
    'Enrol people from pictures or with the camera: one clear, large face in each picture.',
    'Daftarkan orang dari gambar atau dengan kamera: satu wajah yang jelas dan besar per gambar.',
  ],
  noMatch: ['No results', 'Tidak ada hasil'],
  noMatchText: [
    'The search compares parts of the name and the ID.',
    'Pencarian membandingkan bagian dari nama dan ID.',
  ],
  selectPerson: ['Select {name}', 'Pilih {name}'],
  selectPage: ['Select this page', 'Pilih halaman ini'],
  unselect: ['Clear the selection', 'Batalkan pilihan'],
  enrolledAt: ['Enrolled', 'Didaftarkan'],
  next: ['Next page', 'Halaman berikut'],
  previous: ['Previous page', 'Halaman sebelumnya'],
  erase: ['Erase', 'Hapus'],
  eraseSelected: ['Erase {count} selected', 'Hapus {count} yang dipilih'],
  eraseOne: ['Erase {name}', 'Hapus {name}'],
  eraseTitle: [
    (count: number, name: string) => (count === 1 ? `Erase ${name}?` : `Erase ${count} people?`),
    (count: number, name: string) => (count === 1 ? `Hapus ${name}?` : `Hapus ${count} orang?`),
  ],
  eraseText: [
    'Templates and face crops are erased at once and cannot be restored. The person can be enrolled again.',
    'Templat dan potongan wajah langsung dihapus dan tidak dapat dipulihkan. Orang ini dapat didaftarkan lagi.',
  ],
  erasing: ['Erasing {done} of {all} …', 'Menghapus {done} dari {all} …'],
  erased: [
    '{count} erased. Last record of the audit trail: {record}.',
    '{count} dihapus. Catatan terakhir jejak audit: {record}.',
  ],
  showFace: ['Show the face of {name}', 'Lihat wajah {name}'],
  showFaceShort: ['Show the face', 'Lihat wajah'],
  look: ['How people are shown', 'Cara orang ditampilkan'],
  look_faces: ['Faces', 'Wajah'],
  look_table: ['Table', 'Tabel'],
  pictureOf: ['Picture {number} of {name}', 'Gambar {number} dari {name}'],
  pictureOnly: [
    'The only picture is removed by erasing the person, or replaced by adding one in its place. Each access is recorded in the audit trail.',
    'Satu-satunya gambar dihapus dengan menghapus orangnya, atau diganti saat menambah gambar. Setiap akses dicatat dalam jejak audit.',
  ],
  picturesUnknown: [
    'Not each picture was kept, so that only the newest is shown.',
    'Tidak semua gambar disimpan, sehingga hanya yang terbaru yang ditampilkan.',
  ],
  removePicture: ['Remove: {picture}', 'Hapus: {picture}'],
  removeTitle: ['Remove this picture?', 'Hapus gambar ini?'],
  removeOne: ['Remove', 'Hapus'],
  removeText: [
    'The picture and its template are erased at once and cannot be restored. Pictures that stay: {count}.',
    'Gambar dan templatnya langsung dihapus dan tidak dapat dipulihkan. Gambar yang tetap ada: {count}.',
  ],
  lookRecorded: ['Each access is recorded in the audit trail.', 'Setiap akses dicatat dalam jejak audit.'],
  back: ['People of {gallery}', 'Orang di {gallery}'],
  about: ['About this person', 'Tentang orang ini'],
  pictures: ['Pictures', 'Gambar'],
  picturesOf: ['{count} of at most {most}', '{count} dari paling banyak {most}'],
  changedAt: ['Last change', 'Perubahan terakhir'],
  rename: ['Change the name', 'Ubah nama'],
  newName: ['New name', 'Nama baru'],

  add: ['Add a picture', 'Tambah gambar'],
  addHint: [
    'More pictures, in other light or from another camera, make recognition more reliable. Another face than this person’s is asked about.',
    'Gambar tambahan, dengan cahaya atau kamera lain, membuat pengenalan lebih andal. Wajah yang lain dari orang ini ditanyakan dulu.',
  ],
  addFull: [
    'This person has as many pictures as are allowed. A new one replaces them all.',
    'Orang ini sudah memiliki gambar sebanyak yang diizinkan. Gambar baru menggantikan semuanya.',
  ],
  replaceAll: ['Replace all pictures by this one', 'Ganti semua gambar dengan yang ini'],
  needsProof: [
    'This gallery requires a liveness token and refuses plain pictures. A program adds one with enroll-face, append: true and a liveness_token.',
    'Galeri ini mewajibkan token liveness dan menolak gambar biasa. Program menambahkannya dengan enroll-face, append: true, dan sebuah liveness_token.',
  ],
  comparing: ['Comparing and adding …', 'Membandingkan dan menambahkan …'],
  added: [
    'Added. Similarity {similarity} with the pictures before.',
    'Ditambahkan. Kemiripan {similarity} dengan gambar sebelumnya.',
  ],
  addedTo: ['It is a picture of {name} now.', 'Sekarang ini gambar {name}.'],
  doubtful: [
    'Not added. {word}: similarity {similarity}, threshold {threshold}.',
    'Tidak ditambahkan. {word}: kemiripan {similarity}, ambang {threshold}.',
  ],
  addAnyway: ['Add it anyway', 'Tetap tambahkan'],
  replaceAnyway: ['Replace all the same', 'Tetap ganti semua'],
  history: ['History', 'Riwayat'],
  historyChanged: ['Pictures or name changed', 'Gambar atau nama diubah'],
  historyHint: [
    'Refused calls are listed while they are stored. Successful ones are counted without the person, so that nobody’s comings and goings are recorded. The audit trail has each enrolment, change, erasure and view of a face, without user IDs.',
    'Panggilan yang ditolak ditampilkan selama masih disimpan. Yang berhasil dihitung tanpa orangnya, agar kedatangan dan kepergian siapa pun tidak terekam. Jejak audit memuat setiap pendaftaran, perubahan, penghapusan, dan akses wajah, tanpa ID pengguna.',
  ],
  eraseCard: ['Erase this person', 'Hapus orang ini'],
});

/** Consent, retention and suspension of a person. */
export const terms = translated({
  title: ['Consent and time', 'Persetujuan dan waktu'],
  consent: ['Consent', 'Persetujuan'],
  consentText: ['{reference}, given {given}', '{reference}, diberikan {given}'],
  purpose: ['Purpose', 'Tujuan'],
  none: ['None', 'Tidak ada'],
  expires: ['Erased on', 'Dihapus pada'],
  never: ['No date', 'Tanpa tanggal'],
  reference: ['Reference of the consent', 'Rujukan persetujuan'],
  referenceHint: [
    'Where the consent is found, such as the number of a form. A new one replaces the stored one with its purpose.',
    'Di mana persetujuannya ditemukan, misalnya nomor formulir. Yang baru mengganti yang tersimpan beserta tujuannya.',
  ],
  days: ['Days from now until this person is erased', 'Hari dari sekarang sampai orang ini dihapus'],
  daysHint: [
    'Leave it empty to keep the stored date.',
    'Biarkan kosong untuk mempertahankan tanggal yang tersimpan.',
  ],
  suspended: ['Suspended', 'Ditangguhkan'],
  suspendedSince: [
    'Suspended since {time}: stored, and not matched.',
    'Ditangguhkan sejak {time}: disimpan, dan tidak dicocokkan.',
  ],
  suspend: ['Suspend this person', 'Tangguhkan orang ini'],
  resume: ['Match this person again', 'Cocokkan orang ini lagi'],
  suspendHint: [
    'A suspended person is kept, and neither identified nor verified. Who enrols the same face again is asked.',
    'Orang yang ditangguhkan tetap disimpan, tetapi tidak diidentifikasi maupun diverifikasi. Pendaftaran ulang wajah yang sama akan ditanyakan.',
  ],
  requireConsent: ['Require a consent', 'Wajibkan persetujuan'],
  requireConsentHint: [
    'Enrolment needs the reference of a consent. People who are enrolled stay.',
    'Pendaftaran memerlukan rujukan persetujuan. Orang yang sudah terdaftar tetap ada.',
  ],
  retention: ['Days after which people are erased', 'Hari setelah itu orang dihapus'],
  retentionHint: [
    'From the first enrolment of each person. Empty: no end.',
    'Sejak pendaftaran pertama setiap orang. Kosong: tanpa akhir.',
  ],
  retentionOfAll: [
    'This is also for the people who are enrolled ({people}): each is erased {days} days after the first enrolment.',
    'Ini juga berlaku bagi yang sudah terdaftar ({people} orang): masing-masing dihapus {days} hari setelah pendaftaran pertamanya.',
  ],
});
