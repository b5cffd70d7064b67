import type { Area } from '../area.ts';

/** The view of a door or desk: the camera names people as they appear. */
export const door = {
  title: ['Door view', 'Tampilan pintu'],
  lead: [
    'The camera stays on and names people as they appear, for a door or a desk.',
    'Kamera tetap menyala dan menyebut nama orang yang datang, untuk pintu atau meja penerima tamu.',
  ],
  sound: ['Sound for yes and no', 'Suara untuk ya dan tidak'],
  start: ['Start', 'Mulai'],
  calls: [
    'One picture is sent after another, each an API call that counts towards the quota. When the server is busy the view waits longer.',
    'Gambar dikirim satu demi satu, masing-masing satu panggilan API yang mengurangi kuota. Bila server sibuk, tampilan menunggu lebih lama.',
  ],
  privacy: [
    'Names and times are kept in this page only, and are gone when you leave it. The server records each call, as always.',
    'Nama dan waktu hanya disimpan di halaman ini dan hilang saat halaman ditutup. Server mencatat setiap panggilan, seperti biasa.',
  ],
  noLiveness: [
    'A photo held before the camera is named too. To open a door, require a liveness session.',
    'Foto yang ditunjukkan ke kamera juga dikenali. Untuk membuka pintu, gunakan sesi liveness.',
  ],
  leave: ['Leave', 'Keluar dari tampilan'],
  mute: ['Switch the sound off', 'Matikan suara'],
  unmute: ['Switch the sound on', 'Nyalakan suara'],
  looking: ['Look at the camera', 'Lihat ke kamera'],
  closer: ['Come closer', 'Mendekatlah'],
  no: ['Not recognised', 'Tidak dikenali'],
  cameraLost: ['The camera is gone', 'Kamera terputus'],
  cameraLostText: [
    'Connect it again. The view goes on by itself.',
    'Sambungkan kembali. Tampilan berlanjut dengan sendirinya.',
  ],
  unreachable: ['The server cannot be reached', 'Server tidak dapat dihubungi'],
  busy: ['The server is busy', 'Server sedang sibuk'],
  again: [
    (seconds: string) => `Next attempt after ${seconds} s.`,
    (seconds: string) => `Dicoba lagi setelah ${seconds} detik.`,
  ],
  log: ['Today', 'Hari ini'],
  logEmpty: ['Nobody yet.', 'Belum ada.'],
  showLog: ['Show the log', 'Tampilkan catatan'],
  hideLog: ['Hide the log', 'Sembunyikan catatan'],
} as const satisfies Area;
