import { translated } from './translated.ts';

export const login = translated(
  {
    title: 'Sign in',
    lead: 'Face recognition and liveness on your own server',
    about:
      'Detect faces, enrol and identify people, detect presentation attacks. Pictures are sent only to this server.',
    point1: 'See every measurement drawn on the picture and explained',
    point2: 'Manage galleries and see why calls were refused',
    point3: 'Run a liveness session in the browser',
    clientId: 'Client ID',
    password: 'Password',
    submit: 'Sign in',
    busy: 'Signing in …',
    where: 'Where do I find them?',
    whereText:
      'The first start of the server prints the client “demo” with its password, once. Create another client on the server with:',
    memory: 'The access token is kept in the memory of this page only. After a reload you sign in again.',
    expired: 'The session has ended: the token has expired or was revoked. Sign in again.',
    left: 'You are signed out.',
    wrong: 'Client ID or password is wrong.',
  },
  {
    title: 'Masuk',
    lead: 'Pengenalan wajah dan liveness di server Anda sendiri',
    about:
      'Deteksi wajah, daftarkan dan identifikasi orang, deteksi serangan presentasi. Gambar hanya dikirim ke server ini.',
    point1: 'Lihat setiap hasil ukur pada gambar beserta penjelasannya',
    point2: 'Kelola galeri dan lihat alasan penolakan',
    point3: 'Jalankan sesi liveness di peramban',
    clientId: 'Client ID',
    password: 'Kata sandi',
    submit: 'Masuk',
    busy: 'Sedang masuk …',
    where: 'Di mana saya menemukannya?',
    whereText:
      'Saat pertama kali dijalankan, server mencetak klien “demo” dengan kata sandinya, sekali saja. Buat klien lain di server dengan:',
    memory: 'Token akses hanya disimpan di memori halaman ini. Setelah dimuat ulang, masuklah kembali.',
    expired: 'Sesi berakhir: token kedaluwarsa atau dicabut. Silakan masuk lagi.',
    left: 'Anda telah keluar.',
    wrong: 'Client ID atau kata sandi salah.',
  },
);
