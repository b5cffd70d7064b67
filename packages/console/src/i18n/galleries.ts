import type { Area } from './area.ts';

export const galleries = {
  title: ['Galleries', 'Galeri'],
  lead: [
    'A gallery holds the templates of enrolled people. Each client has access to its own galleries only.',
    'Galeri berisi templat orang yang terdaftar. Setiap klien hanya melihat galerinya sendiri.',
  ],
  name: ['Name', 'Nama'],
  people: ['People', 'Orang'],
  peopleCount: [
    (count: number, shown: string) => (count === 1 ? '1 person' : `${shown} people`),
    (_count: number, shown: string) => `${shown} orang`,
  ],
  verifyAt: ['Verification threshold', 'Ambang verifikasi'],
  identifyAt: ['Identification threshold', 'Ambang identifikasi'],
  own: ['of this gallery', 'milik galeri ini'],
  pack: ['Model pack', 'Paket model'],
  calibration: ['Calibration', 'Kalibrasi'],
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
  empty: ['No galleries', 'Belum ada galeri'],
  emptyText: [
    'Create a gallery, then enrol people from pictures or with the camera.',
    'Buat galeri, lalu daftarkan orang dari gambar atau dengan kamera.',
  ],
  open: [(name: string) => `Open ${name}`, (name: string) => `Buka ${name}`],
  back: ['All galleries', 'Semua galeri'],
  deleteGallery: ['Delete gallery', 'Hapus galeri'],
  deleteTitle: [
    (name: string) => `Delete the gallery “${name}”?`,
    (name: string) => `Hapus galeri “${name}”?`,
  ],
  deleteText: [
    (people: string) =>
      `All its templates (${people}) are deleted immediately and cannot be restored. Type the name of the gallery to confirm.`,
    (people: string) =>
      `Semua templatnya (${people}) langsung dihapus dan tidak dapat dipulihkan. Ketik nama galeri untuk mengonfirmasi.`,
  ],
  partsOf: [(name: string) => `Parts of ${name}`, (name: string) => `Bagian ${name}`],
  views: ['Parts of the gallery', 'Bagian galeri'],
  viewPeople: [(count: string) => `People (${count})`, (count: string) => `Orang (${count})`],
  viewDuplicates: ['Duplicates', 'Duplikat'],
  viewThresholds: ['Thresholds', 'Ambang'],
  findDuplicates: ['Find duplicates', 'Cari duplikat'],
  notFound: ['This gallery does not exist', 'Galeri ini tidak ada'],
  notFoundText: [
    'It may have been deleted, or it belongs to another client.',
    'Mungkin sudah dihapus, atau milik klien lain.',
  ],
  stop: ['Stop', 'Berhenti'],
  settings: ['Settings', 'Pengaturan'],
  threshold: ['Threshold of this gallery', 'Ambang galeri ini'],
  thresholdHint: [
    'Minimum similarity score of a match, 0 to 1. Empty: the threshold of the server. The tab Thresholds shows what a value means.',
    'Skor kemiripan minimum agar dua wajah dianggap cocok, 0 sampai 1. Kosong: ambang server. Tab Ambang menunjukkan arti suatu nilai.',
  ],
  inForce: [
    (verify: string, identify: string) => `Thresholds: verification ${verify}, identification ${identify}.`,
    (verify: string, identify: string) => `Ambang: verifikasi ${verify}, identifikasi ${identify}.`,
  ],
  twice: ['People who are enrolled twice', 'Orang yang terdaftar dua kali'],
  twiceHint: [
    'Compares all pairs of this gallery. Each step of about a second counts as one call.',
    'Membandingkan semua pasangan di galeri ini. Setiap langkah sekitar satu detik dihitung sebagai satu panggilan.',
  ],
  twiceStart: ['Compare all pairs', 'Bandingkan semua pasangan'],
  twiceContinue: ['Continue', 'Lanjutkan'],
  twiceProgress: [
    (share: string, done: string, people: string) => `${share} of the pairs, ${done} of ${people} people`,
    (share: string, done: string, people: string) => `${share} pasangan, ${done} dari ${people} orang`,
  ],
  twiceNone: ['No pair reaches the threshold', 'Tidak ada pasangan yang mencapai ambang'],
  twiceSummary: [
    (threshold: string, expected: string) =>
      `Similarity ${threshold} or more. About ${expected} pairs of different people are expected among all pairs.`,
    (threshold: string, expected: string) =>
      `Kemiripan ${threshold} atau lebih. Di antara semua pasangan diperkirakan ada sekitar ${expected} pasangan orang yang berbeda.`,
  ],
  twiceStatistics: [
    (people: string, version: string) =>
      `Similarities are normalised by ${people} people, version ${version}.`,
    (people: string, version: string) => `Kemiripan dinormalkan oleh ${people} orang, versi ${version}.`,
  ],
  twicePair: [
    (one: string, other: string) => `${one} and ${other}`,
    (one: string, other: string) => `${one} dan ${other}`,
  ],
  twiceSimilarity: ['Similarity', 'Kemiripan'],
  twiceRate: ['False match rate', 'Tingkat salah cocok (FMR)'],
  twiceRateText: [(count: string) => `1 in ${count}`, (count: string) => `1 dari ${count}`],
  samePicture: ['the same picture', 'gambar yang sama'],
  differentPeople: ['Different people', 'Orang yang berbeda'],
  differentPeopleOf: [
    (one: string, other: string) => `Mark ${one} and ${other} as different people`,
    (one: string, other: string) => `Tandai ${one} dan ${other} sebagai orang yang berbeda`,
  ],
  markedDifferent: [
    'Marked as different people. The pair is not shown again.',
    'Ditandai sebagai orang yang berbeda. Pasangan ini tidak ditampilkan lagi.',
  ],
} as const satisfies Area;

export const enrolment = {
  title: ['Enrol people', 'Daftarkan orang'],
  hint: [
    'Name and ID come from the file name. Edit them before the enrolment.',
    'Nama dan ID diambil dari nama berkas. Ubah sebelum pendaftaran.',
  ],
  run: [
    (count: number) => (count === 1 ? 'Enrol 1 person' : `Enrol ${count} people`),
    (count: number) => `Daftarkan ${count} orang`,
  ],
  running: [
    (done: number, all: number) => `Enrolling ${done} of ${all} …`,
    (done: number, all: number) => `Mendaftarkan ${done} dari ${all} …`,
  ],
  picture: ['Picture', 'Gambar'],
  userName: ['Name', 'Nama'],
  userId: ['User ID', 'ID pengguna'],
  result: ['Result', 'Hasil'],
  waiting: ['Waiting', 'Menunggu'],
  working: ['Working …', 'Diproses …'],
  enrolled: ['Enrolled', 'Terdaftar'],
  failed: ['Refused', 'Ditolak'],
  taken: [
    (found: number) => (found === 1 ? 'The only face' : `Largest of ${found} faces`),
    (found: number) => (found === 1 ? 'Satu-satunya wajah' : `Terbesar dari ${found} wajah`),
  ],
  takenOf: [
    (name: string) => `${name}, with a box around the face that was taken`,
    (name: string) => `${name}, dengan kotak pada wajah yang dipakai`,
  ],
  enlarge: [(name: string) => `Show ${name} large`, (name: string) => `Tampilkan ${name} besar`],
  otherPerson: [
    (userId: string) => `Open the person with the ID ${userId}`,
    (userId: string) => `Buka orang dengan ID ${userId}`,
  ],
  openPerson: ['Open the person', 'Buka orang ini'],
  summary: [
    (good: number, bad: number) => `${good} enrolled, ${bad} refused.`,
    (good: number, bad: number) => `${good} terdaftar, ${bad} ditolak.`,
  ],
  clear: ['Clear the list', 'Kosongkan daftar'],
  dropRow: [(name: string) => `Remove ${name} from the list`, (name: string) => `Hapus ${name} dari daftar`],
  options: ['Options', 'Opsi'],
  duplicates: [
    'Refuse faces that are enrolled under another ID',
    'Tolak wajah yang terdaftar dengan ID lain',
  ],
  singleFace: ['Refuse pictures with more than one face', 'Tolak gambar dengan lebih dari satu wajah'],
  replace: ['Replace pictures and name of IDs that exist', 'Ganti gambar dan nama dari ID yang sudah ada'],
  force: [
    (size: string) => `Enrol faces below ${size} pixels too`,
    (size: string) => `Daftarkan juga wajah di bawah ${size} piksel`,
  ],
  size: [
    (size: string) =>
      `Each face needs ${size} pixels from brow to chin, the shorter side of its box. It is the rule Size of Try it, too.`,
    (size: string) =>
      `Setiap wajah perlu ${size} piksel dari alis ke dagu, sisi pendek kotaknya. Aturan Ukuran di Coba juga sama.`,
  ],
  needsProof: [
    'This gallery requires a liveness token and refuses plain pictures. Enrol on the page Liveness.',
    'Galeri ini mewajibkan token liveness dan menolak gambar biasa. Daftarkan di halaman Liveness.',
  ],
} as const satisfies Area;

export const people = {
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
  selectPerson: [(name: string) => `Select ${name}`, (name: string) => `Pilih ${name}`],
  selectPage: ['Select this page', 'Pilih halaman ini'],
  unselect: ['Clear the selection', 'Batalkan pilihan'],
  userId: ['User ID', 'ID pengguna'],
  userName: ['Name', 'Nama'],
  enrolledAt: ['Enrolled', 'Didaftarkan'],
  face: ['Face', 'Wajah'],
  next: ['Next page', 'Halaman berikut'],
  previous: ['Previous page', 'Halaman sebelumnya'],
  erase: ['Erase', 'Hapus'],
  eraseSelected: [
    (count: string) => `Erase ${count} selected`,
    (count: string) => `Hapus ${count} yang dipilih`,
  ],
  eraseOne: [(name: string) => `Erase ${name}`, (name: string) => `Hapus ${name}`],
  eraseTitle: [
    (count: number, name: string) => (count === 1 ? `Erase ${name}?` : `Erase ${count} people?`),
    (count: number, name: string) => (count === 1 ? `Hapus ${name}?` : `Hapus ${count} orang?`),
  ],
  eraseText: [
    'Templates and face crops are erased at once and cannot be restored. The person can be enrolled again.',
    'Templat dan potongan wajah langsung dihapus dan tidak dapat dipulihkan. Orang ini dapat didaftarkan lagi.',
  ],
  erasing: [
    (done: number, all: number) => `Erasing ${done} of ${all} …`,
    (done: number, all: number) => `Menghapus ${done} dari ${all} …`,
  ],
  erased: [
    (count: string, record: string) => `${count} erased. Last record of the audit trail: ${record}.`,
    (count: string, record: string) => `${count} dihapus. Catatan terakhir jejak audit: ${record}.`,
  ],
  showFace: [(name: string) => `Show the face of ${name}`, (name: string) => `Lihat wajah ${name}`],
  showFaceShort: ['Show the face', 'Lihat wajah'],
  noCrop: [
    'No picture of this person is stored, only the template.',
    'Gambar orang ini tidak disimpan, hanya templatnya.',
  ],
  lookRecorded: ['Each access is recorded in the audit trail.', 'Setiap akses dicatat dalam jejak audit.'],
  back: [(gallery: string) => `People of ${gallery}`, (gallery: string) => `Orang di ${gallery}`],
  about: ['About this person', 'Tentang orang ini'],
  pictures: ['Pictures', 'Gambar'],
  picturesOf: [
    (count: string, most: string) => `${count} of at most ${most}`,
    (count: string, most: string) => `${count} dari paling banyak ${most}`,
  ],
  changedAt: ['Last change', 'Perubahan terakhir'],
  rename: ['Change the name', 'Ubah nama'],
  newName: ['New name', 'Nama baru'],

  add: ['Add a picture', 'Tambah gambar'],
  addHint: [
    'More pictures, in other light or from another camera, make recognition more reliable. The picture is compared with this person before it is added.',
    'Gambar tambahan, dengan cahaya atau kamera lain, membuat pengenalan lebih andal. Gambar dibandingkan dengan orang ini sebelum ditambahkan.',
  ],
  addFull: [
    'This person has as many pictures as are allowed. A new one replaces them all.',
    'Orang ini sudah memiliki gambar sebanyak yang diizinkan. Gambar baru menggantikan semuanya.',
  ],
  replaceAll: ['Replace all pictures by this one', 'Ganti semua gambar dengan yang ini'],
  comparing: ['Comparing and adding …', 'Membandingkan dan menambahkan …'],
  added: [
    (similarity: string) => `Added. Similarity with this person before: ${similarity}.`,
    (similarity: string) => `Ditambahkan. Kemiripan dengan orang ini sebelumnya: ${similarity}.`,
  ],
  doubtful: [
    (similarity: string, threshold: string) =>
      `Not added: the face may be of somebody else. Similarity ${similarity}, threshold ${threshold}.`,
    (similarity: string, threshold: string) =>
      `Tidak ditambahkan: mungkin ini wajah orang lain. Kemiripan ${similarity}, ambang ${threshold}.`,
  ],
  addAnyway: ['Add it anyway', 'Tetap tambahkan'],
  history: ['History', 'Riwayat'],
  similarity: ['Similarity', 'Kemiripan'],
  historyEnrolled: ['Enrolled', 'Didaftarkan'],
  historyChanged: ['Pictures or name changed', 'Gambar atau nama diubah'],
  historyHint: [
    'Refused calls are listed while they are stored. Successful ones are counted without the person, so that nobody’s comings and goings are recorded. The audit trail has each enrolment, change, erasure and view of a face, without user IDs.',
    'Panggilan yang ditolak ditampilkan selama masih disimpan. Yang berhasil dihitung tanpa orangnya, agar kedatangan dan kepergian siapa pun tidak terekam. Jejak audit memuat setiap pendaftaran, perubahan, penghapusan, dan akses wajah, tanpa ID pengguna.',
  ],
  eraseCard: ['Erase this person', 'Hapus orang ini'],
} as const satisfies Area;

/** Consent, retention and suspension of a person. */
export const terms = {
  title: ['Consent and time', 'Persetujuan dan waktu'],
  consent: ['Consent', 'Persetujuan'],
  consentText: [
    (reference: string, given: string) => `${reference}, given ${given}`,
    (reference: string, given: string) => `${reference}, diberikan ${given}`,
  ],
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
  daysHint: ['Empty: as it is.', 'Kosong: seperti sekarang.'],
  suspended: ['Suspended', 'Ditangguhkan'],
  suspendedSince: [
    (time: string) => `Suspended since ${time}: stored, and not matched.`,
    (time: string) => `Ditangguhkan sejak ${time}: disimpan, dan tidak dicocokkan.`,
  ],
  suspend: ['Suspend this person', 'Tangguhkan orang ini'],
  resume: ['Match this person again', 'Cocokkan orang ini lagi'],
  suspendHint: [
    'A suspended person is kept, and neither identified nor verified.',
    'Orang yang ditangguhkan tetap disimpan, tetapi tidak diidentifikasi maupun diverifikasi.',
  ],
  requireConsent: ['Require a consent', 'Wajibkan persetujuan'],
  requireConsentHint: [
    'Enrolment needs the reference of a consent. People who are enrolled stay.',
    'Pendaftaran memerlukan rujukan persetujuan. Orang yang sudah terdaftar tetap ada.',
  ],
  retention: ['Days after which people are erased', 'Hari setelah itu orang dihapus'],
  retentionHint: [
    'From their first enrolment. Empty: no end. Those who were enrolled longer ago are erased within minutes.',
    'Sejak pendaftaran pertamanya. Kosong: tanpa akhir. Yang terdaftar lebih lama dari itu dihapus dalam hitungan menit.',
  ],
} as const satisfies Area;

export const thresholds = {
  title: ['What a threshold means', 'Arti sebuah ambang'],
  lead: [
    'A higher threshold matches fewer people who are not enrolled and refuses more of your own people. Move it to see both.',
    'Ambang yang lebih tinggi mencocokkan lebih sedikit orang yang tidak terdaftar dan menolak lebih banyak orang sendiri. Geser untuk melihat keduanya.',
  ],
  move: ['Threshold to look at', 'Ambang yang dilihat'],
  use: ['Enter it in Settings', 'Masukkan di Pengaturan'],
  rate: ['False match rate', 'Tingkat salah cocok (FMR)'],
  rateWhy: [
    'Share of comparisons of two different people that reach the threshold.',
    'Bagian perbandingan dua orang berbeda yang mencapai ambang.',
  ],
  oneIn: [(count: string) => `1 in ${count}`, (count: string) => `1 dari ${count}`],
  falsePositiveRate: ['False positive identification rate', 'Tingkat salah identifikasi positif (FPIR)'],
  falsePositiveRateWhy: [
    (people: string) =>
      `Share of people who are not enrolled that match somebody among ${people} people, at most.`,
    (people: string) =>
      `Bagian orang yang tidak terdaftar yang cocok dengan seseorang di antara ${people} orang, paling banyak.`,
  ],
  nearlyAll: ['nearly all', 'hampir semua'],
  verifyBelow: ['Verifications below', 'Verifikasi di bawahnya'],
  identifyBelow: ['Searches below', 'Pencarian di bawahnya'],
  belowWhy: [
    (days: string) =>
      `Of the calls of the last ${days} days in this gallery. People who are not enrolled are among them: at most so many of your own people are refused.`,
    (days: string) =>
      `Dari panggilan ${days} hari terakhir di galeri ini. Orang yang tidak terdaftar termasuk di dalamnya: paling banyak sekian orang sendiri ditolak.`,
  ],
  countOf: [
    (below: string, all: string, share: string) => `${below} of ${all} (${share})`,
    (below: string, all: string, share: string) => `${below} dari ${all} (${share})`,
  ],
  noCalls: ['no calls yet', 'belum ada panggilan'],
  threshold: ['Threshold', 'Ambang'],
  inForceVerify: ['verification', 'verifikasi'],
  inForceIdentify: ['identification', 'identifikasi'],
  table: ['Thresholds compared', 'Perbandingan ambang'],
  chart: [
    'Similarities that verifications and searches reached. The table has the numbers.',
    'Kemiripan yang dicapai verifikasi dan pencarian. Angkanya ada di tabel.',
  ],
  chartTitle: ['What probes of this gallery reached', 'Yang dicapai gambar uji galeri ini'],
  chartHint: [
    'Counts of the last 30 days, without users. Each bar is a tenth of a decade of the false match rate wide.',
    'Jumlah 30 hari terakhir, tanpa pengguna. Lebar setiap batang sepersepuluh dekade tingkat salah cocok.',
  ],
  below: ['below the threshold', 'di bawah ambang'],
  above: ['at or above it', 'pada atau di atasnya'],
  calibration: ['Calibration', 'Kalibrasi'],
  curve: ['Curve', 'Kurva'],
  curveOwn: ['of this gallery', 'milik galeri ini'],
  curveServer: ['of the server', 'milik server'],
  provisional: ['provisional', 'sementara'],
  measured: ['measured', 'terukur'],
  pairs: ['Pairs of different people', 'Pasangan orang berbeda'],
  pairsFitted: ['the curve was fitted to', 'dasar pencocokan kurva'],
  pairsPossible: ['in this gallery', 'di galeri ini'],
  normalised: ['Normalised by', 'Dinormalkan oleh'],
  normalisedBy: [(count: string) => `${count} of its people`, (count: string) => `${count} orangnya`],
  normalisedOff: ['nothing: switched off', 'tidak ada: dimatikan'],
  normalisedFew: ['nothing: fewer than five people', 'tidak ada: kurang dari lima orang'],
  frozen: ['frozen', 'dibekukan'],
  provisionalText: [
    'The curve comes from published figures of the model pack, not from a measurement. An operator replaces it by one that is measured on the people of the galleries:',
    'Kurva ini berasal dari angka terbitan paket model, bukan dari pengukuran. Operator menggantinya dengan kurva yang diukur pada orang di galeri:',
  ],
  ownText: [
    'An operator can fit a curve to the people of this gallery:',
    'Operator dapat mencocokkan kurva dengan orang di galeri ini:',
  ],
} as const satisfies Area;
