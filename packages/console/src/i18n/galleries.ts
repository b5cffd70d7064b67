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
  calibratedBy: [
    (shown: string) => `by ${shown} of its people`,
    (shown: string) => `oleh ${shown} orang di dalamnya`,
  ],
  calibratedByPack: ['of the model pack', 'milik paket model'],
  calibrationFrozen: ['frozen', 'dibekukan'],
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
  settings: ['Settings', 'Pengaturan'],
  threshold: ['Threshold of this gallery', 'Ambang galeri ini'],
  thresholdHint: [
    'Minimum similarity score of a match, 0 to 1. Empty: the threshold of the server.',
    'Skor kemiripan minimum agar dua wajah dianggap cocok, 0 sampai 1. Kosong: ambang server.',
  ],
  inForce: [
    (verify: string, identify: string) => `Thresholds: verification ${verify}, identification ${identify}.`,
    (verify: string, identify: string) => `Ambang: verifikasi ${verify}, identifikasi ${identify}.`,
  ],
  search: ['Search by name or ID', 'Cari nama atau ID'],
  noPeople: ['Nobody is enrolled', 'Belum ada yang terdaftar'],
  noPeopleText: [
    'Enrol people from pictures or with the camera: one clear, large face in each picture.',
    'Daftarkan orang dari gambar atau dengan kamera: satu wajah yang jelas dan besar per gambar.',
  ],
  noMatch: ['No results', 'Tidak ada hasil'],
  noMatchText: [
    'The search compares parts of the name and the ID.',
    'Pencarian membandingkan bagian dari nama dan ID.',
  ],
  userId: ['User ID', 'ID pengguna'],
  userName: ['Name', 'Nama'],
  picture: ['Face', 'Wajah'],
  next: ['Next page', 'Halaman berikut'],
  previous: ['Previous page', 'Halaman sebelumnya'],
  pageNumber: [(page: number) => `Page ${page}`, (page: number) => `Halaman ${page}`],
  deletePerson: [(name: string) => `Delete ${name}`, (name: string) => `Hapus ${name}`],
  deletePersonTitle: [(name: string) => `Delete ${name}?`, (name: string) => `Hapus ${name}?`],
  deletePersonText: [
    'The templates are deleted immediately. The person can be enrolled again.',
    'Templatnya langsung dihapus. Orang ini dapat didaftarkan lagi.',
  ],
  showFace: [(name: string) => `Show the face of ${name}`, (name: string) => `Lihat wajah ${name}`],
  noCrop: [
    'No picture of this person is stored, only the template.',
    'Gambar orang ini tidak disimpan, hanya templatnya.',
  ],
  lookRecorded: ['Each access is recorded in the audit trail.', 'Setiap akses dicatat dalam jejak audit.'],
  enrol: ['Enrol people', 'Daftarkan orang'],
  enrolHint: [
    'Name and ID come from the file name. Edit them before the enrolment.',
    'Nama dan ID diambil dari nama berkas. Ubah sebelum pendaftaran.',
  ],
  enrolRun: [
    (count: number) => (count === 1 ? 'Enrol 1 person' : `Enrol ${count} people`),
    (count: number) => `Daftarkan ${count} orang`,
  ],
  enrolling: [
    (done: number, all: number) => `Enrolling ${done} of ${all} …`,
    (done: number, all: number) => `Mendaftarkan ${done} dari ${all} …`,
  ],
  enrolled: ['Enrolled', 'Terdaftar'],
  waiting: ['Waiting', 'Menunggu'],
  working: ['Working …', 'Diproses …'],
  failed: ['Refused', 'Ditolak'],
  summary: [
    (good: number, bad: number) => `${good} enrolled, ${bad} refused.`,
    (good: number, bad: number) => `${good} terdaftar, ${bad} ditolak.`,
  ],
  clear: ['Clear the list', 'Kosongkan daftar'],
  stop: ['Stop', 'Berhenti'],
  dropRow: [(name: string) => `Remove ${name} from the list`, (name: string) => `Hapus ${name} dari daftar`],
  replace: ['Replace the templates of IDs that exist', 'Ganti templat dari ID yang sudah ada'],
  duplicates: [
    'Refuse faces that are enrolled under another ID',
    'Tolak wajah yang terdaftar dengan ID lain',
  ],
  singleFace: ['Refuse pictures with more than one face', 'Tolak gambar dengan lebih dari satu wajah'],
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
  enrolledAt: ['Enrolled', 'Didaftarkan'],
  differentPeople: ['Different people', 'Orang yang berbeda'],
  differentPeopleOf: [
    (one: string, other: string) => `Mark ${one} and ${other} as different people`,
    (one: string, other: string) => `Tandai ${one} dan ${other} sebagai orang yang berbeda`,
  ],
  markedDifferent: [
    'Marked as different people. The pair is not shown again.',
    'Ditandai sebagai orang yang berbeda. Pasangan ini tidak ditampilkan lagi.',
  ],
  needsProof: [
    'This gallery requires a liveness token and refuses plain pictures. Enrol on the page Liveness.',
    'Galeri ini mewajibkan token liveness dan menolak gambar biasa. Daftarkan di halaman Liveness.',
  ],
} as const satisfies Area;
