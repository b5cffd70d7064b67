import type { Area } from '../area.ts';

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
