import type { Area } from '../area.ts';

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
  pageNumber: [(page: number) => `Page ${page}`, (page: number) => `Halaman ${page}`],
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
