import type { Area } from './area.ts';

export const system = {
  title: ['System', 'Sistem'],
  lead: ['Status, model packs and resources of the server.', 'Status, paket model, dan sumber daya server.'],
  denied: ['Operators only', 'Khusus operator'],
  deniedText: [
    'This page is for clients that were created with --operator, such as the client demo of the first start. On the server:',
    'Halaman ini untuk klien yang dibuat dengan --operator, misalnya klien demo yang dibuat saat server pertama kali dijalankan. Di server:',
  ],
  health: ['Health', 'Kesehatan'],
  ready: ['Ready for calls', 'Siap dipanggil'],
  version: ['Version', 'Versi'],
  node: ['Node', 'Node'],
  uptime: ['Uptime', 'Waktu aktif'],
  since: [(time: string) => `since ${time}`, (time: string) => `sejak ${time}`],
  clients: ['Clients', 'Klien'],
  engine: ['Engine', 'Mesin'],
  workers: ['Workers', 'Proses kerja'],
  restarts: ['Workers replaced', 'Proses kerja yang diganti'],
  running: ['Running', 'Berjalan'],
  busy: ['Refused as busy', 'Ditolak karena sibuk'],
  queued: ['Queued', 'Antrean'],
  packs: ['Model packs', 'Paket model'],
  pack: ['Pack', 'Paket'],
  roles: ['Roles', 'Peran'],
  licence: ['Licence', 'Lisensi'],
  inUse: ['in use', 'dipakai'],
  notInUse: ['not in use', 'tidak dipakai'],
  padMissing: [
    (notice: string) => notice,
    () =>
      'Deteksi serangan presentasi berjalan tanpa paket model minifasnet yang dianjurkan: pasang dengan salah satu perintah ini, lalu mulai ulang server.',
  ],
  provisional: [
    (notice: string) => notice,
    () =>
      'Kalibrasi paket model ini bersifat sementara: dihitung dari titik operasi yang diterbitkan, bukan diukur, sehingga skor kemiripan dapat berarti tingkat salah cocok yang lain daripada yang dinyatakan. Galeri dengan sepuluh orang atau lebih dinormalkan oleh orang-orangnya sendiri. Ukur kalibrasi pada orang-orang di galeri dengan perintah ini, lalu mulai ulang server:',
  ],
  recording: [
    'Liveness sessions that are submitted with consent are recorded with their pictures (WAJAH_RECORD_SESSIONS). Switch it off when you have measured.',
    'Sesi liveness yang dikirim dengan persetujuan direkam beserta gambarnya (WAJAH_RECORD_SESSIONS). Matikan setelah selesai mengukur.',
  ],
  memory: ['Memory', 'Memori'],
  rss: ['Process', 'Proses'],
  heap: ['JavaScript heap', 'Heap JavaScript'],
  match: ['Galleries in memory', 'Galeri dalam memori'],
  loadedGalleries: ['Galleries loaded', 'Galeri dimuat'],
  ofBudget: [
    (used: string, budget: string) => `${used} of ${budget}`,
    (used: string, budget: string) => `${used} dari ${budget}`,
  ],
  store: ['Storage', 'Penyimpanan'],
  kind: ['Kind', 'Jenis'],
  size: ['Size', 'Ukuran'],
  migration: ['Schema migration', 'Migrasi skema'],
  settings: ['Settings', 'Pengaturan'],
  days: [(count: number) => (count === 1 ? '1 day' : `${count} days`), (count: number) => `${count} hari`],
  hours: [(count: number) => (count === 1 ? '1 hour' : `${count} hours`), (count: number) => `${count} jam`],
  minutes: [
    (count: number) => (count === 1 ? '1 minute' : `${count} minutes`),
    (count: number) => `${count} menit`,
  ],
} as const satisfies Area;
