import type { Area } from '../area.ts';

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
