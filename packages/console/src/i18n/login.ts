import type { Area } from './area.ts';

export const login = {
  title: ['Sign in', 'Masuk'],
  lead: [
    'Face recognition and liveness on your own server',
    'Pengenalan wajah dan liveness di server Anda sendiri',
  ],
  about: [
    'Detect faces, enrol and identify people, detect presentation attacks. Pictures are sent only to this server.',
    'Deteksi wajah, daftarkan dan identifikasi orang, deteksi serangan presentasi. Gambar hanya dikirim ke server ini.',
  ],
  point1: [
    'See every measurement drawn on the picture and explained',
    'Lihat setiap hasil ukur pada gambar beserta penjelasannya',
  ],
  point2: ['Manage galleries and see why calls were refused', 'Kelola galeri dan lihat alasan penolakan'],
  point3: ['Run a liveness session in the browser', 'Jalankan sesi liveness di peramban'],
  clientId: ['Client ID', 'Client ID'],
  password: ['Password', 'Kata sandi'],
  submit: ['Sign in', 'Masuk'],
  busy: ['Signing in …', 'Sedang masuk …'],
  where: ['Where do I find them?', 'Di mana saya menemukannya?'],
  whereText: [
    'The first start of the server prints the client “demo” with its password, once. Create another client on the server with:',
    'Saat pertama kali dijalankan, server mencetak klien “demo” dengan kata sandinya, sekali saja. Buat klien lain di server dengan:',
  ],
  memory: [
    'You stay signed in for this tab, also after a reload, until you sign out, close it, or the token expires.',
    'Anda tetap masuk di tab ini, juga setelah dimuat ulang, sampai Anda keluar, menutupnya, atau token kedaluwarsa.',
  ],
  expired: [
    'The session has ended: the token has expired or was revoked. Sign in again.',
    'Sesi berakhir: token kedaluwarsa atau dicabut. Silakan masuk lagi.',
  ],
  left: ['You are signed out, in all tabs of this browser.', 'Anda telah keluar, di semua tab peramban ini.'],
  wrong: ['Client ID or password is wrong.', 'Client ID atau kata sandi salah.'],
} as const satisfies Area;
